"""From what an assistant gave to the bytes of a MIDI file: MIDI text and note lists are written as files first."""

from consort_kit.base64_text import decode_base64
from consort_kit.errors import TooLarge
from consort_music.errors import MusicError
from consort_music.midi.build import build_midi
from consort_music.midi.writer import write_midi
from consort_music.midi_text import read_midi_text
from consort_music.notation.to_midi import score_to_midi
from consort_music.note_list import parse_note_list


def from_base64(text: str, max_bytes: int) -> bytes:
    if len(text) * 3 // 4 > max_bytes + 3:
        raise TooLarge(
            f"'base64' has more than {max_bytes:,} bytes, the most that can be played. Split the file.",
            field="base64",
        )
    return decode_base64(text, "midi_file_id")


def from_text(text: str) -> bytes:
    reading = read_midi_text(text)
    if reading.errors:
        more = f" ({len(reading.errors) - 1} more.)" if len(reading.errors) > 1 else ""
        raise MusicError("INVALID_MIDI_TEXT", reading.errors[0] + more, reading.errors[1:6], "midi_text")
    return write_midi(build_midi(reading.text))


def from_note_list(text: str) -> bytes:
    """A piano for each line, at 120 beats a minute."""
    return write_midi(score_to_midi(parse_note_list(text)))
