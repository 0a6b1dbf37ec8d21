"""One species against one cantus of the tests, above or below, judged by the independent checker."""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.composer.counterpoint.compose import write_voice
from consort_compose.composer.counterpoint.task import NewVoice, Task, VoiceNote
from consort_compose.composer.counterpoint.tones import Tone
from consort_music.bars import Bar
from consort_music.metre import COMMON_TIME
from tests.cantus_firmi import Cantus
from tests.counterpoint_checker import Sung, cantus_notes, downbeat_parallels, faults


@dataclass(frozen=True)
class Verdict:
    voice: NewVoice
    faults: list[str]
    downbeat_parallels: int

    @property
    def relaxations(self) -> list[str]:
        """Rules that were broken; that a chain of ties begins anew is told too, and is no fault."""
        return [f"measure {one.measure}: {one.breach}" for one in self.voice.relaxations if one.rule != "syncopation"]

    @property
    def restarts(self) -> set[int]:
        """Measures in which the fourth species is said to strike its downbeat."""
        return {one.measure for one in self.voice.relaxations if one.rule == "syncopation"}


def job(cantus: Cantus, species: int, above: bool, seed: int) -> Task:
    """A counterpoint within a twelfth and a bit of the cantus, and room for the octave at the end."""
    notes = cantus_notes(cantus, octave=4)
    lowest, highest, last = min(note.midi for note in notes), max(note.midi for note in notes), notes[-1].midi
    low, high = (lowest - 2, max(lowest + 19, last + 12)) if above else (min(highest - 19, last - 12), highest + 2)
    return task(notes, tuple(cantus.scale), low, high, above, species, seed)


def task(
    notes: list[Sung], scale: tuple[tuple[int, int], ...], low: int, high: int, above: bool, species: int, seed: int
) -> Task:
    existing = [VoiceNote(note.onset, note.length, Tone(note.midi, note.letter)) for note in notes]
    bars = [Bar(number + 1, Fraction(4 * number), Fraction(4), COMMON_TIME) for number in range(len(notes))]
    return Task(existing, bars, scale, low, high, above, species, seed=seed)


def judge(cantus: Cantus, species: int, above: bool, seed: int) -> Verdict:
    asked = job(cantus, species, above, seed)
    voice = write_voice(asked)
    sung = [Sung(note.onset, note.duration, note.tone.midi, note.tone.step) for note in voice.notes]
    against = cantus_notes(cantus, octave=4)
    found = faults(species, against, sung, above, cantus.scale, asked.lowest, asked.highest)
    return Verdict(voice, found, len(downbeat_parallels(against, sung)))
