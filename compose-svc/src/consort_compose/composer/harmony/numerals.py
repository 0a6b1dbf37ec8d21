"""Name the chords of a progression by Roman numeral (with figured bass) and harmonic function.

`reharmonize` and `analyze_harmony` use it. Inversions of triads are `I6` and `I64`, those of seventh chords `V65`,
`V43` and `V42`. Other chords have the same figure in every inversion (`V9`, `V7b5`); only the chord symbol shows the
bass. A dominant of a degree other than I is written as V of that degree: `V7/ii`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from consort_compose.composer.harmony.degree_chords import (
    DIMINISHED,
    QUALITIES,
    DegreeChord,
    HarmonicFunction,
    chord_on,
)
from consort_music.keys import Key

_SEVENTHS = ("7", "maj7", "m7", "m7b5", "dim7")
_TRIAD_FIGURES, _SEVENTH_FIGURES = ("", "6", "64"), ("7", "65", "43", "42")
_RAISED_IN_MINOR = {11, 9}
_FIFTH = 7


class RomanNumeral(NamedTuple):
    numeral: str
    function: HarmonicFunction


def name_chords(key: Key, chords: Sequence[tuple[DegreeChord, int]]) -> list[RomanNumeral]:
    """Return the numeral and function of each chord.

    `chords` are pairs of a chord and its bass note, in semitones above the tonic.
    """
    named: list[RomanNumeral] = []
    following: tuple[DegreeChord, int] | None = None  # the next chord on another root
    after: tuple[DegreeChord, int] | None = None
    for chord, bass in reversed(chords):
        if after is not None and after[0].root != chord.root:
            following = after
        named.append(_numeral(key, chord, bass, following))
        after = chord, bass
    return named[::-1]


def _numeral(key: Key, chord: DegreeChord, bass: int, following: tuple[DegreeChord, int] | None) -> RomanNumeral:
    goal = None if following is None else _dominant_of_six_four(key, *following)
    applied = applied_to(key, chord, goal)
    if applied is not None:
        return RomanNumeral(
            f"{'vii' if chord.family == DIMINISHED else 'V'}{_figure(chord, bass)}/{applied.degree}", "D"
        )
    is_dominant = goal is not None and (
        _is_tritone_substitute(chord, goal) or (_is_six_four(chord, bass) and goal.root == _FIFTH)
    )
    return RomanNumeral(chord.degree + _figure(chord, bass), "D" if is_dominant else chord.function)


def _figure(chord: DegreeChord, bass: int) -> str:
    if chord.is_augmented_sixth:
        return ""
    figure = QUALITIES[chord.suffix].figure
    inversion = chord.basses.index(bass) if bass in chord.basses else 0
    if chord.suffix in _SEVENTHS:
        return figure.removesuffix("7") + _SEVENTH_FIGURES[inversion]
    return figure if chord.is_extended else figure + _TRIAD_FIGURES[inversion]


def _is_six_four(chord: DegreeChord, bass: int) -> bool:
    return chord.root == 0 and bass == _FIFTH and not chord.is_extended


def _dominant_of_six_four(key: Key, chord: DegreeChord, bass: int) -> DegreeChord:
    """Return V if the chord is a cadential six-four, which is an embellishment of V; otherwise return the chord."""
    return chord_on(5, "", minor=key.is_minor) if _is_six_four(chord, bass) else chord


def _is_tritone_substitute(chord: DegreeChord, following: DegreeChord) -> bool:
    return (chord.root, following.root) == (1, 0) and {5, 11} <= chord.tones


def applied_to(key: Key, chord: DegreeChord, following: DegreeChord | None) -> DegreeChord | None:
    """Return the following chord if `chord` is its applied (secondary) dominant, otherwise None.

    An applied dominant has tones outside the key. Its root moves up a fourth to the following chord; the root of a
    diminished or half-diminished chord moves up a semitone. A dominant of I is not an applied dominant.
    """
    scale = {(tone - key.tonic) % 12 for tone in key.pitch_classes}
    if key.is_minor and chord.root in (7, 11):
        scale |= _RAISED_IN_MINOR
    is_blues_tonic = chord.root == 0 and key.mode == "blues"  # I7 is the tonic of a blues
    if following is None or following.root == 0 or following.is_augmented_sixth:
        return None
    if chord.tones <= scale or is_blues_tonic:
        return None
    step = (following.root - chord.root) % 12
    wanted = {"": 5, "7": 5, "7b5": 5, "9": 5, "13": 5, "7b9": 5, "dim": 1, "dim7": 1, "m7b5": 1}.get(chord.suffix)
    return following if step == wanted else None
