"""Music that is contained in the call: Base64, MIDI text and note lists."""

import base64

import pytest

from consort_kit.errors import InvalidInput, TooLarge
from consort_music.performance.compiled_music import compile_midi
from consort_playback.music.text_to_midi import from_midi_text, from_note_list
from consort_playback.playbacks.fetch_music import decode_file


def note_ons(content: bytes) -> list[tuple[int, int, int]]:
    """Return the start in milliseconds, the pitch and the velocity of each note."""
    music = compile_midi(content, 10**6)
    messages = [(music.times[index] // 1_000_000, music.message(index)) for index in range(music.count)]
    return [(ms, message[1], message[2]) for ms, message in messages if message[0] & 0xF0 == 0x90]


def test_midi_text_becomes_a_file() -> None:
    assert note_ons(from_midi_text("tempo 60\nC4 80\nE4 90")) == [(0, 60, 80), (1000, 64, 90)]


def test_a_note_list_becomes_a_file_at_120_beats_a_minute() -> None:
    assert [(ms, pitch) for ms, pitch, _ in note_ons(from_note_list("C4:q D4:q"))] == [(0, 60), (500, 62)]


def test_base64_can_have_line_breaks_or_be_a_data_url() -> None:
    """`store_midi` accepts the same forms."""
    text = base64.encodebytes(b"MThd" * 40).decode()
    assert text.count("\n") > 1
    assert decode_file(text, 1000) == decode_file(f"data:audio/midi;base64,{text}", 1000) == b"MThd" * 40


def test_base64_that_is_cut_off_is_rejected() -> None:
    with pytest.raises(InvalidInput, match="cut off"):
        decode_file("TVRoZ", 1000)


def test_base64_of_too_many_bytes_is_rejected() -> None:
    with pytest.raises(TooLarge, match="more than 100 bytes"):
        decode_file("TVRo" * 40, 100)
