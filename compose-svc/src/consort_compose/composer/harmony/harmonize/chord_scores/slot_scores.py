"""Score each chord in each slot by the learned models: the song model, or the model of Bach's chorales."""

from collections.abc import Callable, Mapping, Sequence
from math import log

from consort_compose.composer.harmony.degree_chords import DIMINISHED, MAJOR, MINOR, DegreeChord, Family
from consort_compose.composer.harmony.harmonize.chord_scores.chord_model import LEAST, ChordClass, chord_probabilities
from consort_compose.composer.harmony.harmonize.chord_scores.song_model import SongSlot
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.styles.style_weights import STANDS_FOR
from consort_compose.composer.harmony.melody_grid import ChordSlot, MelodyGrid
from consort_music.keys import Key

ChordScore = Callable[[DegreeChord], float]
SongClass = tuple[int, Family]
"""A root, in semitones above the tonic, and a family: what the song model knows of a chord."""
Replaced = Mapping[SongClass, Sequence[tuple[SongClass, float]]]
REPLACED: dict[bool, Replaced] = {
    False: {
        (9, MINOR): [((0, MAJOR), 0.5)],
        (4, MINOR): [((0, MAJOR), 0.8)],
        (2, MINOR): [((5, MAJOR), 0.2), ((7, MAJOR), 0.6)],
        (2, MAJOR): [((2, MINOR), 0.6)],
        (4, MAJOR): [((4, MINOR), 0.6)],
        (9, MAJOR): [((9, MINOR), 0.6), ((0, MAJOR), 1.2)],
        (11, DIMINISHED): [((7, MAJOR), 2.0)],
    },
    True: {
        (3, MAJOR): [((0, MINOR), 0.6)],
        (8, MAJOR): [((0, MINOR), 0.6)],
        (2, DIMINISHED): [((5, MINOR), 0.2), ((7, MAJOR), 0.6)],
        (0, MAJOR): [((0, MINOR), 0.8)],
        (5, MAJOR): [((5, MINOR), 0.8)],
    },
}
"""In jazz, by mode: the chords that a chord may replace, each with a cost. For example, vi and iii replace I."""


def bach_scores(grid: MelodyGrid, key: Key, slots: Sequence[ChordSlot]) -> list[ChordScore]:
    """Return for each slot a function that gives the Bach model's log probability of a chord."""
    rows = chord_probabilities(grid, key.tonic, key.is_minor)
    return [_BachScore(rows[slot.first : slot.last]) for slot in slots]


def song_scores(grid: MelodyGrid, key: Key, slots: Sequence[HarmonySlot], style: HarmonyStyle) -> list[ChordScore]:
    """Return for each slot a function that gives the song model's score of a chord."""
    roots = mean_log_roots(grid, key, [slot.span for slot in slots])
    replaced = REPLACED[key.is_minor] if style == "jazz" else {}
    return [
        _SongScore(SongSlot(grid, slots, index, key.tonic, key.is_minor, roots[index]), replaced)
        for index in range(len(slots))
    ]


def mean_log_roots(grid: MelodyGrid, key: Key, slots: Sequence[ChordSlot]) -> list[list[float]]:
    """Return for each slot the Bach model's log probability of each root: the mean over its beats."""
    rows = chord_probabilities(grid, key.tonic, key.is_minor)
    return [_BachScore(rows[slot.first : slot.last]).roots for slot in slots]


class _SongScore:
    """The song model's score of a chord. Chords of one root and family have the same score.

    In jazz, a chord may have the score of the chord that it replaces, less a cost.
    """

    def __init__(self, view: SongSlot, replaced: Replaced) -> None:
        self._view = view
        self._replaced = replaced
        self._known: dict[SongClass, float] = {}

    def __call__(self, chord: DegreeChord) -> float:
        stands_for = STANDS_FOR.get(chord.substitute or "")
        own: SongClass = (chord.root, chord.family) if stands_for is None else (stands_for, MAJOR)
        others = self._replaced.get(own, ())
        return max([self._score(own), *(self._score(other) - cost for other, cost in others)])

    def _score(self, chord_class: SongClass) -> float:
        if chord_class not in self._known:
            self._known[chord_class] = self._view.score(*chord_class)
        return self._known[chord_class]


class _BachScore:
    """The Bach model's log probability of a chord in a slot: the mean over its beats. The first beat counts twice."""

    def __init__(self, rows: Sequence[dict[ChordClass, float]]) -> None:
        shares = [2.0, *[1.0] * (len(rows) - 1)]
        total = sum(shares)
        self.roots = [0.0] * 12
        self._states: dict[ChordClass, float] = {}
        for share, row in zip(shares, rows, strict=True):
            by_root = [LEAST] * 12
            for (root, family), probability in row.items():
                by_root[root] += probability
                self._states[root, family] = self._states.get((root, family), 0.0) + share / total * probability
            for root in range(12):
                self.roots[root] += share / total * log(by_root[root])

    def __call__(self, chord: DegreeChord) -> float:
        root = STANDS_FOR.get(chord.substitute or "", chord.root)
        probability = self._states.get((root, chord.family), 0.0)
        return self.roots[root] + 0.1 * log(probability + LEAST)
