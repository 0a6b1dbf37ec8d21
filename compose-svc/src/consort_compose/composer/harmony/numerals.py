"""Roman numerals with figured bass, and functions, of chords one after another: the same for every tool.

Triads are inverted as `I6` and `I64`, seventh chords as `V65`, `V43` and `V42`. Other chords keep their figure, `V9` or
`V7b5`, whatever is below; the symbol beside it says the bass. A dominant of another degree is named by it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from consort_compose.composer.harmony.chords import DIMINISHED, QUALITIES, Chord, Function, chord_on
from consort_music.keys import Key

_SEVENTHS = ("7", "maj7", "m7", "m7b5", "dim7")
_TRIAD_FIGURES, _SEVENTH_FIGURES = ("", "6", "64"), ("7", "65", "43", "42")
_RAISED_IN_MINOR = {11, 9}
_FIFTH = 7


class Named(NamedTuple):
    numeral: str
    function: Function


def name_chords(key: Key, chords: Sequence[tuple[Chord, int]]) -> list[Named]:
    """The names of chords, each with its bass in semitones above the tonic."""
    named: list[Named] = []
    following: tuple[Chord, int] | None = None  # the next one on another root
    after: tuple[Chord, int] | None = None
    for chord, bass in reversed(chords):
        if after is not None and after[0].root != chord.root:
            following = after
        named.append(_name(key, chord, bass, following))
        after = chord, bass
    return named[::-1]


def _name(key: Key, chord: Chord, bass: int, following: tuple[Chord, int] | None) -> Named:
    goal = None if following is None else _dominant_of_six_four(key, *following)
    applied = applied_to(key, chord, goal)
    if applied is not None:
        return Named(f"{'vii' if chord.family == DIMINISHED else 'V'}{_figure(chord, bass)}/{applied.degree}", "D")
    is_dominant = goal is not None and (
        _is_tritone_substitute(chord, goal) or (_is_six_four(chord, bass) and goal.root == _FIFTH)
    )
    return Named(chord.degree + _figure(chord, bass), "D" if is_dominant else chord.function)


def _figure(chord: Chord, bass: int) -> str:
    if chord.is_augmented_sixth:
        return ""
    figure = QUALITIES[chord.suffix].figure
    inversion = chord.basses.index(bass) if bass in chord.basses else 0
    if chord.suffix in _SEVENTHS:
        return figure.removesuffix("7") + _SEVENTH_FIGURES[inversion]
    return figure if chord.is_extended else figure + _TRIAD_FIGURES[inversion]


def _is_six_four(chord: Chord, bass: int) -> bool:
    return chord.root == 0 and bass == _FIFTH and not chord.is_extended


def _dominant_of_six_four(key: Key, chord: Chord, bass: int) -> Chord:
    """The chord; of a tonic over the fifth the dominant, which that six-four chord delays."""
    return chord_on(5, "", minor=key.is_minor) if _is_six_four(chord, bass) else chord


def _is_tritone_substitute(chord: Chord, following: Chord) -> bool:
    return (chord.root, following.root) == (1, 0) and {5, 11} <= chord.tones


def applied_to(key: Key, chord: Chord, following: Chord | None) -> Chord | None:
    """The chord that this one is the dominant of, where it is foreign to the key and moves there."""
    scale = {(tone - key.tonic) % 12 for tone in key.pitch_classes}
    if key.is_minor and chord.root in (7, 11):
        scale |= _RAISED_IN_MINOR
    is_home = chord.root == 0 and key.mode == "blues"  # whose tonic has a minor seventh
    if following is None or following.root == 0 or following.is_augmented_sixth or chord.tones <= scale or is_home:
        return None
    step = (following.root - chord.root) % 12
    wanted = {"": 5, "7": 5, "7b5": 5, "9": 5, "13": 5, "7b9": 5, "dim": 1, "dim7": 1, "m7b5": 1}.get(chord.suffix)
    return following if step == wanted else None
