"""Changing tracks with numpy gives the same bytes and reports as without it, which the other tests check."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.child_resource_limits import ChildLimits
from consort_midi_store.transforms import apply_operations as engine
from consort_midi_store.transforms import note_cache
from consort_midi_store.transforms.large_files.event_columns import EventColumns
from consort_midi_store.transforms.transform_bytes import transform_bytes
from consort_music.errors import MusicError
from consort_music.midi.model import META, Event, MidiFile, Track
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from tests.support.midi_files import real_files
from tests.support.midi_strategies import midi_files
from tests.support.transform_inputs import (
    OPERATION,
    PPQ,
    clean_tracks,
    crowded_tracks,
    end,
    files,
    messy_tracks,
    note_operations,
    off,
    on,
    quantizings,
)

whole_operations = st.sampled_from(
    [
        {"type": "tempo", "scale": 2},
        {"type": "tempo", "bpm": 100},
        {"type": "trim", "start": 0.25, "end": 1.5},
        {"type": "split", "by": "channel"},
        {"type": "extract_tracks", "tracks": [0]},
        {"type": "merge"},
    ]
)
odd_quantizings = st.builds(
    lambda operation, strength: {**operation, "strength": strength}, quantizings, st.floats(0, 1, allow_subnormal=False)
)
odd_files = files(st.one_of(messy_tracks(), crowded_tracks(), clean_tracks()))


def changed(file: MidiFile, operations: list[dict[str, Any]]) -> tuple[list[tuple[bytes, str | None]], list[Any]]:
    try:
        result = engine.apply_operations(file, [OPERATION.validate_python(operation) for operation in operations])
    except MusicError as error:
        return [], [error.code, error.message]
    return [(write_midi(each.file), each.label) for each in result.files], result.reports


def check_with_and_without_numpy(file: MidiFile, operations: list[dict[str, Any]]) -> None:
    plain = changed(file, operations)
    with patch.object(engine, "LARGE_FILE_EVENTS", 0), patch.object(note_cache, "MIN_ROWS", 0):
        assert changed(file, operations) == plain


@settings(max_examples=200, deadline=None)
@given(odd_files, st.lists(st.one_of(note_operations, odd_quantizings), min_size=1, max_size=3))
def test_operations_on_notes_give_the_same_result(file: MidiFile, operations: list[dict[str, Any]]) -> None:
    check_with_and_without_numpy(file, operations)


@settings(deadline=None)
@given(odd_files, st.tuples(note_operations, whole_operations, note_operations))
def test_operations_with_and_without_columns_can_be_mixed(
    file: MidiFile, operations: tuple[dict[str, Any], ...]
) -> None:
    check_with_and_without_numpy(file, list(operations))


@pytest.mark.parametrize(
    "operation",
    [
        {"type": "transpose", "semitones": 1},
        {"type": "quantize", "grid": "1/4"},
        {"type": "swing"},
        {"type": "velocity", "add": 1},
    ],
    ids=lambda operation: str(operation["type"]),
)
def test_long_tracks_of_large_files_are_changed_as_columns(operation: dict[str, Any]) -> None:
    notes = [
        event for tick in range(0, 30 * engine.LARGE_FILE_EVENTS, 60) for event in (on(tick, 60), off(tick + 30, 60))
    ]
    short = [on(1, 60), off(30, 60), end(30)]
    file = MidiFile(1, PPQ, [[*notes, end(30 * engine.LARGE_FILE_EVENTS)], short])
    result = engine.apply_operations(file, [OPERATION.validate_python(operation)]).files[0].file
    assert isinstance(result.tracks[0], EventColumns)
    assert not isinstance(result.tracks[1], EventColumns)
    small = engine.apply_operations(MidiFile(1, PPQ, [short]), [OPERATION.validate_python(operation)])
    assert not isinstance(small.files[0].file.tracks[0], EventColumns)


def dense_track(seed: int, notes: int = 3_000) -> Track:
    """Return a track with notes on a few keys, which overlap, repeat and collide when folded, and with other events."""
    rng = random.Random(seed)
    events: list[tuple[int, int, Event]] = []
    tick = 0
    for _ in range(notes):
        tick += rng.choice((0, 0, 1, 7, 20, 24, 30, 130, 20_000 if rng.random() < 0.01 else 3))
        length, channel = rng.choice((1, 5, 23, 24, 25, 48, 300)), rng.choice((0, 0, 3, 9))
        pitch = rng.choice((60, 61, 115, 120, 127))
        events.append((tick, 2, on(tick, pitch, rng.choice((1, 64, 100)), channel)))
        stop = tick + length
        events.append((stop, 0, off(stop, pitch, rng.randrange(128), channel)))
        if rng.random() < 0.2:
            other = rng.choice(
                [(0xE0, b"\x00\x40"), (0xA0, b"\x7f\x05"), (0xC3, b"\x07"), (META, b"\x05la"), (0xF0, b"\x7e\xf7")]
            )
            events.append((tick, 1, (tick, *other)))
    if seed % 2:  # a hanging note, and a note-off without a note
        events += [(50, 2, on(50, 62)), (60, 0, off(60, 63))]
    events.sort(key=lambda item: item[:2])
    return [*(event for _, _, event in events), end(tick + 400)]


@pytest.mark.parametrize("seed", range(4))
def test_dense_tracks_give_the_same_result(seed: int) -> None:
    file = MidiFile(1, PPQ, [dense_track(seed), dense_track(seed + 100)])
    chains: list[list[dict[str, Any]]] = [
        [{"type": "transpose", "semitones": 2}, {"type": "quantize", "grid": "1/16"}],
        [{"type": "transpose", "semitones": 13, "out_of_range": "clamp", "include_drums": True}, {"type": "swing"}],
        [{"type": "transpose", "semitones": 12, "out_of_range": "drop"}, {"type": "velocity", "scale": 0.7}],
        [{"type": "quantize", "grid": "1/32t", "end": "quantize", "swing": 58, "strength": 0.37, "channels": [1, 10]}],
    ]
    for operations in chains:
        check_with_and_without_numpy(file, operations)


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_real_files_give_the_same_result(path: Path) -> None:
    file = read_midi(path.read_bytes())
    operations = [
        {"type": "transpose", "semitones": -7},
        {"type": "quantize", "grid": "1/16", "strength": 0.8},
        {"type": "velocity", "curve": 1.5},
    ]
    check_with_and_without_numpy(file, operations if file.ppq else operations[:1])


@settings(deadline=None)
@given(midi_files())
def test_columns_contain_and_write_every_event(file: MidiFile) -> None:
    columns = [EventColumns.of(track) for track in file.tracks]
    for track, as_columns in zip(file.tracks, columns, strict=True):
        assert as_columns is not None
        assert list(as_columns) == list(track) and len(as_columns) == len(track) and as_columns[-1] == track[-1]
    alone = [MidiFile(1, PPQ, [track]) for track in file.tracks]
    assert [write_midi(MidiFile(1, PPQ, [each])) for each in columns if each] == list(map(write_midi, alone))


@pytest.mark.parametrize("track", [[on(0, 60), off(5, 60)], [end(0), on(0, 60), off(5, 60), end(5)]])
def test_a_track_without_exactly_one_end_of_track_is_changed_without_columns(track: Track) -> None:
    assert EventColumns.of(track) is None
    check_with_and_without_numpy(MidiFile(1, PPQ, [track]), [{"type": "transpose", "semitones": 1}])


def test_the_service_never_imports_numpy_for_small_files() -> None:
    script = """
import sys
import consort_midi_store.app
from consort_kit.processes.work_limits import SUMMARIZE_MIDI
from consort_midi_store.transforms.operation_parameters import QuantizeOperation
from consort_midi_store.transforms.transform_bytes import transform_bytes
from consort_music.timing.grid import parse_grid
small = SUMMARIZE_MIDI.max_size_without_child
body = b"\\0\\xd0\\1" + b"\\0\\1" * ((small - 50) // 2 - 10) + b"\\0\\x90\\x3c\\x40\\5\\x3c\\0\\0\\xff\\x2f\\0"
midi = b"MThd\\0\\0\\0\\6\\0\\0\\0\\1\\1\\xe0MTrk" + len(body).to_bytes(4, "big") + body
made = transform_bytes(midi, {}, [QuantizeOperation(parse_grid("1/4"))], 10**7).files
assert len(midi) <= small and made[0].content and "numpy" not in sys.modules, sorted(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_large_file_is_changed_in_a_child_process_within_limits() -> None:
    notes = [event for tick in range(0, 4_000_000, 50) for event in (on(tick, 60), off(tick + 40, 60))]
    song = write_midi(MidiFile(1, PPQ, [[*notes, end(4_000_000)]]))
    limits = ChildLimits(cpu_s=20, memory_bytes=512 * 1024 * 1024)
    operations = [OPERATION.validate_python({"type": "transpose", "semitones": 1})]
    made, reports, _ = asyncio.run(
        run_within_limits(len(song), limits, transform_bytes, song, {}, operations, len(song))
    )
    assert len(song) > limits.max_size_without_child and reports[0].changed == {"transposed": 80_000}
    assert made == transform_bytes(song, {}, operations, len(song))[0]
