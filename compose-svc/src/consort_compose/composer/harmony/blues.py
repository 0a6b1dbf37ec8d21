"""Whether music is a blues: its tonic and its fourth degree are dominant sevenths that resolve nowhere, or, of a melody
alone, it lies in the blues scale.

Major and minor music must never be taken for one, so each sign has to be plain. A dominant seventh on the tonic alone
leads to the subdominant, and one on the fourth degree alone is a colour; only music that stays on both is a blues. Of a
melody the lowered fifth has to be there: without it the scale is a pentatonic one, which half of the world sings in.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from consort_compose.composer.harmony.analysis import has_chords
from consort_compose.composer.harmony.line import melody_of
from consort_compose.composer.harmony.segments import segments, spelling_of
from consort_compose.composer.harmony.written import written_chords
from consort_music.key_finding import pitch_class_weights
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Score

_DOMINANT = {4, 10}
_SUBDOMINANT, _RAISED_FOURTH = 5, 6
_MOSTLY = Fraction(3, 5)
"""How much of the time on a degree is on its dominant seventh."""
_AT_HOME, _AWAY = Fraction(1, 4), Fraction(1, 12)
"""How much of all time is on the dominant sevenths of the first and of the fourth degree."""
_BLUE = {3: 0.05, 6: 0.02, 10: 0.05}
"""The blue tones, and how much of a melody each has at least."""
_FOREIGN = (1, 8, 11)
_SCALE = (0, 3, 4, 5, 6, 7, 10)
"""The blues scale, and the major third that the minor one bends to."""
_IN_SCALE = 0.92
_FEWEST_NOTES = 12


class _Heard(NamedTuple):
    root: int
    is_dominant: bool
    length: Fraction


def blues_key(score: Score) -> Key | None:
    """The key of a blues; None for any other music, and for music that says a mode of its own."""
    if score.key is not None and score.key.mode not in ("major", "minor"):
        return None
    chords = _chords(score)
    tonic = _tonic_of_chords(chords) if chords else _tonic_of_melody(score)
    return None if tonic is None else _named(score, tonic)


def _chords(score: Score) -> list[_Heard]:
    is_accompanied = has_chords(score)
    written = written_chords(score, is_accompanied)
    if written:
        return [
            _Heard(
                root, {(root + tone) % 12 for tone in _DOMINANT} <= set(one.symbol.pitch_classes), one.end - one.start
            )
            for one in written
            if (root := one.symbol.root_pitch_class) is not None
        ]
    if not is_accompanied or not _may_be_blues(score):
        return []
    return [_Heard(one.root, one.suffix == "7", one.end - one.start) for one in segments(score, "per_measure")]


def _tonic_of_chords(chords: Sequence[_Heard]) -> int | None:
    total = sum((chord.length for chord in chords), Fraction(0))
    for tonic in dict.fromkeys((chords[0].root, chords[-1].root)):
        home, away = _on(chords, tonic), _on(chords, (tonic + _SUBDOMINANT) % 12)
        is_plain = all(dominant and dominant >= _MOSTLY * whole for dominant, whole in (home, away))
        if is_plain and home[0] >= _AT_HOME * total and away[0] >= _AWAY * total and _comes_back(chords, tonic):
            return tonic
    return None


def _on(chords: Sequence[_Heard], root: int) -> tuple[Fraction, Fraction]:
    """How long a degree is a dominant seventh, and how long it lasts in all."""
    lengths = [(chord.length * chord.is_dominant, chord.length) for chord in chords if chord.root == root]
    return sum((one for one, _ in lengths), Fraction(0)), sum((one for _, one in lengths), Fraction(0))


def _comes_back(chords: Sequence[_Heard], tonic: int) -> bool:
    """Whether the fourth degree goes home, at once or over the raised fourth, more often than on to its own fourth."""
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
        return None  # a signature that neither a blues nor its relative major has
    share = [weights[(tonic + degree) % 12] / total for degree in range(12)]
    has_blue_tones = all(share[degree] >= least for degree, least in _BLUE.items())
    is_inside = sum(share[degree] for degree in _SCALE) >= _IN_SCALE and not any(share[degree] for degree in _FOREIGN)
    return tonic if has_blue_tones and is_inside else None


def _may_be_blues(score: Score) -> bool:
    """Whether some tonic has both sevenths: cheap, and true of little else."""
    weights = pitch_class_weights([(note.midi, float(note.duration)) for part in score.parts for note in part.notes])
    needed = (0, 4, 10, 5, 9, 3)
    return any(all(weights[(tonic + degree) % 12] for degree in needed) for tonic in range(12))


def _named(score: Score, tonic: int) -> Key:
    """The key by the name that the music has for its tonic; else, as blues are usually written, in flats."""
    notes = [note for part in score.parts for note in part.notes]
    spelling = spelling_of(notes, tonic) if score.is_spelled else None
    pitch = Pitch.from_midi(60 + tonic, prefer_flats=True)
    step, alter = spelling or (pitch.step, pitch.alter)
    return Key(step, alter, "blues")
