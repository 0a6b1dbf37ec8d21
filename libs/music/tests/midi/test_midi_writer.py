"""Written files read back equal, unchanged tracks keep their bytes, and impossible events are rejected."""

import io
import pickle
from collections.abc import Sequence
from dataclasses import replace

import mido
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.model import AlienChunk, Event, MidiFile, ReadTrack
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from tests.support.midi_strategies import UNHURRIED, midi_files

END: Event = (0, 0xFF, b"\x2f")
ON: Event = (0, 0x90, b"\x3c\x40")


def body_of(*events: Event) -> bytes:
    """Return the track chunk of these events, without its tag and length."""
    return write_midi(MidiFile(1, 480, [events]))[22:]


def rewritten(file: MidiFile) -> MidiFile:
    """Return the same file without its original bytes."""
    return replace(file, tracks=[list(track) for track in file.tracks])


def file_of(*bodies: bytes, header_extra: bytes = b"") -> bytes:
    head = b"MThd" + (6 + len(header_extra)).to_bytes(4, "big") + b"\x00\x01" + len(bodies).to_bytes(2, "big")
    chunks = (b"MTrk" + len(body).to_bytes(4, "big") + body for body in bodies)
    return head + b"\x01\xe0" + header_extra + b"".join(chunks)


# Round trips


@settings(max_examples=120, deadline=None)
@given(midi_files())
def test_write_then_read_is_the_identity(file: MidiFile) -> None:
    back = read_midi(write_midi(file), UNHURRIED)
    assert replace(back, warnings=[]) == file
    assert write_midi(back) == write_midi(file)
    assert write_midi(rewritten(back)) == write_midi(file)


ODD_BODIES = [
    b"\x00\x90\x3c\x40\x00\x90\x3c\x00\x00\xff\x2f\x00",  # no running status
    b"\x80\x00\x90\x3c\x40\x80\x80\x00\x3c\x00\x80\x80\x80\x00\xff\x2f\x00",  # delta times with unnecessary bytes
    b"\x00\xff\x01\x80\x80\x01a\x00\xff\x2f\x00",  # a length with unnecessary bytes
    b"\x00\x90\x3c\x40\x00\xf0\x01\xf7\x00\x3c\x00\x00\xff\x2f\x00",  # running status kept across system exclusive
    b"\x00\x90\x3c\xc8\x00\xff\x2f\x00",  # a velocity of 200
    b"\x00\xff\x2f\x00\x00\x90\x3c\x40",  # events after the end
    b"\x00\xff\x2f\x02ab",  # an end with a payload
]


@pytest.mark.parametrize("body", ODD_BODIES)
def test_unchanged_tracks_are_byte_equal_if_others_change(body: bytes) -> None:
    data = file_of(body, b"\x00\x90\x3c\x40\x60\x80\x3c\x40\x00\xff\x2f\x00", body)
    file = read_midi(data)
    assert write_midi(file) == data
    raised = [(tick, status, bytes((data[0] + 1, data[1]))) for tick, status, data in file.tracks[1][:-1]]
    written = write_midi(replace(file, tracks=[file.tracks[0], raised, file.tracks[2]]))
    assert written == file_of(body, b"\x00\x90\x3d\x40\x60\x80\x3d\x40\x00\xff\x2f\x00", body)
    assert read_midi(written).tracks[0] == file.tracks[0]


@pytest.mark.parametrize("body", ODD_BODIES)
def test_odd_tracks_written_from_events_have_equal_events(body: bytes) -> None:
    file = read_midi(file_of(body))
    clean = read_midi(write_midi(rewritten(file)))
    assert clean.tracks == file.tracks
    assert clean.warnings == []


@pytest.mark.parametrize("cut", range(1, 12))
def test_damaged_files_are_written_as_valid_files(cut: int) -> None:
    data = file_of(b"\x00\xff\x2f\x00", b"\x00\x90\x3c\x40\x60\x3c\x00\x00\xff\x2f\x00")[:-cut]
    file = read_midi(data)
    sound = read_midi(write_midi(file))
    assert sound.tracks == file.tracks
    assert sound.warnings == []


def test_riff_wrapper_and_junk_are_dropped() -> None:
    bare = file_of(b"\x00\x90\x3c\x40\x00\xff\x2f\x00")
    size = len(bare).to_bytes(4, "little")
    file = read_midi(b"RIFF" + size + b"RMIDDISP\x02\x00\x00\x00abdata" + size + bare + b"\x00" * 9)
    assert write_midi(file) == bare


def test_other_chunks_and_header_bytes_keep_their_position() -> None:
    data = file_of(b"\x00\xff\x2f\x00", header_extra=b"abc")
    data = data[:17] + b"XFIH\x00\x00\x00\x01x" + data[17:] + b"XFKM\x00\x00\x00\x00"
    file = read_midi(data)
    assert write_midi(file) == data
    fewer = [replace(chunk, before_track=9) for chunk in file.alien_chunks]
    assert write_midi(replace(file, alien_chunks=fewer)).endswith(b"XFIH\x00\x00\x00\x01xXFKM\x00\x00\x00\x00")


# A changed track loses its original bytes


def test_anything_derived_from_a_read_track_has_no_chunk_body() -> None:
    track = read_midi(file_of(b"\x80\x00\x90\x3c\x40\x00\xff\x2f\x00")).tracks[0]
    assert isinstance(track, ReadTrack)
    assert track.chunk_body == b"\x80\x00\x90\x3c\x40\x00\xff\x2f\x00"
    made: list[Sequence[Event]] = [track[:], track[:1], track + track, list(track), sorted(track), ReadTrack(track)]
    assert [getattr(other, "chunk_body", None) for other in made] == [None] * len(made)
    with pytest.raises(TypeError):
        track[0] = ON  # type: ignore[index]
    with pytest.raises(AttributeError):
        track.chunk_body = b""  # type: ignore[misc]


def test_a_read_file_can_be_pickled() -> None:
    data = file_of(ODD_BODIES[1])
    assert write_midi(pickle.loads(pickle.dumps(read_midi(data)))) == data


# The bytes of a track written from its events


def test_running_status_ends_at_system_and_meta_events() -> None:
    sysex, text = (0, 0xF0, b"\x01\xf7"), (0, 0xFF, b"\x01a")
    assert body_of(ON, ON, sysex, ON, text, ON, END) == (
        b"\x00\x90\x3c\x40\x00\x3c\x40\x00\xf0\x02\x01\xf7\x00\x90\x3c\x40\x00\xff\x01\x01a\x00\x90\x3c\x40\x00\xff\x2f\x00"
    )


@pytest.mark.parametrize(
    ("ticks", "body"),
    [
        ((), b"\x00\xff\x2f\x00"),
        ((0,), b"\x00\xff\x2f\x00"),
        ((5,), b"\x05\xff\x2f\x00"),
        ((1, 2, 300), b"\x82\x2c\xff\x2f\x00"),
    ],
)
def test_end_of_track_is_written_once(ticks: tuple[int, ...], body: bytes) -> None:
    assert body_of(*((tick, 0xFF, b"\x2f") for tick in ticks)) == body


def test_end_of_track_is_always_written_last() -> None:
    assert body_of(ON, END, (5, 0x80, b"\x3c\x00")) == b"\x00\x90\x3c\x40\x05\x80\x3c\x00\x00\xff\x2f\x00"
    assert (
        body_of(ON, (9, 0x80, b"\x3c\x00"), (4, 0xFF, b"\x2f")) == b"\x00\x90\x3c\x40\x09\x80\x3c\x00\x00\xff\x2f\x00"
    )


@pytest.mark.parametrize(
    ("ticks", "delta"),
    [
        (127, b"\x7f"),
        (128, b"\x81\x00"),
        (16383, b"\xff\x7f"),
        (16384, b"\x81\x80\x00"),
        (2**28 - 1, b"\xff\xff\xff\x7f"),
    ],
)
def test_delta_times(ticks: int, delta: bytes) -> None:
    assert body_of((ticks, 0xC0, b"\x01"), (ticks * 2, 0xC0, b"\x02")) == (
        delta + b"\xc0\x01" + delta + b"\x02\x00\xff\x2f\x00"
    )


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ((-1, 0x90, b"\x3c\x40"), "order of time"),
        ((-1, 0xFF, b"\x01a"), "order of time"),
        ((2**28, 0x90, b"\x3c\x40"), "268435456 is over 268435455"),
        ((0, 0x90, b"\x3c"), "2 data bytes"),
        ((0, 0x90, b"\x3c\x80"), "below 0x80"),
        ((0, 0xC0, b"\x01\x02"), "1 data bytes"),
        ((0, 0xC0, b""), "1 data bytes"),
        ((0, 0x7F, b"\x3c\x40"), "not a status"),
        ((0, 0x100, b"\x3c\x40"), "no system message"),
        ((0, 0xF4, b""), "no system message"),
        ((0, 0xF2, b"\x01"), "no system message"),
        ((0, 0xFF, b""), "index out of range"),
    ],
)
def test_events_that_a_file_cannot_contain_are_rejected(event: Event, reason: str) -> None:
    with pytest.raises(MusicError, match=reason) as caught:
        write_midi(MidiFile(1, 480, [[ON, END], [ON, event]]))
    assert caught.value.code == "UNWRITABLE_MIDI"
    assert caught.value.message.startswith(f"Track 1: the event {event!r} cannot be written")


@pytest.mark.parametrize(
    "file",
    [
        MidiFile(3, 480, [[END]]),
        MidiFile(1, 0, [[END]]),
        MidiFile(1, 0x10000, [[END]]),
        MidiFile(1, 480, []),
        MidiFile(1, 480, [[END]], [AlienChunk(0, b"MTrk", b"")]),
        MidiFile(1, 480, [[END]], [AlienChunk(0, b"XF", b"")]),
    ],
)
def test_invalid_files_are_rejected(file: MidiFile) -> None:
    with pytest.raises(MusicError) as caught:
        write_midi(file)
    assert caught.value.code == "UNWRITABLE_MIDI"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0x80, 0xEF), st.integers(0, 127)), max_size=40))
def test_mido_reads_what_is_written(raw: list[tuple[int, int, int]]) -> None:
    tick, events = 0, []
    for delta, status, value in raw:
        tick += delta
        events.append((tick, status, bytes((value,) if 0xC0 <= status < 0xE0 else (value, value))))
    theirs = mido.MidiFile(file=io.BytesIO(write_midi(MidiFile(0, 96, [events]))))
    found = []
    tick = 0
    for message in theirs.tracks[0][:-1]:
        tick += message.time
        found.append((tick, message.bytes()[0], bytes(message.bytes()[1:])))
    assert found == events


def test_a_type_0_file_with_two_tracks_is_written_as_type_1() -> None:
    two = MidiFile(0, 96, [[(0, 0x90, b"\x3c\x40"), (9, 0xFF, b"\x2f")], [(0, 0xC0, b"\x05"), (0, 0xFF, b"\x2f")]])
    theirs = mido.MidiFile(file=io.BytesIO(write_midi(two)))
    assert (theirs.type, len(theirs.tracks)) == (1, 2)
    assert write_midi(MidiFile(0, 96, two.tracks[:1]))[8:10] == b"\0\0"
