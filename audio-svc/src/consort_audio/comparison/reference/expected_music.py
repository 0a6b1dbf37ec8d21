"""`ExpectedMusic`: the notes of a reference at their written times.

A time is in seconds at the written tempo, from the first note. A beat is one of the metre, counted from 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple


class ExpectedNote(NamedTuple):
    start: float
    end: float
    pitch: int
    """The MIDI number."""
    name: str
    """The spelled name, such as `F#4`."""
    bar: int
    beat: float


class ExpectedBar(NamedTuple):
    number: int
    start: float


@dataclass(frozen=True, slots=True)
class ExpectedMusic:
    title: str
    notes: tuple[ExpectedNote, ...]
    """Sorted by start, then by pitch. No two have the same start and pitch."""
    bars: tuple[ExpectedBar, ...]
    bpm: float
    """The written tempo at the start, in quarter notes per minute. The times are at this tempo."""
    has_tempo: bool
    """Whether the tempo was asked for. If not, any tempo is right."""
    is_any_octave: bool = False
    """Whether it may be played in any octave."""
    warnings: list[str] = field(default_factory=list)
    whole: "ExpectedMusic | None" = None
    """The whole piece, if these are only some of its bars."""

    @property
    def is_polyphonic(self) -> bool:
        """Whether two notes sound together for longer than a careless legato."""
        notes = self.notes
        return any(
            later.start < earlier.end - max(_OVERLAP_S, _OVERLAP_SHARE * (earlier.end - earlier.start))
            for earlier, later in pairwise(notes)
        )

    def name_of(self, pitch: int) -> str:
        """Return the name of a pitch, spelled as in this music if it occurs there in any octave."""
        return pitch_name(pitch, self.notes)


_OVERLAP_S, _OVERLAP_SHARE = 0.06, 0.25


def pitch_name(pitch: int, notes: Sequence[ExpectedNote]) -> str:
    """Return the name of a pitch (MIDI number), spelled as the notes with the same pitch class are."""
    from consort_music.pitch import Pitch

    if not 0 <= pitch <= 127:
        return str(pitch)
    flats = sum("b" in note.name[1:] for note in notes) > sum("#" in note.name for note in notes)
    for note in notes:
        if note.pitch % 12 == pitch % 12:
            spelled = Pitch.parse(note.name) if not note.name.isdecimal() and "-" not in note.name else None
            if spelled is not None and 0 <= (octave := spelled.octave + (pitch - note.pitch) // 12) <= 9:
                return Pitch(spelled.step, spelled.alter, octave).name
    return Pitch.from_midi(pitch, prefer_flats=flats).typed_name
