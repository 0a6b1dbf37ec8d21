"""The ideas by which options differ: circle of fifths, opening on the relative minor, pedal, and others.

An idea is a bonus for some chords or moves, or another motion of the bass. An option with the idea is kept only if it
really shows it, more than the first option does.
"""

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from consort_compose.composer.harmony.degree_chords import MINOR, DegreeChord
from consort_compose.composer.harmony.harmonize.search.harmony_task import ChordWithBass
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.styles.style_rules import BassMotion, keeps_motion
from consort_music.keys import Key

LIKELIEST = "the likeliest chords"
_TONIC, _SUPERTONIC, _SUBDOMINANT, _DOMINANT = 0, 2, 5, 7
_FALLING_FIFTH = 5
_CADENCE = 3
"""The last slots, in which a plagal option may have a dominant."""
Chords = Sequence[ChordWithBass]


@dataclass(frozen=True)
class Idea:
    text: Callable[[Key], str]
    shows: Callable[[Chords, Chords, Key], bool]
    """Whether the chords of an option show the idea; the second argument has the chords of the first option."""
    state: Callable[[DegreeChord, int, int, Key], float] | None = None
    """The bonus of a chord, by the number of its slot and the number of slots after it."""
    move: Callable[[DegreeChord, DegreeChord], float] | None = None
    motion: BassMotion = "any"


def _changes(chords: Chords) -> list[tuple[int, int]]:
    return [
        (before.chord.root, after.chord.root)
        for before, after in pairwise(chords)
        if before.chord.root != after.chord.root
    ]


def _falls(chords: Chords) -> int:
    return sum((after - before) % 12 == _FALLING_FIFTH for before, after in _changes(chords))


def _longest_chain(chords: Chords) -> int:
    """Return the largest number of falling fifths in a row."""
    longest = length = 0
    for before, after in _changes(chords):
        length = length + 1 if (after - before) % 12 == _FALLING_FIFTH else 0
        longest = max(longest, length)
    return longest


def _count(chords: Chords, *roots: int) -> int:
    return sum(choice.chord.root in roots for choice in chords)


def _relative(key: Key) -> int:
    return 3 if key.is_minor else 9


def _deceptions(chords: Chords) -> int:
    return sum(move in ((_DOMINANT, 9), (_DOMINANT, 8)) for move in _changes(chords))


def _substitutes(chords: Chords, kind: str) -> int:
    return sum(choice.chord.substitute == kind for choice in chords)


def _steps(chords: Chords) -> float:
    moves = [(one.bass, other.bass) for one, other in pairwise(chords) if one.bass != other.bass]
    return sum(keeps_motion("stepwise", *move) for move in moves) / len(moves) if moves else 0.0


CIRCLE_OF_FIFTHS = Idea(
    text=lambda key: "circle of fifths",
    shows=lambda chords, first, key: _longest_chain(chords) >= 3 and _falls(chords) > _falls(first),
    move=lambda before, after: 1.5 * ((after.root - before.root) % 12 == _FALLING_FIFTH),
)
RELATIVE_OPENING = Idea(
    text=lambda key: "relative major opening" if key.is_minor else "relative minor opening",
    shows=lambda chords, first, key: _relative(key) in [choice.chord.root for choice in chords[:2]],
    state=lambda chord, index, after, key: (
        0.0 if index > 3 else (3.0 if index < 2 else 0.7) * ((chord.root == _relative(key)) - (chord.root == 0))
    ),
)
STEPWISE_BASS = Idea(
    text=lambda key: "stepwise bass",
    shows=lambda chords, first, key: _steps(chords) >= 0.6 and _steps(chords) > _steps(first),
    motion="stepwise",
)
PEDAL = Idea(
    text=lambda key: f"pedal on {key.name.split()[0]}",
    shows=lambda chords, first, key: len({choice.chord.root for choice in chords}) > 1,
    motion="pedal",
)
PLAGAL = Idea(
    text=lambda key: "plagal, with more IV than V",
    shows=lambda chords, first, key: (
        _count(chords, _SUBDOMINANT) > max(_count(chords, _DOMINANT), _count(first, _SUBDOMINANT))
    ),
    state=lambda chord, index, after, key: (
        0.0
        if after < _CADENCE
        else 1.0 * (chord.root == _SUBDOMINANT) + 0.3 * (chord.root == _SUPERTONIC) - 1.0 * (chord.root == _DOMINANT)
    ),
)
DECEPTIVE = Idea(
    text=lambda key: "deceptive cadences",
    shows=lambda chords, first, key: _deceptions(chords) > _deceptions(first),
    move=lambda before, after: 2.5 * (before.root == _DOMINANT and after.root in (8, 9)),
)
MINOR_CHORDS = Idea(
    text=lambda key: "darker, with minor chords",
    shows=lambda chords, first, key: (
        sum(choice.chord.family == MINOR for choice in chords)
        >= 2 + sum(choice.chord.family == MINOR for choice in first)
    ),
    state=lambda chord, index, after, key: 1.0 * (chord.family == MINOR),
)
THREE_CHORDS = Idea(
    text=lambda key: "three chords",
    shows=lambda chords, first, key: (
        len({choice.chord.root for choice in chords}) <= 3 < len({choice.chord.root for choice in first})
    ),
    state=lambda chord, index, after, key: 1.5 * (chord.root in (_TONIC, _SUBDOMINANT, _DOMINANT)),
)
LONG_CHORDS = Idea(
    text=lambda key: "long chords",
    shows=lambda chords, first, key: len(_changes(chords)) <= 0.75 * len(_changes(first)),
    move=lambda before, after: 1.5 * (before.root == after.root),
)
TRITONE_SUBSTITUTES = Idea(
    text=lambda key: "tritone substitutes",
    shows=lambda chords, first, key: _substitutes(chords, "tritone") > _substitutes(first, "tritone"),
    state=lambda chord, index, after, key: 2.0 * (chord.substitute == "tritone"),
)
SECONDARY_DOMINANTS = Idea(
    text=lambda key: "secondary dominants",
    shows=lambda chords, first, key: _substitutes(chords, "secondary") >= 2 + _substitutes(first, "secondary"),
    state=lambda chord, index, after, key: 2.0 * (chord.substitute == "secondary"),
)

IDEAS: dict[HarmonyStyle, tuple[Idea, ...]] = {
    "classical": (
        CIRCLE_OF_FIFTHS,
        RELATIVE_OPENING,
        STEPWISE_BASS,
        MINOR_CHORDS,
        DECEPTIVE,
        PLAGAL,
        LONG_CHORDS,
        PEDAL,
    ),
    "pop": (
        RELATIVE_OPENING,
        PLAGAL,
        MINOR_CHORDS,
        CIRCLE_OF_FIFTHS,
        THREE_CHORDS,
        DECEPTIVE,
        LONG_CHORDS,
        STEPWISE_BASS,
        PEDAL,
    ),
    "jazz": (
        SECONDARY_DOMINANTS,
        TRITONE_SUBSTITUTES,
        CIRCLE_OF_FIFTHS,
        RELATIVE_OPENING,
        MINOR_CHORDS,
        LONG_CHORDS,
        DECEPTIVE,
    ),
    "modal": (PEDAL, RELATIVE_OPENING, PLAGAL, MINOR_CHORDS, LONG_CHORDS, CIRCLE_OF_FIFTHS),
}
"""In the order in which they are tried."""


def difference(chords: Chords, first: Chords, key: Key, used: Container[str]) -> str:
    """Say in a few words how an option without a special idea differs from the first one.

    The text is none of `used`, unless the option differs in too few chords.
    """
    more = Counter(choice.chord for choice in chords)
    more.subtract(choice.chord for choice in first)
    for chord, count in sorted(more.items(), key=lambda item: -abs(item[1])):
        text = f"{'more' if count > 0 else 'fewer'} {ChordWithBass(chord, chord.root).symbol(key).name}"
        if count and text not in used:
            return text
    for index, (one, other) in enumerate(zip(chords, first, strict=True)):
        text = f"{one.symbol(key).name} as chord {index + 1}"
        if one != other and text not in used:
            return text
    return "another order of the chords"
