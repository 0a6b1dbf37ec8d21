"""The reader on hand-made bytes: valid files, damage that becomes a warning, and damage that is rejected."""

import time
from dataclasses import replace

import pytest

from consort_music.errors import MusicError
from consort_music.midi.model import AlienChunk
from consort_music.midi.reader import DEFAULT_LIMITS, read_midi
from consort_music.midi.writer import write_midi
from tests.support.midi_chunks import END, NOTE, header, track

NOTE_EVENT = (0, 0x90, b"\x3c\x40")
END_EVENT = (0, 0xFF, b"\x2f")


def one_track(body: bytes) -> bytes:
    return header() + track(body)


def error_of(data: bytes) -> str:
    with pytest.raises(MusicError) as caught:
        read_midi(data)
    assert caught.value.code == "INVALID_MIDI"
    return caught.value.message


# What is read


@pytest.mark.parametrize("format_", [0, 1, 2])
def test_file_types(format_: int) -> None:
    file = read_midi(header(format_) + track(NOTE + END))
    assert (file.format, file.ppq, file.warnings) == (format_, 480, [])
    assert file.tracks == [(NOTE_EVENT, END_EVENT)]


@pytest.mark.parametrize(("field", "format_"), [(0x6D00, 0), (0x6D01, 1), (0xFF02, 2)])
def test_a_damaged_type_is_read_by_its_second_byte(field: int, format_: int) -> None:
    file = read_midi(header(field) + track(NOTE + END))
    assert file.format == format_ and file.tracks == [(NOTE_EVENT, END_EVENT)]
    assert file.warnings == [f"The file type 0x{field:04X} is damaged; it was read as type {format_}."]
    assert write_midi(file) == header(format_) + track(NOTE + END)
    assert "only types 0, 1 and 2" in error_of(header(0x6D03) + track(END))


def macbinary(midi: bytes, fork: int | None = None) -> bytes:
    """Wrap a file in MacBinary: a header of 128 bytes, the data fork padded to 128 bytes, then the resource fork."""
    head = bytearray(128)
    head[1:9] = b"\x07song.mi"
    head[65:73] = b"MidiTTXT"
    head[83:87] = (len(midi) if fork is None else fork).to_bytes(4, "big")
    return bytes(head) + midi + bytes(-len(midi) % 128) + b"resources"


@pytest.mark.parametrize("fork", [None, 0, 10_000])
def test_a_file_in_macbinary_is_read_without_its_wrapper(fork: int | None) -> None:
    midi = header() + track(NOTE + END)
    file = read_midi(macbinary(midi, fork))
    assert file.tracks == [(NOTE_EVENT, END_EVENT)] and "MacBinary" in file.warnings[0]
    assert write_midi(file) == midi
    if fork is None:
        assert len(file.warnings) == 1


def test_128_other_bytes_are_not_a_wrapper() -> None:
    assert "not a MIDI file" in error_of(b"x" * 128 + header() + track(NOTE + END))


@pytest.mark.parametrize(
    ("division", "ticks_per_second"), [(0xE728, 1000), (0xE804, 96), (0xE250, 2400), (0xE364, 3_000_000 / 1001)]
)
def test_smpte_division(division: int, ticks_per_second: float) -> None:
    file = read_midi(header(division=division) + track(END))
    assert file.ppq is None
    assert float(file.smpte_ticks_per_second or 0) == ticks_per_second


def test_every_channel_message_and_running_status() -> None:
    body = (
        b"\x00\x80\x01\x02\x01\x03\x04\x00\xa1\x05\x06\x00\xb2\x07\x08\x00\xc3\x09\x02\x0a\x00\xd4\x0b\x00\xe5\x0c\x0d"
    )
    assert read_midi(one_track(body + END)).tracks[0][:-1] == (
        (0, 0x80, b"\x01\x02"),
        (1, 0x80, b"\x03\x04"),
        (1, 0xA1, b"\x05\x06"),
        (1, 0xB2, b"\x07\x08"),
        (1, 0xC3, b"\x09"),
        (3, 0xC3, b"\x0a"),
        (3, 0xD4, b"\x0b"),
        (3, 0xE5, b"\x0c\x0d"),
    )


@pytest.mark.parametrize(
    ("delta", "ticks"),
    [
        (b"\x7f", 127),
        (b"\x81\x00", 128),
        (b"\xff\x7f", 16383),
        (b"\x81\x80\x00", 16384),
        (b"\xff\xff\xff\x7f", 2**28 - 1),
    ],
)
def test_delta_times_of_one_to_four_bytes(delta: bytes, ticks: int) -> None:
    limits = replace(DEFAULT_LIMITS, max_seconds=10**6)
    assert read_midi(one_track(delta + NOTE[1:] + END), limits).tracks[0][0][0] == ticks


def test_system_exclusive_continuation_and_escape_are_kept_as_stored() -> None:
    file = read_midi(one_track(b"\x00\xf0\x03\x43\x12\x00\x05\xf7\x03\x43\x12\xf7\x00\xf7\x02\xf3\x01" + END))
    assert file.tracks[0][:-1] == ((0, 0xF0, b"\x43\x12\x00"), (5, 0xF7, b"\x43\x12\xf7"), (5, 0xF7, b"\xf3\x01"))
    assert file.warnings == []


def test_meta_events_keep_any_type() -> None:
    file = read_midi(one_track(b"\x00\xff\x60\x03abc\x00\xff\x7f\x00\x00\xff\x00\x02\x00\x01" + END))
    assert [data for _, _, data in file.tracks[0]] == [b"\x60abc", b"\x7f", b"\x00\x00\x01", b"\x2f"]


# What is tolerated


def test_missing_end_of_track() -> None:
    file = read_midi(one_track(NOTE))
    assert file.tracks == [(NOTE_EVENT, END_EVENT)]
    assert file.warnings == ["Track 0 has no end-of-track event; one was added."]


@pytest.mark.parametrize("cut", range(1, 8))
def test_truncated_last_track_keeps_whole_events(cut: int) -> None:
    whole = header(tracks=2) + track(NOTE + END) + track(NOTE + NOTE + END)
    file = read_midi(whole[:-cut])
    assert file.tracks[0] == (NOTE_EVENT, END_EVENT)
    assert file.tracks[1] == (NOTE_EVENT,) * (2 if cut <= 4 else 1) + (END_EVENT,)
    assert any("cut off by the end of the file" in warning for warning in file.warnings)


def test_other_chunks_are_kept_with_their_position() -> None:
    file = read_midi(header(tracks=2) + track(END) + b"XFIH\x00\x00\x00\x04abcd" + track(NOTE + END))
    assert file.alien_chunks == [AlienChunk(before_track=1, tag=b"XFIH", body=b"abcd")]
    assert len(file.tracks) == 2
    assert len(file.warnings) == 1


@pytest.mark.parametrize(
    ("data", "events", "warning"),
    [
        (one_track(NOTE + b"\x00\xf0\x02\x01\xf7\x00\x3c\x40" + END), 4, "running status"),
        (one_track(NOTE + b"\x00\xff\x01\x01a\x00\x3c\x40" + END), 4, "running status"),
        (one_track(b"\x00\xf8\x00\xf2\x01\x02" + NOTE + END), 4, "2 system messages"),
        (one_track(b"\x00\x90\x3c\xc8" + END), 2, "1 data bytes over 127"),
        (one_track(b"\x00\xe0\xff\x80" * 32 + END), 33, "64 data bytes over 127"),
        (one_track((NOTE * 10 + b"\x00\xc0\xc8") * 99 + END), 1090, "99 data bytes over 127"),
        (one_track(NOTE + END) + b"\x00" * 100, 2, "100 bytes from byte 30"),
        (header() + b"\x00" + track(NOTE + END), 2, "1 bytes from byte 14"),
        (header() + track(NOTE + END + NOTE), 2, "4 bytes after its end-of-track"),
        (header() + track(NOTE + END, length=0xFFFFFFFF), 2, "more bytes than the file"),
        (header(length=10) + b"\x00" * 4 + track(NOTE + END), 2, "4 bytes more than are defined"),
        (header(tracks=0) + track(NOTE + END), 2, "announces 0 tracks; the file has 1"),
        (header(tracks=65535) + track(NOTE + END), 2, "announces 65535 tracks; the file has 1"),
        (b"RIFF\x2a\x00\x00\x00RMIDdata\x1e\x00\x00\x00" + one_track(NOTE + END), 2, "RIFF"),
        (b"RIFF\x2a\x00\x00\x00RMIDLIST\x01\x00\x00\x00x\x00data\x1e\x00\x00\x00" + one_track(NOTE + END), 2, "RIFF"),
    ],
)
def test_damage_that_a_daw_accepts_becomes_a_warning(data: bytes, events: int, warning: str) -> None:
    file = read_midi(data)
    assert [len(events) for events in file.tracks] == [events]
    assert len(file.warnings) == 1
    assert warning in file.warnings[0]


def test_a_track_that_declares_the_bytes_of_the_next_one() -> None:
    file = read_midi(header(tracks=2) + track(NOTE + END, length=24) + track(NOTE + NOTE + END))
    assert [len(events) for events in file.tracks] == [2, 3]
    assert file.warnings == ["Track 0 declares more bytes than it has; the next track begins at byte 30."]


def test_data_bytes_over_127_are_read_as_127() -> None:
    body = b"\x00\x90\x3c\xc8\x00\xe0\x80\x05\x00\xf2\x01\x80"
    assert read_midi(one_track(body + END)).tracks[0][:-1] == (
        (0, 0x90, b"\x3c\x7f"),
        (0, 0xE0, b"\x7f\x05"),
        (0, 0xF2, b"\x01\x7f"),
    )


@pytest.mark.parametrize("length", range(12))
def test_a_track_that_is_longer_than_declared(length: int) -> None:
    file = read_midi(header(tracks=2) + track(NOTE + NOTE + END, length=length) + track(NOTE + END))
    assert file.tracks == [(NOTE_EVENT, NOTE_EVENT, END_EVENT), (NOTE_EVENT, END_EVENT)]
    assert file.warnings == ["Track 0 declares fewer bytes than it has; it ends at byte 34."]


def test_other_chunks_after_a_track_that_declares_the_whole_file() -> None:
    file = read_midi(header() + track(NOTE + END, length=0xFFFFFFFF) + b"XFIH\x00\x00\x00\x01a")
    assert file.tracks == [(NOTE_EVENT, END_EVENT)]
    assert file.alien_chunks == [AlienChunk(before_track=1, tag=b"XFIH", body=b"a")]


def test_end_of_track_with_a_payload() -> None:
    assert read_midi(one_track(NOTE + b"\x00\xff\x2f\x01a")).tracks == [(NOTE_EVENT, END_EVENT)]


def test_type_0_with_two_tracks() -> None:
    assert "should have one track" in read_midi(header(0, 2) + track(END) + track(END)).warnings[0]


# What is rejected, and where


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"hello world, not midi", "begins with b'hell'"),
        (b"MThd\x00\x00", "cut off"),
        (header(length=5) + track(END), "at byte 4 is 5"),
        (header(3) + track(END), "at byte 8 is 3"),
        (header(division=0) + track(END), "at byte 12 is 0"),
        (header(division=0xFF01) + track(END), "at byte 12 is 1 frames"),
        (header(division=0xE700) + track(END), "0 ticks"),
        (header(), "no MTrk chunk"),
        (b"RIFF\x2a\x00\x00\x00RMIDfoo \x00\x00\x00\x00", "no 'data' chunk"),
        (one_track(b"\x00\x3c\x40" + END), "Byte 23 is 0x3C"),
        (one_track(b"\x00\x90\x3c\xc8" * 65 + END), "Byte 280 or the next is the 65th above 0x7F"),
        (one_track(b"\x00\xf4" + END), "Byte 23 is 0xF4"),
        (header(tracks=2) + track(NOTE + NOTE, length=6) + track(END), "track length at byte 18"),
    ],
)
def test_errors_name_the_byte(data: bytes, reason: str) -> None:
    assert reason in error_of(data)


@pytest.mark.parametrize("kind", [b"\xf0", b"\xf7", b"\xff\x01"])
def test_huge_declared_event_length(kind: bytes) -> None:
    body = NOTE + b"\x00" + kind + b"\xff\xff\xff\x7f\x01"
    assert "event 1 goes on past the track's end" in error_of(one_track(body))
    cut = read_midi(header() + track(body, length=2**28))  # as if the file had been truncated
    assert cut.tracks == [(NOTE_EVENT, END_EVENT)]


@pytest.mark.parametrize("where", ["delta", "length"])
def test_endless_variable_length_number(where: str) -> None:
    lead = b"" if where == "delta" else b"\x00\xff\x01"
    data = one_track(lead + b"\xff" * 1_000_000 + b"\x7f\x90\x3c\x40" + END)
    started = time.process_time()
    assert f"number at byte {22 + len(lead)} goes on past its fourth byte" in error_of(data)
    assert time.process_time() - started < 2


def test_40000_tracks_are_rejected_by_default_and_read_with_a_higher_limit() -> None:
    data = header(tracks=40_000) + track(END) * 40_000
    assert "more than 1024 tracks" in error_of(data)
    file = read_midi(data, replace(DEFAULT_LIMITS, max_tracks=40_000))
    assert len(file.tracks) == 40_000
    assert file.warnings == []


def test_overlapping_track_lengths_cost_linear_time() -> None:
    text = b"\x00\xff\x01\xce\x10" + b"x" * 10_000
    data = header(tracks=1000) + track(text + END, length=0xFFFFFFFF) * 1000
    started = time.process_time()
    file = read_midi(data)
    assert time.process_time() - started < 5
    assert [len(events) for events in file.tracks] == [2] * 1000


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"max_bytes": 29}, "30 bytes"),
        ({"max_events": 1}, "limit is reached at byte 26"),
        ({"max_tracks": 0}, "tracks"),
        ({"max_seconds": -1}, "lasts 0 seconds"),
    ],
)
def test_limits(change: dict[str, int], reason: str) -> None:
    data = one_track(NOTE + END)
    with pytest.raises(MusicError, match=reason):
        read_midi(data, replace(DEFAULT_LIMITS, **change))


def test_the_limit_of_events_is_exact_and_counts_all_tracks() -> None:
    data = header(tracks=2) + track(NOTE + END) * 2
    assert len(read_midi(data, replace(DEFAULT_LIMITS, max_events=4)).tracks) == 2
    with pytest.raises(MusicError, match="Split the file"):
        read_midi(data, replace(DEFAULT_LIMITS, max_events=3))


def test_music_that_lasts_years_is_rejected() -> None:
    assert "a delta time in it is wrong" in error_of(one_track(b"\xff\xff\xff\x7f\xd0\x01" * 100 + END))


def test_the_length_depends_on_tempo_and_on_single_tracks_of_type_2() -> None:
    slow = b"\x00\xff\x51\x03\xff\xff\xff"  # 16.8 seconds a beat
    beats = b"\xbf\x20\x90\x3c\x40"  # 8,096 ticks
    long_type_1 = header(1, 2, division=1) + track(slow + END) + track(beats + END)
    assert "lasts 135828 seconds, and the limit is 86400" in error_of(long_type_1)
    assert len(read_midi(header(2, 2, division=1) + track(slow + END) + track(beats + END)).tracks) == 2
    assert "lasts 135828 seconds" in error_of(header(2, 2, division=1) + track(END) + track(slow + beats + END))
