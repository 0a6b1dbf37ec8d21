"""What each style prefers: successions of chords, basses, beginnings and ends.

Successions are pairs of roots, in semitones above the tonic: the common progressions that the styles are known by, with
their counterparts in minor.
"""

from typing import Literal

from consort_compose.composer.harmony.chords import DIMINISHED, Chord
from consort_compose.composer.harmony.vocabulary import Style

BassMotion = Literal["stepwise", "fifths", "pedal", "any"]
Successions = dict[int, frozenset[int]]

_STEPS = (1, 2, 10, 11)
_FIFTHS = (5, 7)
_DOMINANT = 7
_RESTING = ((7, 8), (7, 9), (10, 3))
"""Besides cadences at home and on the dominant: the deceptive one, and that of the relative major."""


def _successions(text: str) -> Successions:
    """`0>5 7, 2>7` as a table."""
    table = {}
    for entry in text.split(","):
        root, following = entry.split(">")
        table[int(root)] = frozenset(map(int, following.split()))
    return table


_COMMON: dict[tuple[Style, bool], Successions] = {
    ("classical", False): _successions("0>2 4 5 7 9 11, 2>7 11 5, 4>9 5 2, 5>7 0 2 11, 7>0 9, 9>2 5 7 4, 11>0 4 7"),
    ("classical", True): _successions(
        "0>2 3 5 7 8 10 11, 2>7 11, 3>8 5 10 7, 5>7 0 2 11 10, 7>0 8, 8>2 5 7 3, 10>3 0, 11>0 7"
    ),
    ("pop", False): _successions("0>2 5 7 9, 2>5 7 0 9, 5>0 2 7 9, 7>0 5 9 2, 9>0 2 5 7"),
    ("pop", True): _successions("0>3 5 7 8 10, 3>0 5 7 8 10, 5>0 3 7 8 10, 7>0 5 8, 8>0 3 5 7 10, 10>0 3 5 8"),
    ("jazz", False): _successions(
        "0>2 4 5 7 9 11, 2>7 1 11 4, 4>9 2 3 5, 5>7 2 4 10 11 0, 7>0 4 9, 9>2 5 7, 11>4 0, 1>0, 10>0 9 3"
    ),
    ("jazz", True): _successions("0>2 3 5 7 8 10, 2>7 1, 3>8 5 2, 5>7 10 2 0, 7>0 8 3, 8>2 7 1 5, 10>3 0, 1>0, 11>0"),
}  # fmt: skip


def is_common(style: Style, minor: bool, first: Chord, second: Chord) -> bool:
    """Whether the style goes from one chord to the other as a matter of course. Staying is always common; a chord that
    must resolve does so by its own rule. Chords of the modes come and go by step, by fifth, or from and to home."""
    if first.root == second.root and not _falls_back(first, second):
        return True
    if first.resolves_to:
        return second.root in first.resolves_to
    if style != "modal" and second.substitute is not None:
        return _approaches(style, first, second)
    common = {} if style == "modal" else _COMMON[style, minor]
    if first.root in common and second.root in common:
        return second.root in common[first.root]
    return 0 in (first.root, second.root) or (second.root - first.root) % 12 in (*_STEPS, *_FIFTHS)


def _falls_back(first: Chord, second: Chord) -> bool:
    """Whether a dominant on the tonic turns back into the minor tonic: D7 in D minor leads to Gm, or it leads nowhere.
    On other degrees jazz likes it: D7, Dm7, G7."""
    return first.root == 0 and bool(first.resolves_to) and first.family != second.family


def _approaches(style: Style, first: Chord, second: Chord) -> bool:
    """Whether a substitute is entered well: jazz may enter any from the tonic, by fifth or by semitone."""
    interval = (second.root - first.root) % 12
    return style == "jazz" and (first.root == 0 or interval in (1, 5, 7, 11))


def basses_of(style: Style, motion: BassMotion, chord: Chord) -> list[tuple[int, float]]:
    """What the bass may play under a chord, and how much each is liked."""
    if motion == "pedal":
        return [(0, 0.0)]
    if motion == "stepwise":
        likes = (0.0, -0.3, -1.5, -0.8)
        return [(bass, likes[index]) for index, bass in enumerate(chord.basses)]
    if motion == "fifths" or style != "classical":
        return [(chord.root, 0.0)]
    if chord.family == DIMINISHED:
        return [(chord.root, -1.0), (chord.basses[1], 0.0)]
    return [(chord.root, 0.0), (chord.basses[1], -0.45)]


def bass_move(motion: BassMotion, first: int, second: int, fault: float) -> float:
    """How much a step of the bass is liked; `fault` is what one costs that is not of the motion asked for."""
    interval = (second - first) % 12
    if motion == "pedal":
        return 0.0
    if motion == "any":
        return {0: -0.2, 6: -0.5}.get(interval, 0.0 if interval in (*_STEPS, *_FIFTHS) else -0.1)
    if keeps_motion(motion, first, second):
        return 0.0 if interval else -0.6
    return -fault


def keeps_motion(motion: BassMotion, first: int, second: int) -> bool:
    """Whether a step of the bass is what was asked for; a bass that stays is no leap."""
    interval = (second - first) % 12
    if motion == "stepwise":
        return interval in (0, *_STEPS)
    if motion == "fifths":
        return interval in (0, *_FIFTHS)
    return True if motion == "any" else interval == 0


def ends_well(style: Style, before: Chord | None, last: Chord) -> bool:
    """Whether the end is a cadence of the style: perfect, plagal, half or deceptive; modal ones end at home."""
    if style == "modal" or before is None:
        return last.root == 0
    if last.root == 0:
        return closes(before)
    return last.root == 7 or (before.root == 7 and last.root in (8, 9))


def closes(before: Chord) -> bool:
    """Whether a chord before the tonic makes an end of it: a dominant, the fourth degree, or the seventh of the modes.
    The second, third and sixth only fall silent."""
    return before.function == "D" or before.root in (0, 5, 10)


def comes_to_rest(before: Chord, last: Chord, bass: int) -> bool:
    """Whether a phrase may end on a chord: at home after a chord that closes, on the dominant, after that on the sixth
    degree, or on whatever a chord before it leads to; with the root below."""
    if bass != last.root:
        return False
    if last.root == 0:
        return closes(before)
    if last.root == _DOMINANT or last.root in before.resolves_to:
        return True
    return (before.root, last.root) in _RESTING
