"""How important each tone of a chord is: the cost of leaving it out, and the cost of doubling it.

If there are fewer voices than tones, the tones with the lowest costs are left out. If there are more, the tones with
the lowest costs are doubled.
"""

from dataclasses import dataclass
from functools import lru_cache

from consort_music.chords.symbol import ChordSymbol, Degree

MAIN_TONE = 70.0
"""A tone that costs at least this much to leave out is a main tone: without it, the notes are another chord."""

CHARACTERISTIC = 20.0
"""A tone that costs at least this much to leave out is characteristic (see `characteristic_tones`)."""


ALTERED_NINTH = 35.0
"""The cost of a missing b9 or #9. It is more than that of the root, so that altered dominants keep it."""


@dataclass(frozen=True)
class ToneWeights:
    """For each pitch class of a chord, the cost of leaving it out and the cost of doubling it."""

    missing: dict[int, float]
    doubled: dict[int, float]


@lru_cache(maxsize=1024)
def tone_weights(chord: ChordSymbol) -> ToneWeights:
    """Return the weights of a chord. A bass that is not a chord tone is free to leave out and expensive to double."""
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
    return ToneWeights(missing, doubled)


def characteristic_tones(chord: ChordSymbol) -> frozenset[int]:
    """Return the pitch classes that are typical of the chord.

    These are the third or suspension, the sixth, the seventh, and the altered and top tones. The root is not
    included, because a bass player has it. Tones that are often left out are not included either: a perfect fifth, or
    the ninth of a thirteenth chord.
    """
    costs = tone_weights(chord).missing
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
            # In an eleventh chord players leave out the major third.
            return 9.0 if degree == (3, 0) and (11, 0) in degrees else 80.0
        case 2 | 4 | 6 | 7:
            return 70.0
        case 5:
            return 7.0 if alteration == 0 else 40.0
    top = max(number for number, _ in degrees)
    is_altered_dominant = len([1 for number, alteration in degrees if number > 7 and alteration]) >= 4
    if is_altered_dominant:
        return {(9, 1): ALTERED_NINTH, (13, -1): 21.0}.get(degree, 12.0)
    if number == 9 and alteration:
        return ALTERED_NINTH
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


def essential_tones(chord: ChordSymbol, count: int) -> tuple[int, ...]:
    """Return the `count` most important pitch classes of a chord, in the order of its degrees.

    The tones with the lowest costs are left out, for example a perfect fifth. A bass after a slash that is not a chord
    tone is not included. If the chord has at most `count` tones, all are returned.
    """
    costs = tone_weights(chord).missing
    classes = list(dict.fromkeys(tone.pitch_class for tone in chord.tones))
    while len(classes) > count:
        classes.remove(min(classes, key=lambda pitch_class: (costs[pitch_class], -classes.index(pitch_class))))
    return tuple(classes)
