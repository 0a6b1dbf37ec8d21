"""Compiling a MIDI file to messages with times."""

import pytest

from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile
from consort_music.performance.compiled_music import CompiledMusic, compile_file

END = (META, END_OF_TRACK)


def compiled(
    *tracks: list[Event], format_: int = 1, division: int = 480, transpose: int = 0, longest: int = 1000
) -> CompiledMusic:
    return compile_file(
        MidiFile(format_, division, [[*track, (track[-1][0], *END)] for track in tracks]), transpose, longest
    )


def events(music: CompiledMusic) -> list[tuple[int, int, str]]:
    """Return tick, track and hexadecimal text of each message."""
    return [(music.ticks[index], music.tracks[index], music.message(index).hex()) for index in range(music.count)]


def test_tracks_are_merged_by_time_then_by_track() -> None:
    music = compiled([(5, 0x90, b"\x3c\x40"), (9, 0x80, b"\x3c\x00")], [(0, 0xC0, b"\x05"), (5, 0x90, b"\x40\x40")])
    assert events(music) == [(0, 1, "c005"), (5, 0, "903c40"), (5, 1, "904040"), (9, 0, "803c00")]


def test_the_packets_of_a_system_exclusive_are_sent_as_one_message() -> None:
    music = compiled([(0, 0xF0, b"\x01\x02"), (3, 0x90, b"\x3c\x40"), (4, 0xF7, b"\x03"), (6, 0xF7, b"\x04\xf7")])
    assert events(music) == [(3, 0, "903c40"), (6, 0, "f001020304f7")]
    assert not music.warnings


@pytest.mark.parametrize(("data", "sent"), [(b"\xf3\x01", "f301"), (b"\xf8", "f8"), (b"\xf0\x01\xf7", "f001f7")])
def test_the_message_in_an_escape_is_sent(data: bytes, sent: str) -> None:
    assert events(compiled([(0, 0xF7, data)])) == [(0, 0, sent)]


@pytest.mark.parametrize(
    "data", [b"", b"\x01", b"\x90\x3c", b"\xf3\x01\x02", b"\x90\x3c\xff", b"\xf0\x01", b"\xff\x00"]
)
def test_an_escape_without_a_whole_message_is_left_out(data: bytes) -> None:
    music = compiled([(0, 0xF7, data), (0, 0xC0, b"\x01")])
    assert events(music) == [(0, 0, "c001")] and "are not sent" in music.warnings[0]


@pytest.mark.parametrize(
    "exclusives", [[(0, 0xF0, b"\x01")], [(0, 0xF0, bytes(2000) + b"\xf7")], [(0, 0xF0, b"\x90\xf7")]]
)
def test_a_system_exclusive_that_cannot_be_sent_is_left_out_with_a_warning(exclusives: list[Event]) -> None:
    music = compiled([*exclusives, (0, 0xC0, b"\x01")])
    assert events(music) == [(0, 0, "c001")] and music.warnings


def test_transposing_moves_notes_but_not_drums_and_stays_in_range() -> None:
    music = compiled(
        [
            (0, 0x90, b"\x3c\x40"),
            (0, 0xA0, b"\x3c\x01"),
            (0, 0x99, b"\x24\x40"),
            (0, 0x80, b"\x7e\x00"),
            (0, 0xB0, b"\x07\x01"),
        ],
        transpose=5,
    )
    assert [text for _, _, text in events(music)] == ["904140", "a04101", "992440", "807700", "b00701"]
    low = compiled([(0, 0x90, b"\x01\x40")], transpose=-13)
    assert [text for _, _, text in events(low)] == ["900040"]


def test_a_note_off_before_its_own_note_on_is_sent_after_it() -> None:
    first = [(0, 0x80, b"\x3c\x40"), (0, 0x90, b"\x3c\x50"), (9, 0x90, b"\x3c\x51"), (20, 0x80, b"\x3c\x40")]
    assert events(compiled(first)) == [(0, 0, "903c50"), (1, 0, "803c40"), (9, 0, "903c51"), (20, 0, "803c40")]
    clip = [(0, 0x80, b"\x3c\x40"), (0, 0x90, b"\x3c\x50"), (9, 0x80, b"\x3c\x40"), (9, 0x90, b"\x3c\x51")]
    clip.append((20, 0x80, b"\x3c\x40"))
    assert [tick for tick, _, _ in events(compiled(clip))] == [0, 0, 9, 9, 20]
    in_order = [(0, 0x90, b"\x3c\x50"), (0, 0x80, b"\x3c\x40"), (0, 0xB0, b"\x07\x40")]
    assert [text for _, _, text in events(compiled(in_order))] == ["903c50", "803c40", "b00740"]


def test_sequences_of_a_type_2_file_follow_each_other() -> None:
    music = compiled([(0, 0xC0, b"\x01"), (480, 0xC0, b"\x02")], [(240, 0xC0, b"\x03")], format_=2)
    assert events(music) == [(0, 0, "c001"), (480, 0, "c002"), (720, 1, "c003")]
    assert music.end == 750_000_000


@pytest.mark.parametrize(("division", "ns"), [(0xE728, 10_000_000), (0xE350, 8_341_667)])
def test_smpte_time(division: int, ns: int) -> None:
    """With 25 frames per second of 40 ticks each, a tick is a millisecond. 29 means 30000/1001 frames per second.

    The tempo is ignored.
    """
    music = compiled(
        [(0, META, b"\x51\x01\x00\x00"), (10 if division == 0xE728 else 20, 0xC0, b"\x01")], division=division
    )
    assert music.times[0] == ns
    assert music.clock.bar_and_beat(10) is None
