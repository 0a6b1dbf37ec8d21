"""Two voices of a score as an exercise: which is the cantus firmus, which is marked, in which mode and in what time.

The cantus is the part that says so in its name; otherwise the one in even notes. Where both are (first species), it is
the one that begins on its last tone and ends by step; of two such ones, the one over which the cadence is in order, and
then the one that falls.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from consort_compose.composer.counterpoint.task import VoiceNote
from consort_compose.composer.counterpoint.tones import Scale, Tone, scale_of
from consort_compose.composer.species.faults import is_step
from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.score import Part, Score

_CANTUS = re.compile(r"cantus|firmus|\bc\.? ?f\b", re.IGNORECASE)
_OTHER = re.compile(r"counter|contrap|\bc\.? ?p\b|student|answer", re.IGNORECASE)
_MODES = ("major", "dorian", "minor", "phrygian", "mixolydian", "lydian", "locrian")
_SURE = 3
"""A tone of the cantus counts for the mode like so many of the other voice, which may be wrong."""


class Unit(NamedTuple):
    """The stretch that counts as one cantus note: the note itself, or a bar of an uneven cantus."""

    start: Fraction
    end: Fraction

    @property
    def length(self) -> Fraction:
        return self.end - self.start

    @property
    def is_binary(self) -> bool:
        """Whether it divides into halves and quarters: a whole note does, a dotted half does not."""
        return self.length.numerator.bit_count() == 1


@dataclass(frozen=True, slots=True)
class Exercise:
    species: int
    cantus: Sequence[VoiceNote]
    voice: Sequence[VoiceNote]
    above: bool
    key: Key
    units: Sequence[Unit]
    is_even: bool
    """False where the cantus moves within its units."""
    is_named: bool
    """Whether it is beyond doubt which voice is the cantus."""
    cantus_name: str
    voice_name: str

    @property
    def scale(self) -> Scale:
        return scale_of(self.key)

    @property
    def range(self) -> tuple[int, int] | None:
        """The lowest and highest MIDI note of the marked voice, where it is named after a voice."""
        found = VOICE_RANGES.get(self.voice_name.strip().lower())
        return found.midi if found else None

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """Where the marked voice may be at home: its own range, or without a name each that has all of its notes."""
        if self.range is not None:
            return [self.range]
        pitches = [note.tone.midi for note in self.voice]
        ranges = (voice.midi for voice in VOICE_RANGES.values())
        return [(low, high) for low, high in ranges if low <= min(pitches) and max(pitches) <= high]

    @property
    def sign(self) -> int:
        """1 where the marked voice is above the cantus, -1 where it is below."""
        return 1 if self.above else -1

    def against(self, moment: Fraction) -> VoiceNote | None:
        """What of the cantus sounds at a moment."""
        return sounding(self.cantus, moment)

    def just_before(self, moment: Fraction) -> VoiceNote | None:
        """What of the cantus sounded up to a moment."""
        place = bisect_right(self.cantus, moment, key=lambda note: note.onset) - 1
        if place >= 0 and self.cantus[place].onset == moment:
            place -= 1
        return self.cantus[place] if place >= 0 and self.cantus[place].end >= moment else None

    def unit_at(self, moment: Fraction) -> Unit:
        place = bisect_right(self.units, moment, key=lambda unit: unit.start) - 1
        return self.units[max(place, 0)]


def sounding(voice: Sequence[VoiceNote], moment: Fraction) -> VoiceNote | None:
    place = bisect_right(voice, moment, key=lambda note: note.onset) - 1
    return voice[place] if place >= 0 and moment < voice[place].end else None


def read_exercise(
    score: Score, species: int, key: Key | None, lacks_leading_tone: Callable[[Exercise], bool]
) -> Exercise:
    """Find the cantus among two voices; raises INVALID_INPUT where there are not two of them."""
    parts = [part for part in score.parts if part.notes]
    if len(parts) != 2 or not all(is_line(part) for part in parts):
        parts_found = f"{len(parts)} part{'s' * (len(parts) != 1)}" if len(parts) != 2 else "chords in a part"
        raise MusicError(
            "INVALID_INPUT",
            f"Species {species} is marked in two voices of single notes, and the music has {parts_found}. Write each "
            'voice on a line: "cantus" D4:w F4:w E4:w D4:w and then "voice" A4:w A4:w C#5:w D5:w.',
            field="species",
        )
    first, second = parts
    both = [_exercise(score, species, key, *pair) for pair in ((first, second), (second, first))]
    named = [bool(_CANTUS.search(one.name) or _OTHER.search(other.name)) for one, other in (parts, parts[::-1])]
    if named[0] != named[1]:
        return replace(both[named.index(True)], is_named=True)
    if species > 1:
        even = [_is_even(exercise.cantus) and exercise.cantus[0].onset == 0 for exercise in both]
        if even[0] != even[1]:
            return both[even.index(True)]
        return min(both, key=lambda exercise: len(exercise.cantus))
    return min(both, key=lambda exercise: (_oddities(exercise.cantus), lacks_leading_tone(exercise), _rises(exercise)))


def is_line(part: Part) -> bool:
    """Whether a part has one note at a time."""
    return all(before.end <= after.start for before, after in pairwise(part.notes))


def _exercise(score: Score, species: int, key: Key | None, cantus: Part, voice: Part) -> Exercise:
    lines = [
        [VoiceNote(note.start, note.duration, Tone(note.midi, note.pitch.staff)) for note in part.notes]
        for part in (cantus, voice)
    ]
    units, is_even = _units(score, species, lines[0])
    return Exercise(
        species=species,
        cantus=lines[0],
        voice=lines[1],
        above=_is_above(*lines),
        key=key or _mode(score, *lines),
        units=units,
        is_even=is_even,
        is_named=species > 1,
        cantus_name=cantus.name,
        voice_name=voice.name,
    )


def _units(score: Score, species: int, cantus: Sequence[VoiceNote]) -> tuple[list[Unit], bool]:
    fills_bars = all(
        (bar := score.bar_at(note.onset)).start == note.onset and bar.end == note.end for note in cantus[:-1]
    )
    if species == 1 or fills_bars or _is_even(cantus):
        return [Unit(note.onset, note.end) for note in cantus], True
    end = cantus[-1].end
    bars = [Unit(bar.start, min(bar.end, end)) for bar in score.bars if cantus[0].onset < bar.end and bar.start < end]
    closing = cantus[-1].onset
    if bars[-1].start < closing:  # the last note stands alone
        bars[-1:] = [Unit(bars[-1].start, closing), Unit(closing, end)]
    return bars, False


def _is_even(voice: Sequence[VoiceNote]) -> bool:
    return len({note.duration for note in voice[:-1]}) <= 1


def _oddities(voice: Sequence[VoiceNote]) -> int:
    """What a cantus hardly ever does: begin on another tone than its last, or leap into that."""
    if len(voice) < 2:
        return 2
    return (voice[0].tone.midi % 12 != voice[-1].tone.midi % 12) + (not is_step(*voice[-2:]))


def _rises(exercise: Exercise) -> bool:
    """Most cantus firmi fall into their last note."""
    return exercise.cantus[-1].tone.midi > exercise.cantus[-2].tone.midi


def _is_above(cantus: Sequence[VoiceNote], voice: Sequence[VoiceNote]) -> bool:
    """By where the voice is most of the time: it may cross by mistake."""
    balance = sum(
        ((note.tone.midi > other.tone.midi) - (note.tone.midi < other.tone.midi)) * note.duration
        for note in voice
        if (other := sounding(cantus, note.onset)) is not None
    )
    return balance > 0


def _mode(score: Score, cantus: Sequence[VoiceNote], voice: Sequence[VoiceNote]) -> Key:
    """The mode on the last note of the cantus that has most of the tones; the signature's where it has them all."""
    final = next(note.pitch for part in score.parts for note in part.notes if note.midi == cantus[-1].tone.midi)
    keys = [Key(final.step, final.alter, mode) for mode in _MODES]
    signature = score.key.sharps if score.key else None

    def misfits(key: Key) -> tuple[int, bool]:
        scale = scale_of(key)
        raised = raised_tones(scale)
        foreign = sum(_SURE for note in cantus if spelled(note.tone) not in scale)
        foreign += sum(spelled(note.tone) not in scale for note in voice[:-3])
        foreign += sum(spelled(note.tone) not in (*scale, *raised) for note in voice[-3:])
        return foreign, key.sharps != signature

    return min(keys, key=misfits)


def spelled(tone: Tone) -> tuple[int, int]:
    """A tone as a scale has it: letter and pitch class."""
    return tone.step % 7, tone.midi % 12


def raised_tones(scale: Scale) -> Scale:
    """The sixth and seventh degrees as they lead up into the tonic."""
    tonic = scale[0][1]
    return (scale[5][0], (tonic - 3) % 12), (scale[6][0], (tonic - 1) % 12)
