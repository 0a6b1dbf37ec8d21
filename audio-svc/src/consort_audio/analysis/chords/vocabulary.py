"""The chords that can be found: kinds with their tones, how the chord network describes them, and their basses.

A chord is a root (a pitch class, C = 0), a kind and a bass (a pitch class). `STATES` lists all of them; state 0 is "no
chord". Suffixes are written as in `Cmaj`, `Amin`, `G7`, and are read by `consort_music.chords`.
"""

from typing import NamedTuple


class ChordKind(NamedTuple):
    suffix: str
    tones: tuple[int, ...]
    """In semitones above the root."""
    triad: int
    """The kind of triad of the network: 0 major, 1 minor, 2 sus4, 3 sus2, 4 diminished, 5 augmented."""
    seventh: int
    """Of the network: 0 none, 1 major, 2 minor, 3 diminished."""
    sixth: bool
    basses: tuple[int, ...]
    """In semitones above the root; 0 is root position."""
    is_minor: bool
    """Whether its Roman numeral is written in small letters."""


KINDS = (
    ChordKind("maj", (0, 4, 7), 0, 0, False, (0, 4, 7), False),
    ChordKind("min", (0, 3, 7), 1, 0, False, (0, 3, 7), True),
    ChordKind("7", (0, 4, 7, 10), 0, 2, False, (0, 4, 7, 10), False),
    ChordKind("maj7", (0, 4, 7, 11), 0, 1, False, (0, 4, 7, 11), False),
    ChordKind("min7", (0, 3, 7, 10), 1, 2, False, (0, 3, 7, 10), True),
    ChordKind("dim", (0, 3, 6), 4, 0, False, (0, 3, 6), True),
    ChordKind("min7b5", (0, 3, 6, 10), 4, 2, False, (0, 3, 6, 10), True),
    ChordKind("dim7", (0, 3, 6, 9), 4, 3, False, (0,), True),
    ChordKind("aug", (0, 4, 8), 5, 0, False, (0,), False),
    ChordKind("sus4", (0, 5, 7), 2, 0, False, (0,), False),
    ChordKind("sus2", (0, 2, 7), 3, 0, False, (0,), False),
    ChordKind("7sus4", (0, 5, 7, 10), 2, 2, False, (0,), False),
    ChordKind("maj6", (0, 4, 7, 9), 0, 0, True, (0,), False),
    ChordKind("min6", (0, 3, 7, 9), 1, 0, True, (0,), True),
)


class ChordState(NamedTuple):
    root: int
    kind: ChordKind
    bass: int

    @property
    def pitch_classes(self) -> frozenset[int]:
        return frozenset((self.root + tone) % 12 for tone in self.kind.tones)


STATES: tuple[ChordState, ...] = tuple(
    ChordState(root, kind, (root + bass) % 12) for kind in KINDS for bass in kind.basses for root in range(12)
)
"""All chords. The state with number i + 1 is STATES[i]."""
