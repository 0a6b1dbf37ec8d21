"""How well voices go together: a score from 0 to 1, and every fault with its place.

    parallel perfect fifths, octaves or unisons          0.15 each
    crossing of neighbouring voices                      0.10 each
    direct (hidden) fifths or octaves of outer voices    0.05 each
    more than an octave between neighbouring voices      0.05 each
    a leap of more than a fifth that no step back meets  0.03 each
    two leaps in a row in one direction                  0.02 each

Voices are compared at each moment at which one of them begins a note while both sound; moments with a rest between them
are not compared. Intervals are compared by semitones: names would part a unison from an octave, and what was spelled
by a machine from what was spelled by a musician.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import NamedTuple

from consort_music.bars import Place
from consort_music.intervals import between
from consort_music.score import Note, Part

OCTAVE = 12
_PENALTIES = {
    "parallel_fifths": Fraction(15, 100),
    "parallel_octaves": Fraction(15, 100),
    "voice_crossings": Fraction(10, 100),
    "direct_intervals": Fraction(5, 100),
    "spacing_issues": Fraction(5, 100),
    "leaps": Fraction(0),  # two kinds, counted apart
}
_LEAP_PENALTIES = {"no_recovery": Fraction(3, 100), "same_direction": Fraction(2, 100)}
_STEP, _FIFTH = 2, 7


@dataclass(frozen=True, slots=True)
class Fault:
    location: int
    """Which of the compared moments it is, from 0; for a leap, which note of the voice."""
    moment: Fraction
    place: Place
    voices: tuple[str, ...]
    interval: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class VoiceLeading:
    score: float
    parallel_fifths: list[Fault] = field(default_factory=list)
    parallel_octaves: list[Fault] = field(default_factory=list)
    voice_crossings: list[Fault] = field(default_factory=list)
    direct_intervals: list[Fault] = field(default_factory=list)
    spacing_issues: list[Fault] = field(default_factory=list)
    leaps: list[Fault] = field(default_factory=list)

    def lost(self, given: str | None = None) -> Fraction:
        """What all penalties come to, without those for leaps of a voice that was given."""
        lost = sum((penalty * len(getattr(self, name)) for name, penalty in _PENALTIES.items()), Fraction(0))
        return lost + sum((_LEAP_PENALTIES[leap.kind] for leap in self.leaps if given not in leap.voices), Fraction(0))


def analyse_voice_leading(
    voices: Sequence[Part], place: Callable[[Fraction], Place], spacing: Sequence[int | None] | None = None
) -> VoiceLeading:
    """Judge voices, given from the highest to the lowest; each sings one note at a time.

    `place` finds measure and beat of a moment (`Score.place`). `spacing` is the largest distance in semitones of each
    voice and the next one, None for any: by default an octave, except above the lowest voice.
    """
    if spacing is None:
        spacing = [OCTAVE] * (len(voices) - 2) + [None]
    faults: dict[str, list[Fault]] = {name: [] for name in _PENALTIES}
    ticks = lcm(*{time.denominator for voice in voices for note in voice.notes for time in (note.start, note.duration)})
    sung = [[_Sung.of(note, ticks) for note in voice.notes] for voice in voices]
    for (high, upper), (low, lower) in combinations(enumerate(voices), 2):
        moments = _moments(sung[high], sung[low])
        pair = _Pair(upper.name, lower.name, moments, place)
        pair.find_motion(faults, is_outer=high == 0 and low == len(voices) - 1)
        if low == high + 1:
            pair.find_distance(faults, spacing[high])
    for voice, notes in zip(voices, sung, strict=True):
        faults["leaps"] += _leaps(voice.name, notes, place)
    found = VoiceLeading(0.0, **faults)
    return replace(found, score=float(max(Fraction(0), 1 - found.lost())))


class _Sung(NamedTuple):
    """A note with its times in whole numbers, which are compared many times."""

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
    """Whether both voices have sounded on from the moment before."""

    @property
    def time(self) -> Fraction:
        return max(self.upper.note.start, self.lower.note.start)


class _Pair:
    def __init__(self, upper: str, lower: str, moments: list[_Moment], place: Callable[[Fraction], Place]) -> None:
        self._names = (upper, lower)
        self._moments = moments
        self._place = place

    def find_motion(self, faults: dict[str, list[Fault]], is_outer: bool) -> None:
        for index, (before, now) in enumerate(pairwise(self._moments), 1):
            up = now.upper.midi - before.upper.midi
            down = now.lower.midi - before.lower.midi
            kind = _perfect(now)
            if not now.follows or kind is None or up * down <= 0:
                continue
            if _perfect(before) == kind:
                faults[f"parallel_{kind}s"].append(self._fault(index, now))
            elif is_outer:
                faults["direct_intervals"].append(self._fault(index, now))

    def find_distance(self, faults: dict[str, list[Fault]], widest: int | None) -> None:
        for index, moment in enumerate(self._moments):
            distance = moment.upper.midi - moment.lower.midi
            if distance < 0:
                faults["voice_crossings"].append(self._fault(index, moment))
            if widest is not None and distance > widest:
                faults["spacing_issues"].append(self._fault(index, moment))

    def _fault(self, index: int, moment: _Moment) -> Fault:
        name = between(moment.lower.note.pitch, moment.upper.note.pitch).name
        return Fault(index, moment.time, self._place(moment.time), self._names, name)


def _moments(upper: Sequence[_Sung], lower: Sequence[_Sung]) -> list[_Moment]:
    """The moments at which a voice begins a note and both sound, in one pass over both."""
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
    return {0: "octave", 7: "fifth"}.get((moment.upper.midi - moment.lower.midi) % 12)


def _leaps(voice: str, notes: Sequence[_Sung], place: Callable[[Fraction], Place]) -> list[Fault]:
    found = []
    for index in range(1, len(notes) - 1):
        before, here, after = notes[index - 1 : index + 2]
        if before.end < here.start or here.end < after.start:
            continue
        leap, answer = here.midi - before.midi, after.midi - here.midi
        kinds = []
        if abs(leap) > _FIFTH and not (leap * answer < 0 and abs(answer) <= _STEP):
            kinds.append("no_recovery")
        if abs(leap) > _STEP and abs(answer) > _STEP and leap * answer > 0:
            kinds.append("same_direction")
        if kinds:
            start = here.note.start
            name = between(before.note.pitch, here.note.pitch).name
            found += [Fault(index, start, place(start), (voice,), name, kind) for kind in kinds]
    return found
