"""How well a chord suits a slot of a song or dance: a log-linear model of the chords that songbooks print.

The score of a chord is the sum of the weights of its features: its degree, the share of the melody's time on its root,
third, fifth and (in a dominant) seventh, and on the third of the other mode, which of them the first and the last note
of the slot are, the place in the phrase and the note on which it ends, and the logarithm of the probability that the
chord model of Bach's chorales gives to its root. The score of a move is the weight of its interval, or of staying,
within a split bar or from bar to bar. Notes on strong beats and at the start of the slot count more.

The weights in `song_model_weights.json` were trained by `benchmarks/training/train_song_model.py` (a structured support
vector machine) on the tune split of `evaluation/corpora/lead_sheets.abc`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from consort_compose.composer.harmony.degree_chords import DIMINISHED, MAJOR, MINOR, Family
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.melody_grid import MelodyGrid
from consort_music.metre import STRONG

_ACCENT = 1.5
"""The weight of time on notes that begin the slot or sound at a strong beat; 1 for other notes."""
_UNSEEN = -1.0
"""The score of a degree that no printed chord of the training tunes has."""
_ALTERED = 4.0
"""The cost of a slot in which all notes are outside the scale and the chord. It is not trained: such notes are rare."""
_HALF_CADENCE = 4.0
"""The bonus of the dominant under a long note of its triad that ends the first half of the tune. It is not trained."""
_OF_DOMINANT = (7, 11, 2)
_TONIC, _DOMINANT = 0, 7
_TRIADS: dict[Family, tuple[int, int]] = {MAJOR: (4, 7), MINOR: (3, 7), DIMINISHED: (3, 6)}
_MINOR_SEVENTH = 10
_MAJOR_SCALE, _MINOR_SCALE = frozenset({0, 2, 4, 5, 7, 9, 11}), frozenset({0, 2, 3, 5, 7, 8, 9, 10})
"""The minor scale has both sixths, because dorian tunes are common."""
_MEMBERS = ("root", "third", "fifth", "seventh")

SongFeature = tuple[str, float]


class SongSlot:
    """What the model sees of the melody in one slot."""

    def __init__(
        self,
        grid: MelodyGrid,
        slots: Sequence[HarmonySlot],
        index: int,
        tonic: int,
        minor: bool,
        bach: Sequence[float],
    ) -> None:
        """`bach` has the mean log probability of each root, in semitones above the tonic."""
        slot = slots[index]
        start, end = slot.span.start, slot.span.end
        self._mode = "minor" if minor else "major"
        self._altered = frozenset(range(12)) - (_MINOR_SCALE if minor else _MAJOR_SCALE)
        self._bach = bach
        self._is_middle = slot.is_middle
        self._shares = [0.0] * 12
        notes = grid.within(start, end)
        for note in notes:
            begin = max(note.start, start)
            beat = grid.beat_at(begin)
            accented = begin == start or (beat.start == begin and beat.strength >= STRONG)
            time = (min(note.end, end) - begin) * (_ACCENT if accented else 1.0)
            self._shares[(note.midi - tonic) % 12] += time
        total = sum(self._shares)
        if total:
            self._shares = [share / total for share in self._shares]
        first = grid.at(start)
        self._first = None if first is None else (first.midi - tonic) % 12
        self._last = (notes[-1].midi - tonic) % 12 if notes else None
        half = "second" if slot.is_second else "first"
        inside = slot.bars_to_end < 2 and slot.ends_inside
        self._places = [
            f"{min(slot.bars_to_end, 3)} to end, {'inside' if inside else 'at bar'}, {half} half",
            f"{min(slot.bars_from_start, 2)} from start, {half} half",
        ]
        if slot.is_opening:
            self._places.append("opening")
        if index == len(slots) - 1:
            self._places.append("final")
        elif slot.holds_end:
            self._places.append(f"phrase ends on {self._last}")

    def features(self, root: int, family: Family) -> Iterator[SongFeature]:
        """Yield the features of a chord, each with its value."""
        yield f"{self._mode} {root} {family}", 1.0
        third, fifth = _TRIADS[family]
        members = [root, (root + third) % 12, (root + fifth) % 12, (root + _MINOR_SEVENTH) % 12]
        is_dominant = root == _DOMINANT and family == MAJOR
        for name, tone in zip(_MEMBERS, members, strict=True):
            if name != "seventh" or is_dominant:
                yield f"share on {name}", self._shares[tone]
        if family != DIMINISHED:
            yield "share on the other third", self._shares[(root + fifth - third) % 12]
        for name, note in (("first", self._first), ("last", self._last)):
            if note is not None:
                yield f"{name} note is {_MEMBERS[members.index(note)] if note in members else 'none'}", 1.0
        yield "bach", self._bach[root]
        kind = "tonic" if root == _TONIC else "dominant" if root == _DOMINANT else "other"
        for place in self._places:
            yield f"{place}: {kind}", 1.0

    def score(self, root: int, family: Family) -> float:
        weights = song_weights()
        third, fifth = _TRIADS[family]
        members = {root, (root + third) % 12, (root + fifth) % 12}
        altered = sum(self._shares[tone] for tone in self._altered - members)
        unseen = 0.0 if f"{self._mode} {root} {family}" in weights else _UNSEEN
        middle = _HALF_CADENCE * (
            self._is_middle and root == _DOMINANT and family == MAJOR and self._first in _OF_DOMINANT
        )
        return (
            unseen
            + middle
            - _ALTERED * altered
            + sum(weights.get(name, 0.0) * value for name, value in self.features(root, family))
        )


def move_feature(before: tuple[int, Family], after: tuple[int, Family], is_second: bool) -> str:
    """Return the feature of a move between two chords, each a root and a family."""
    if before == after:
        return "stays within a bar" if is_second else "stays over a barline"
    return f"moves by {(after[0] - before[0]) % 12}"


@cache
def song_weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(files(__package__).joinpath("song_model_weights.json").read_text())
    return weights
