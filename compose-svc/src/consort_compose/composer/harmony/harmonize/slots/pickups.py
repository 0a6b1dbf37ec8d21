"""Let the chord of a new phrase begin with its pickup, where the pickup clashes with the chord of the old phrase.

Such is the E that leads from a half cadence on B to a phrase in E minor: it is a semitone above the third of B.
"""

from collections.abc import Sequence

from consort_compose.composer.harmony.degree_chords import DegreeChord
from consort_compose.composer.harmony.harmonize.slots.harmony_slots import HarmonySlot
from consort_compose.composer.harmony.melody_grid import ChordSlot, MelodyGrid


def begin_at_pickups(
    grid: MelodyGrid,
    tonic: int,
    slots: Sequence[HarmonySlot],
    spans: Sequence[ChordSlot],
    chords: Sequence[DegreeChord],
) -> list[ChordSlot]:
    """Return the times of the chords; one begins with the pickup before it if the note has a beat and needs it."""
    moved = list(spans)
    pickups = {slot.pickup for slot in slots}
    for index in range(len(spans) - 1):
        for place in range(spans[index].first + 1, spans[index].last):
            beat, note = grid.beats[place], grid.at(grid.beats[place].start)
            if note is None or note.start != beat.start or note.start not in pickups or note.end < beat.end:
                continue
            degree = (note.midi - tonic) % 12
            if _clashes(degree, chords[index]) and degree in chords[index + 1].tones:
                moved[index] = moved[index]._replace(end=beat.start, last=place)
                moved[index + 1] = moved[index + 1]._replace(start=beat.start, first=place)
    return moved


def _clashes(degree: int, chord: DegreeChord) -> bool:
    """Return whether a note is a semitone above a tone of a chord."""
    return degree not in chord.tones and (degree - 1) % 12 in chord.tones
