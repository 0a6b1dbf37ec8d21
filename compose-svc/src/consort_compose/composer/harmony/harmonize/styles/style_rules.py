"""The common progressions, basses and cadences of each style."""

from typing import Literal

from consort_compose.composer.harmony.degree_chords import DIMINISHED, MAJOR, DegreeChord
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle

BassMotion = Literal["stepwise", "fifths", "pedal", "any"]
Successions = dict[int, frozenset[int]]
"""For each root, the roots that commonly follow. Roots are in semitones above the tonic."""

_STEPS = (1, 2, 10, 11)
_FIFTHS = (5, 7)
_DOMINANT, _LEADING_TONE = 7, 11
_SUBTONIC = 10
_MODAL_CLOSES = (1, 2, 5, 7, 9, 10)


def _successions(text: str) -> Successions:
    """Parse a table such as `0>5 7, 2>7`: roots 5 and 7 follow root 0, and root 7 follows root 2."""
    table = {}
    for entry in text.split(","):
        root, following = entry.split(">")
        table[int(root)] = frozenset(map(int, following.split()))
    return table


_COMMON: dict[tuple[HarmonyStyle, bool], Successions] = {
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


def is_common(style: HarmonyStyle, minor: bool, first: DegreeChord, second: DegreeChord) -> bool:
    """Return whether the move from the first chord to the second is common in the style.

    Moves to the same root are common, except those of `_falls_back`. A chord with `resolves_to` must move to one of
    these roots. Substitutes have their own rule in `_approaches`. In the modal style, and for roots that are not in the
    table, moves by step, by fifth, and from and to the tonic are common.
    """
    if first.root == second.root and not _falls_back(minor, first, second):
        return True
    if first.resolves_to:
        return second.root in first.resolves_to
    if style != "modal" and second.substitute is not None:
        return _approaches(style, first, second)
    common = {} if style == "modal" else _COMMON[style, minor]
    if first.root in common and second.root in common:
        return second.root in common[first.root]
    return 0 in (first.root, second.root) or (second.root - first.root) % 12 in (*_STEPS, *_FIFTHS)


def _falls_back(minor: bool, first: DegreeChord, second: DegreeChord) -> bool:
    """Return whether a dominant becomes a chord of another family on the same root instead of resolving.

    For example, in D minor D7 must lead to Gm, not to Dm. Only the ii of a major key may follow its own dominant: in C
    major D7, Dm7, G7.
    """
    return bool(first.resolves_to) and first.family != second.family and (minor or first.root != 2)


def _approaches(style: HarmonyStyle, first: DegreeChord, second: DegreeChord) -> bool:
    """Return whether the move to a substitute is common: only in jazz, from the tonic, by fifth or by semitone."""
    interval = (second.root - first.root) % 12
    if style == "classical":
        return interval in (2, 5, 9) or first.root == 0
    return style == "jazz" and (first.root == 0 or interval in (1, 5, 7, 11))


def basses_of(style: HarmonyStyle, motion: BassMotion, chord: DegreeChord) -> list[tuple[int, float]]:
    """Return the basses that are allowed under a chord, each with a score."""
    if motion == "pedal":
        return [(0, 0.0)]
    if motion == "stepwise":
        scores = (0.0, -0.3, -1.5, -0.8)
        return [(bass, scores[index]) for index, bass in enumerate(chord.basses)]
    if motion == "fifths" or style != "classical":
        return [(chord.root, 0.0)]
    if chord.family == DIMINISHED:
        return [(chord.root, -1.0), (chord.basses[1], 0.0)]
    if chord.root == 0:
        return [(0, 0.0), (chord.basses[1], -0.45), (chord.basses[2], -0.2)]
    return [(chord.root, 0.0), (chord.basses[1], -0.45)]


def bass_move(motion: BassMotion, first: int, second: int, fault: float) -> float:
    """Return the score of a bass move. A move without the requested motion costs `fault`."""
    interval = (second - first) % 12
    if motion == "pedal":
        return 0.0
    if motion == "any":
        return {0: -0.2, 6: -0.5}.get(interval, 0.0 if interval in (*_STEPS, *_FIFTHS) else -0.1)
    if keeps_motion(motion, first, second):
        return 0.0 if interval else -0.6
    return -fault


def keeps_motion(motion: BassMotion, first: int, second: int) -> bool:
    """Return whether a bass move has the requested motion. Staying is allowed."""
    interval = (second - first) % 12
    if motion == "stepwise":
        return interval in (0, *_STEPS)
    if motion == "fifths":
        return interval in (0, *_FIFTHS)
    return True if motion == "any" else interval == 0


def is_six_four(style: HarmonyStyle, chord: DegreeChord, bass: int) -> bool:
    """Return whether a chord is the tonic of classical style with its fifth in the bass, the cadential six-four."""
    return style == "classical" and chord.root == 0 and bass == _DOMINANT


def ends_well(style: HarmonyStyle, before: DegreeChord | None, last: DegreeChord) -> bool:
    """Return whether the last two chords are a cadence of the style. In modal style, ending on the tonic is enough."""
    if style == "modal" or before is None:
        return last.root == 0
    if last.root == 0:
        return leads_home(before)
    return last.root == 7 or (before.root == 7 and last.root in (8, 9))


def closes(style: HarmonyStyle, before: DegreeChord, bass: int) -> bool:
    """Return whether a chord followed by the tonic is a cadence of the style at the end of a tune.

    It is a dominant, in classical style in root position or on the leading tone; in pop also IV or bVII;
    in jazz not bVII; in modal style also ii, II, IV, v, vi or VII.
    """
    if style == "modal":
        return before.root in _MODAL_CLOSES
    if style == "classical":
        return before.function == "D" and (bass == _DOMINANT or before.root == _LEADING_TONE)
    if style == "jazz":
        return before.function == "D" and before.root != _SUBTONIC
    return before.function == "D" or (style == "pop" and before.root in (5, 10))


def leads_home(before: DegreeChord) -> bool:
    """Return whether a chord followed by the tonic ends a phrase: a dominant, IV, bVII, or the tonic itself."""
    return before.function == "D" or before.root in (0, 5, 10)


def comes_to_rest(style: HarmonyStyle, before: DegreeChord, last: DegreeChord, bass: int) -> bool:
    """Return whether a phrase may end with the chord `last`, which must be in root position, after another root.

    It may end on the tonic after a chord that `leads_home` (in classical style a dominant), on the dominant, on a root
    in `before.resolves_to` unless `before` is a secondary dominant, with a deceptive cadence, or with a cadence in the
    relative major. In modal style it may end on I, IV, V or VII after any other chord. A major dominant may not follow
    bVII, whose root is a semitone below the leading tone.
    """
    if bass != last.root or before.root == last.root:
        return False
    if last.root == 0:
        return style == "modal" or (before.function == "D" if style == "classical" else leads_home(before))
    if last.root == _DOMINANT:
        return before.root != _SUBTONIC or last.family != MAJOR
    if style == "modal":
        return last.root in (5, _SUBTONIC) or (before.root, last.root) == (_SUBTONIC, 3)
    if last.root in before.resolves_to and before.substitute != "secondary":
        return True
    return is_deceptive(before, last) or (before.root, last.root) == (_SUBTONIC, 3)


def is_deceptive(before: DegreeChord, last: DegreeChord) -> bool:
    """Return whether a move is a deceptive cadence, in major or in minor."""
    return before.root == _DOMINANT and last.root in (8, 9)
