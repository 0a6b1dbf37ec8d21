"""Converts MIDI text or a note list to the bytes of a MIDI file."""

from consort_music.errors import MusicError
from consort_music.midi.writer import write_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.to_midi_file import sequence_to_midi


def from_midi_text(text: str) -> bytes:
    """Convert MIDI text. Raise MusicError (INVALID_MIDI_TEXT) with its first errors."""
    reading = read_midi_text(text)
    if reading.errors:
        more = f" ({len(reading.errors) - 1} more.)" if len(reading.errors) > 1 else ""
        raise MusicError("INVALID_MIDI_TEXT", reading.errors[0] + more, reading.errors[1:6], "midi_text")
    return write_midi(sequence_to_midi(reading.music))


def from_note_list(text: str) -> bytes:
    """Convert a note list. Each line becomes a piano part, at 120 beats per minute."""
    return write_midi(score_to_midi(parse_note_list(text)))
