"""The note that was heard: what transcription, pitch detection and comparison exchange."""

from typing import NamedTuple


class PlayedNote(NamedTuple):
    start: float
    """In seconds, when the note begins to sound."""
    end: float
    """In seconds."""
    pitch: float
    """The MIDI number with a fraction: 60.2 is 20 cents above C4. Whole if the method hears no tuning."""
    confidence: float
    """The probability that there is such a note, from 0 to 1."""
    velocity: int | None = None
    """The loudness as a MIDI velocity, from 1 to 127, if the method hears it."""
