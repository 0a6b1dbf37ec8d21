"""Write one species against one cantus firmus, above or below, and check it with the independent checker."""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.composer.counterpoint.engine.task_and_result import CounterpointTask, NewVoice
from consort_compose.composer.counterpoint.engine.write_voice import write_voice
from consort_compose.composer.counterpoint.spelled_tones import SpelledTone, VoiceNote
from consort_music.bars import Bar
from consort_music.metre import COMMON_TIME
from evaluation.checkers.counterpoint import CheckedNote, cantus_notes, downbeat_parallels, faults
from evaluation.corpora.cantus_firmi import Cantus


@dataclass(frozen=True)
class Verdict:
    voice: NewVoice
    sung: list[CheckedNote]
    """The notes of the voice, as the checker reads them."""
    faults: list[str]
    downbeat_parallels: int

    @property
    def relaxations(self) -> list[str]:
        """The breaches that the engine reported, except of the rule `syncopation`, which are not faults."""
        return [f"measure {one.measure}: {one.breach}" for one in self.voice.relaxations if one.rule != "syncopation"]

    @property
    def restarts(self) -> set[int]:
        """The measures for which the engine reported a new note on the downbeat in the fourth species."""
        return {one.measure for one in self.voice.relaxations if one.rule == "syncopation"}


def cantus_task(cantus: Cantus, species: int, above: bool, seed: int) -> CounterpointTask:
    """Return a task for the engine. The range is more than a twelfth and includes the octave at the end."""
    notes = cantus_notes(cantus, octave=4)
    lowest, highest, last = min(note.midi for note in notes), max(note.midi for note in notes), notes[-1].midi
    low, high = (lowest - 2, max(lowest + 19, last + 12)) if above else (min(highest - 19, last - 12), highest + 2)
    return counterpoint_task(notes, tuple(cantus.scale), low, high, above, species, seed)


def counterpoint_task(
    notes: list[CheckedNote],
    scale: tuple[tuple[int, int], ...],
    low: int,
    high: int,
    above: bool,
    species: int,
    seed: int,
) -> CounterpointTask:
    existing = [VoiceNote(note.onset, note.length, SpelledTone(note.midi, note.letter)) for note in notes]
    bars = [Bar(number + 1, Fraction(4 * number), Fraction(4), COMMON_TIME) for number in range(len(notes))]
    return CounterpointTask(existing, bars, scale, low, high, above, species, seed=seed)


def judge(cantus: Cantus, species: int, above: bool, seed: int) -> Verdict:
    """Write a voice against a cantus, and return it with the faults that the independent checker finds."""
    task = cantus_task(cantus, species, above, seed)
    voice = write_voice(task)
    sung = [CheckedNote(note.onset, note.duration, note.tone.midi, note.tone.step) for note in voice.notes]
    against = cantus_notes(cantus, octave=4)
    found = faults(species, against, sung, above, cantus.scale, task.lowest, task.highest)
    return Verdict(voice, sung, found, len(downbeat_parallels(against, sung)))
