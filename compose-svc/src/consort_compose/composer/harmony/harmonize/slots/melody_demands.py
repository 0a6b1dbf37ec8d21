"""What the melody requires of the chord in a slot.

A note that sounds on a strong beat must be a tone of the chord, or a suspension or appoggiatura: the next note follows
by step, within the slot, and is a tone of the chord.
"""

from itertools import pairwise
from typing import NamedTuple

from consort_compose.composer.harmony.degree_chords import MAJOR, TRIADS, DegreeChord
from consort_compose.composer.harmony.melody_grid import ChordSlot, GridNote, MelodyGrid

FINAL = 20_000.0
"""The cost if the last note of the melody, on a strong beat, is not a chord tone."""
STRONG_START = 10_000.0
"""The cost if the note at a strong start of a slot is neither a chord tone nor resolved."""
STRONG = 1_000.0
"""The cost if the note on another strong beat is neither a chord tone nor resolved."""
_STEPS = (1, 2)


class StrongNote(NamedTuple):
    degree: int
    """Semitones above the tonic."""
    resolution: int | None
    """The degree of the next note, if it follows by step within the slot."""
    cost: float
    """The cost if the note is neither a chord tone nor resolved."""

    def fits(self, chord: DegreeChord) -> bool:
        return self.degree in chord.tones or self.resolution in chord.tones


class MelodyDemand:
    """What the melody requires of the chord in one slot."""

    def __init__(self, grid: MelodyGrid, tonic: int, slot: ChordSlot) -> None:
        self.slot = slot
        strong = grid.strong_notes(slot)
        at_start = grid.at(slot.start)
        final = grid.notes[-1] if slot.last == len(grid.beats) else None
        notes = grid.within(slot.start, slot.end)
        following = dict(pairwise(notes))
        self.strong = [
            StrongNote(
                (note.midi - tonic) % 12,
                resolution(note, following.get(note), tonic),
                FINAL if note == final else STRONG_START if note == at_start else STRONG,
            )
            for note in strong
        ]
        beat = grid.beats[slot.first]
        self.held = {
            (note.midi - tonic) % 12
            for note in notes
            if 2 * overlap(note, slot) >= slot.end - slot.start
            or (overlap(note, slot) >= beat.end - beat.start and resolution(note, following.get(note), tonic) is None)
        }
        """The degrees of the notes that last half of the slot, or at least a beat without moving on by step."""
        self.degrees: dict[int, float] = {}
        """For each degree, its share of the melody's time in the slot."""
        total = sum(overlap(note, slot) for note in notes)
        for note in notes:
            degree = (note.midi - tonic) % 12
            self.degrees[degree] = self.degrees.get(degree, 0.0) + overlap(note, slot) / total

    def fault(self, chord: DegreeChord) -> float:
        """Return the cost of strong notes that are neither in the chord nor resolved."""
        return sum(note.cost for note in self.strong if not note.fits(chord))

    def dissonances(self, chord: DegreeChord) -> int:
        """Return the number of strong notes that are not in the chord."""
        return sum(note.degree not in chord.tones for note in self.strong)

    def has_other_third(self, chord: DegreeChord) -> bool:
        """Return whether the melody has the minor third above the root of a major chord, or the major of a minor one.

        A melody that has both thirds, and a chord with a sharp ninth, are allowed.
        """
        minor, major = (chord.root + 3) % 12, (chord.root + 4) % 12
        own, other = (minor, major) if chord.family != MAJOR else (major, minor)
        return own in chord.tones and other in self.degrees and own not in self.degrees and other not in chord.tones

    def arpeggiates_another(self, chord: DegreeChord) -> bool:
        """Return whether the melody is a triad of which the chord has fewer than two tones below its ninth."""
        sung = frozenset(self.degrees)
        return sung in TRIADS and len(sung & set(chord.basses)) < 2

    def fit(self, chord: DegreeChord) -> float:
        """Return the share of the melody's time on chord tones, or 1 if the melody rests."""
        return sum(share for degree, share in self.degrees.items() if degree in chord.tones) if self.degrees else 1.0


def resolution(note: GridNote, following: GridNote | None, tonic: int) -> int | None:
    """Return the degree of the following note if it is a step away."""
    if following is None or abs(following.midi - note.midi) not in _STEPS:
        return None
    return (following.midi - tonic) % 12


def overlap(note: GridNote, slot: ChordSlot) -> int:
    """Return how long a note sounds within a slot, in ticks."""
    return min(note.end, slot.end) - max(note.start, slot.start)
