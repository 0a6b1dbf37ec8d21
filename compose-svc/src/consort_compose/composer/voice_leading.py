"""Score the voice leading of any number of voices from 0 to 1, and list every fault with its place.

The score is 1 minus these penalties, but at least 0:

    parallel perfect fifths, octaves or unisons                           0.15 each
    crossing of neighbouring voices                                       0.10 each
    direct (hidden) fifths or octaves of the outer voices                 0.05 each
    neighbouring voices farther apart than `spacing` allows               0.05 each
    a leap larger than a fifth, not followed by a step back               0.03 each
    two successive leaps (more than two semitones) in one direction       0.02 each

Each pair of voices is checked at every moment at which one of them begins a note while both sound. Parallel and direct
motion is only checked between consecutive moments with no rest between them. Intervals are compared in semitones,
because generated music may be spelled enharmonically.

This module is for finished music. The generators (`counterpoint`, `voicings/engine/satb.py`) have separate costs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import NamedTuple

from consort_music.bars import BarPosition
from consort_music.intervals import interval_between
from consort_music.score import Note, Part

OCTAVE = 12
_PENALTIES = {
    "parallel_fifths": Fraction(15, 100),
    "parallel_octaves": Fraction(15, 100),
    "voice_crossings": Fraction(10, 100),
    "direct_intervals": Fraction(5, 100),
    "spacing_issues": Fraction(5, 100),
    "leaps": Fraction(0),  # see _LEAP_PENALTIES
}
_LEAP_PENALTIES = {"no_recovery": Fraction(3, 100), "same_direction": Fraction(2, 100)}
_STEP, _FIFTH = 2, 7
"""Largest step, and a perfect fifth, in semitones."""


@dataclass(frozen=True, slots=True)
class VoiceFault:
    """A fault between two voices, or a leap in one voice."""

    location: int
    """Index of the moment in the pair's list of moments; for a leap, index of the note in its voice."""
    moment: Fraction
    """Time in quarter notes."""
    place: BarPosition
    voices: tuple[str, ...]
    interval: str
    """The interval between the voices; for a leap, its size."""
    kind: str = ""
    """Only for leaps: a key of `_LEAP_PENALTIES`."""


@dataclass(frozen=True, slots=True)
class VoiceLeading:
    """The score, and the faults by kind."""

    score: float
    parallel_fifths: list[VoiceFault] = field(default_factory=list)
    parallel_octaves: list[VoiceFault] = field(default_factory=list)
    voice_crossings: list[VoiceFault] = field(default_factory=list)
    direct_intervals: list[VoiceFault] = field(default_factory=list)
    spacing_issues: list[VoiceFault] = field(default_factory=list)
    leaps: list[VoiceFault] = field(default_factory=list)

    def penalty(self, given: str | None = None) -> Fraction:
        """Return the total penalty. Leaps of the voice named `given`, which was not generated, are not counted."""
        total = sum((penalty * len(getattr(self, name)) for name, penalty in _PENALTIES.items()), Fraction(0))
        return total + sum((_LEAP_PENALTIES[leap.kind] for leap in self.leaps if given not in leap.voices), Fraction(0))


def analyze_voice_leading(
    voices: Sequence[Part], place: Callable[[Fraction], BarPosition], spacing: Sequence[int | None] | None = None
) -> VoiceLeading:
    """Return the score and the faults of the voices.

    `voices` go from the highest to the lowest; each has one note at a time. `place` returns the measure and beat of a
    time (`Score.position_at`). `spacing` has the largest distance in semitones from each voice to the next lower one.
    None means no limit. Default: an octave, but no limit between the two lowest voices.
    """
    if spacing is None:
        spacing = [OCTAVE] * (len(voices) - 2) + [None]
    faults: dict[str, list[VoiceFault]] = {name: [] for name in _PENALTIES}
    ticks = lcm(*{time.denominator for voice in voices for note in voice.notes for time in (note.start, note.duration)})
    sung = [[_Sung.of(note, ticks) for note in voice.notes] for voice in voices]
    for (high, upper), (low, lower) in combinations(enumerate(voices), 2):
        moments = _moments(sung[high], sung[low])
        pair = _VoicePair(upper.name, lower.name, moments, place)
        pair.find_motion(faults, is_outer=high == 0 and low == len(voices) - 1)
        if low == high + 1:
            pair.find_crossings_and_spacing(faults, spacing[high])
    for voice, notes in zip(voices, sung, strict=True):
        faults["leaps"] += _leaps(voice.name, notes, place)
    found = VoiceLeading(0.0, **faults)
    return replace(found, score=float(max(Fraction(0), 1 - found.penalty())))


class _Sung(NamedTuple):
    """A note with its times in integer ticks, which are faster to compare than fractions."""

    start: int
    end: int
    midi: int
    note: Note

    @classmethod
    def of(cls, note: Note, ticks: int) -> "_Sung":
        start = note.start.numerator * (ticks // note.start.denominator)
        return cls(start, start + note.duration.numerator * (ticks // note.duration.denominator), note.midi, note)


class _Moment(NamedTuple):
    upper: _Sung
    lower: _Sung
    follows: bool
    """Whether both voices have sounded without a rest since the previous moment."""

    @property
    def time(self) -> Fraction:
        return max(self.upper.note.start, self.lower.note.start)


class _VoicePair:
    def __init__(
        self, upper: str, lower: str, moments: list[_Moment], place: Callable[[Fraction], BarPosition]
    ) -> None:
        self._names = (upper, lower)
        self._moments = moments
        self._place = place

    def find_motion(self, faults: dict[str, list[VoiceFault]], is_outer: bool) -> None:
        for index, (before, now) in enumerate(pairwise(self._moments), 1):
            upper_motion = now.upper.midi - before.upper.midi
            lower_motion = now.lower.midi - before.lower.midi
            kind = _perfect(now)
            if not now.follows or kind is None or upper_motion * lower_motion <= 0:
                continue
            if _perfect(before) == kind:
                faults[f"parallel_{kind}s"].append(self._fault(index, now))
            elif is_outer:
                faults["direct_intervals"].append(self._fault(index, now))

    def find_crossings_and_spacing(self, faults: dict[str, list[VoiceFault]], widest: int | None) -> None:
        for index, moment in enumerate(self._moments):
            distance = moment.upper.midi - moment.lower.midi
            if distance < 0:
                faults["voice_crossings"].append(self._fault(index, moment))
            if widest is not None and distance > widest:
                faults["spacing_issues"].append(self._fault(index, moment))

    def _fault(self, index: int, moment: _Moment) -> VoiceFault:
        name = interval_between(moment.lower.note.pitch, moment.upper.note.pitch).name
        return VoiceFault(index, moment.time, self._place(moment.time), self._names, name)


def _moments(upper: Sequence[_Sung], lower: Sequence[_Sung]) -> list[_Moment]:
    """Return the moments at which a voice begins a note while both voices sound."""
    found: list[_Moment] = []
    high = low = -1
    times = sorted({note.start for note in upper} | {note.start for note in lower})
    unbroken = False
    for time in times:
        while high + 1 < len(upper) and upper[high + 1].start <= time:
            high += 1
            unbroken = unbroken and high > 0 and upper[high - 1].end >= upper[high].start
        while low + 1 < len(lower) and lower[low + 1].start <= time:
            low += 1
            unbroken = unbroken and low > 0 and lower[low - 1].end >= lower[low].start
        if high >= 0 and low >= 0 and upper[high].end > time and lower[low].end > time:
            found.append(_Moment(upper[high], lower[low], unbroken))
            unbroken = True
        else:
            unbroken = False
    return found


def _perfect(moment: _Moment) -> str | None:
    """Return "octave" (also for a unison) or "fifth", or None for another interval."""
    return {0: "octave", 7: "fifth"}.get((moment.upper.midi - moment.lower.midi) % 12)


def _leaps(voice: str, notes: Sequence[_Sung], place: Callable[[Fraction], BarPosition]) -> list[VoiceFault]:
    found = []
    for index in range(1, len(notes) - 1):
        before, here, after = notes[index - 1 : index + 2]
        if before.end < here.start or here.end < after.start:
            continue
        leap, next_move = here.midi - before.midi, after.midi - here.midi
        kinds = []
        if abs(leap) > _FIFTH and not (leap * next_move < 0 and abs(next_move) <= _STEP):
            kinds.append("no_recovery")
        if abs(leap) > _STEP and abs(next_move) > _STEP and leap * next_move > 0:
            kinds.append("same_direction")
        if kinds:
            start = here.note.start
            name = interval_between(before.note.pitch, here.note.pitch).name
            found += [VoiceFault(index, start, place(start), (voice,), name, kind) for kind in kinds]
    return found
