"""Which tones of a chord matter: what may be left out when there are too few voices, what is doubled when too many."""

from dataclasses import dataclass
from functools import lru_cache

from consort_music.chords import ChordSymbol
from consort_music.chords.symbol import Degree

MAIN_TONE = 70.0
"""A tone that costs this much to leave out is one without which it is another chord."""

CHARACTERISTIC = 20.0
"""What a tone costs at least, when it is left out, that the symbol is about."""


@dataclass(frozen=True)
class Weights:
    """For each pitch class of a chord: what it costs to leave it out, and what it costs to double it."""

    missing: dict[int, float]
    doubled: dict[int, float]


@lru_cache(maxsize=1024)
def weights(chord: ChordSymbol) -> Weights:
    degrees = set(chord.degrees)
    missing: dict[int, float] = {}
    doubled: dict[int, float] = {}
    for degree, tone in zip(chord.degrees, chord.tones, strict=True):
        cost = _missing_cost(degree, degrees)
        pitch_class = tone.pitch_class
        missing[pitch_class] = max(cost, missing.get(pitch_class, 0.0))
        doubled[pitch_class] = min(_doubling_cost(degree, degrees), doubled.get(pitch_class, 99.0))
    if chord.bass is not None and chord.bass.pitch_class not in missing:
        missing[chord.bass.pitch_class] = 0.0
        doubled[chord.bass.pitch_class] = 30.0
    return Weights(missing, doubled)


def characteristic(chord: ChordSymbol) -> frozenset[int]:
    """The tones that its symbol is about: third or suspension, sixth, seventh, whatever is altered or added on top. Not
    the root, which a bass player has, nor what a chord does without: a plain fifth, a ninth below a thirteenth."""
    costs = weights(chord).missing
    return frozenset(
        tone.pitch_class
        for (number, _), tone in zip(chord.degrees, chord.tones, strict=True)
        if number != 1 and costs[tone.pitch_class] >= CHARACTERISTIC
    )


def _missing_cost(degree: Degree, degrees: set[Degree]) -> float:
    number, alteration = degree
    match number:
        case 1:
            return 30.0
        case 3:
            # An eleventh takes the place of a major third, as on every keyboard.
            return 9.0 if degree == (3, 0) and (11, 0) in degrees else 80.0
        case 2 | 4 | 6 | 7:
            return 70.0
        case 5:
            return 7.0 if alteration == 0 else 40.0
    top = max(number for number, _ in degrees)
    is_altered_dominant = len([1 for number, alteration in degrees if number > 7 and alteration]) >= 4
    if is_altered_dominant:
        return {(9, 1): 20.0, (13, -1): 21.0}.get(degree, 12.0)
    if number == top:
        return 24.0
    return 22.0 if alteration else 10.0


def _doubling_cost(degree: Degree, degrees: set[Degree]) -> float:
    number, alteration = degree
    is_diminished = (3, -1) in degrees and (5, -1) in degrees
    match number:
        case 1:
            return 3.0 if is_diminished else 0.0
        case 3:
            if is_diminished:
                return 0.0
            return 3.0 if alteration else 6.0
        case 5:
            return 2.0 if alteration == 0 else 8.0
        case 2 | 4 | 6:
            return 7.0
        case 7:
            return 25.0
    return 20.0


def essential(chord: ChordSymbol, count: int) -> tuple[int, ...]:
    """The `count` pitch classes that say the chord best, in the order of its degrees: the fifth goes first, the root is
    kept, and a bass of its own is not among them. A chord with fewer tones gives them all."""
    costs = weights(chord).missing
    classes = list(dict.fromkeys(tone.pitch_class for tone in chord.tones))
    while len(classes) > count:
        classes.remove(min(classes, key=lambda pitch_class: (costs[pitch_class], -classes.index(pitch_class))))
    return tuple(classes)
