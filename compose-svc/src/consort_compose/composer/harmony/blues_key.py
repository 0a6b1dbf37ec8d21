"""Detect whether music is a blues, and find its key.

- Music with chords is a blues if the chords on its first and fourth degree are mostly dominant sevenths, last long
  enough, and the fourth degree returns to the first. One of the two is not enough: a dominant seventh on the first
  degree may lead to the subdominant, and one on the fourth degree may be used only for its sound.
- A melody without chords is a blues if nearly all of it is in the blues scale and it has the blue tones. The lowered
  fifth is required: without it the scale is the minor pentatonic, which is much more common.

The constants were chosen so that no tune in music21's corpus is detected as a blues.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from consort_compose.composer.harmony.chord_recognition import recognize_chords
from consort_compose.composer.harmony.melody_grid import melody_of
from consort_compose.composer.harmony.score_chord_symbols import supported_symbols
from consort_compose.composer.harmony.sounding_notes import has_chords, usual_spelling
from consort_music.key_finding.pitch_classes import pitch_class_weights
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Score

_DOMINANT = {4, 10}
"""The third and seventh of a dominant seventh chord, in semitones above its root."""
_SUBDOMINANT, _RAISED_FOURTH = 5, 6
_MOSTLY = Fraction(3, 5)
"""Of all chords on a degree, at least this share (by duration) must be dominant sevenths."""
_LEAST_ON_FIRST, _LEAST_ON_FOURTH = Fraction(1, 4), Fraction(1, 12)
"""Minimum share of the total duration for the dominant sevenths on the first and on the fourth degree."""
_BLUE = {3: 0.05, 6: 0.02, 10: 0.05}
"""The blue tones, each with its minimum share of a melody's duration."""
_UNUSED_DEGREES = (1, 8, 11)
"""Degrees that a blues melody never uses, in semitones above the tonic."""
_SCALE = (0, 3, 4, 5, 6, 7, 10)
"""The blues scale plus the major third, because blues players bend the minor third up to it."""
_LEAST_IN_SCALE = 0.92
"""Minimum share of a melody's duration on tones of `_SCALE`."""
_FEWEST_NOTES = 12
"""A shorter melody is never detected as a blues."""


class _TimedRoot(NamedTuple):
    """The root of a chord, whether the chord is a dominant seventh, and its length."""

    root: int
    is_dominant: bool
    length: Fraction
    """In quarter notes."""


def blues_key(score: Score) -> Key | None:
    """Return the key of a blues, or None if the music is no blues or states a mode other than major or minor."""
    if score.key is not None and score.key.mode not in ("major", "minor"):
        return None
    chords = _chords(score)
    tonic = _tonic_of_chords(chords) if chords else _tonic_of_melody(score)
    return None if tonic is None else _key_on(score, tonic)


def _chords(score: Score) -> list[_TimedRoot]:
    is_accompanied = has_chords(score)
    written = supported_symbols(score, is_accompanied)
    if written:
        return [
            _TimedRoot(
                root, {(root + tone) % 12 for tone in _DOMINANT} <= set(one.symbol.pitch_classes), one.end - one.start
            )
            for one in written
            if (root := one.symbol.root_pitch_class) is not None
        ]
    if not is_accompanied or not _may_be_blues(score):
        return []
    return [
        _TimedRoot(one.root, one.suffix == "7", one.end - one.start) for one in recognize_chords(score, "per_measure")
    ]


def _tonic_of_chords(chords: Sequence[_TimedRoot]) -> int | None:
    total = sum((chord.length for chord in chords), Fraction(0))
    for tonic in dict.fromkeys((chords[0].root, chords[-1].root)):
        first, fourth = _durations_on(chords, tonic), _durations_on(chords, (tonic + _SUBDOMINANT) % 12)
        are_dominant = all(dominant and dominant >= _MOSTLY * whole for dominant, whole in (first, fourth))
        if (
            are_dominant
            and first[0] >= _LEAST_ON_FIRST * total
            and fourth[0] >= _LEAST_ON_FOURTH * total
            and _returns_to_tonic(chords, tonic)
        ):
            return tonic
    return None


def _durations_on(chords: Sequence[_TimedRoot], root: int) -> tuple[Fraction, Fraction]:
    """Return the total duration of dominant sevenths on this root, and of all chords on it."""
    lengths = [(chord.length * chord.is_dominant, chord.length) for chord in chords if chord.root == root]
    return sum((one for one, _ in lengths), Fraction(0)), sum((one for _, one in lengths), Fraction(0))


def _returns_to_tonic(chords: Sequence[_TimedRoot], tonic: int) -> bool:
    """Return whether the IV chord moves to I more often than to bVII.

    A chord on the raised fourth degree between them is ignored.
    """
    roots = [(chord.root - tonic) % 12 for chord in chords]
    moves = [move for move in pairwise(root for root in roots if root != _RAISED_FOURTH) if move[0] != move[1]]
    return moves.count((_SUBDOMINANT, 0)) > moves.count((_SUBDOMINANT, 10))


def _tonic_of_melody(score: Score) -> int | None:
    melody = melody_of(score)
    if has_chords(score) or len(melody) < _FEWEST_NOTES:
        return None
    weights = pitch_class_weights([(note.midi, float(note.duration)) for note in melody])
    total = sum(weights)
    tonic = melody[-1].midi % 12
    if score.key is not None and tonic not in (score.key.tonic, (score.key.tonic + 9) % 12):
        return None  # the stated tonic is neither that of the blues nor that of its relative major
    share = [weights[(tonic + degree) % 12] / total for degree in range(12)]
    has_blue_tones = all(share[degree] >= least for degree, least in _BLUE.items())
    is_inside = sum(share[degree] for degree in _SCALE) >= _LEAST_IN_SCALE and not any(
        share[degree] for degree in _UNUSED_DEGREES
    )
    return tonic if has_blue_tones and is_inside else None


def _may_be_blues(score: Score) -> bool:
    """Return whether some tonic exists for which all tones of I7 and IV7 occur, except their fifths.

    This cheap test avoids the recognition of chords in most music.
    """
    weights = pitch_class_weights([(note.midi, float(note.duration)) for part in score.parts for note in part.notes])
    needed = (0, 4, 10, 5, 9, 3)
    return any(all(weights[(tonic + degree) % 12] for degree in needed) for tonic in range(12))


def _key_on(score: Score, tonic: int) -> Key:
    """Return the blues key on a tonic, spelled as in the music, or with flats if the source has no spelling (MIDI)."""
    notes = [note for part in score.parts for note in part.notes]
    spelling = usual_spelling(notes, tonic) if score.is_spelled else None
    pitch = Pitch.from_midi(60 + tonic, prefer_flats=True)
    step, alter = spelling or (pitch.step, pitch.alter)
    return Key(step, alter, "blues")
