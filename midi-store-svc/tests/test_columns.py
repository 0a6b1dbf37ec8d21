"""Long tracks as columns: the same bytes and the same report as the plain way, which other tests know to be right."""

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

from consort_kit.child import ChildLimits, with_care
from consort_midi_store.transforms import apply as engine
from consort_midi_store.transforms import cache
from consort_midi_store.transforms.columns import Columns
from consort_midi_store.transforms.service import change
from consort_music.errors import MusicError
from consort_music.midi.model import META, Event, MidiFile, Track
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from libs.music.tests.midi_strategies import midi_files
from tests.midi_files import real_files
from tests.midi_tracks import (
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
        result = engine.apply(file, [OPERATION.validate_python(operation) for operation in operations])
    except MusicError as refused:
        return [], [refused.code, refused.message]
    return [(write_midi(outcome.file), outcome.label) for outcome in result.outcomes], result.reports


def same_both_ways(file: MidiFile, operations: list[dict[str, Any]]) -> None:
    plain = changed(file, operations)
    with patch.object(engine, "BIG_EVENTS", 0), patch.object(cache, "MIN_ROWS", 0):
        assert changed(file, operations) == plain


@settings(max_examples=500, deadline=None)
@given(odd_files, st.lists(st.one_of(note_operations, odd_quantizings), min_size=1, max_size=3))
def test_operations_on_notes_do_the_same(file: MidiFile, operations: list[dict[str, Any]]) -> None:
    same_both_ways(file, operations)


@settings(deadline=None)
@given(odd_files, st.tuples(note_operations, whole_operations, note_operations))
def test_operations_that_know_no_columns_go_between(file: MidiFile, operations: tuple[dict[str, Any], ...]) -> None:
    same_both_ways(file, list(operations))


def dense_track(seed: int, notes: int = 3_000) -> Track:
    """Notes on a few keys that overlap, repeat and fold onto each other, with bends, metas and exclusives between."""
    chance = random.Random(seed)
    events: list[tuple[int, int, Event]] = []
    tick = 0
    for _ in range(notes):
        tick += chance.choice((0, 0, 1, 7, 20, 24, 30, 130, 20_000 if chance.random() < 0.01 else 3))
        length, channel = chance.choice((1, 5, 23, 24, 25, 48, 300)), chance.choice((0, 0, 3, 9))
        pitch = chance.choice((60, 61, 115, 120, 127))
        events.append((tick, 2, on(tick, pitch, chance.choice((1, 64, 100)), channel)))
        stop = tick + length
        events.append((stop, 0, off(stop, pitch, chance.randrange(128), channel)))
        if chance.random() < 0.2:
            other = chance.choice(
                [(0xE0, b"\x00\x40"), (0xA0, b"\x7f\x05"), (0xC3, b"\x07"), (META, b"\x05la"), (0xF0, b"\x7e\xf7")]
            )
            events.append((tick, 1, (tick, *other)))
    if seed % 2:  # a hanging note, and a note-off that ends nothing
        events += [(50, 2, on(50, 62)), (60, 0, off(60, 63))]
    events.sort(key=lambda item: item[:2])
    return [*(event for _, _, event in events), end(tick + 400)]


@pytest.mark.parametrize("seed", range(4))
def test_dense_tracks_do_the_same(seed: int) -> None:
    file = MidiFile(1, PPQ, [dense_track(seed), dense_track(seed + 100)])
    chains: list[list[dict[str, Any]]] = [
        [{"type": "transpose", "semitones": 2}, {"type": "quantize", "grid": "1/16"}],
        [{"type": "transpose", "semitones": 13, "out_of_range": "clamp", "include_drums": True}, {"type": "swing"}],
        [{"type": "transpose", "semitones": 12, "out_of_range": "drop"}, {"type": "velocity", "scale": 0.7}],
        [{"type": "quantize", "grid": "1/32t", "end": "quantize", "swing": 58, "strength": 0.37, "channels": [1, 10]}],
    ]
    for operations in chains:
        same_both_ways(file, operations)


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_real_files_do_the_same(path: Path) -> None:
    file = read_midi(path.read_bytes())
    operations = [
        {"type": "transpose", "semitones": -7},
        {"type": "quantize", "grid": "1/16", "strength": 0.8},
        {"type": "velocity", "curve": 1.5},
    ]
    same_both_ways(file, operations if file.ppq else operations[:1])


@settings(deadline=None)
@given(midi_files())
def test_columns_hold_every_event_and_write_it(file: MidiFile) -> None:
    columns = [Columns.of(track) for track in file.tracks]
    for track, as_columns in zip(file.tracks, columns, strict=True):
        assert as_columns is not None
        assert list(as_columns) == list(track) and len(as_columns) == len(track) and as_columns[-1] == track[-1]
    alone = [MidiFile(1, PPQ, [track]) for track in file.tracks]
    assert [write_midi(MidiFile(1, PPQ, [each])) for each in columns if each] == list(map(write_midi, alone))


@pytest.mark.parametrize("track", [[], [on(0, 60), off(5, 60)], [end(0), on(0, 60), off(5, 60), end(5)]])
def test_a_track_without_one_end_is_left_to_the_plain_way(track: Track) -> None:
    assert Columns.of(track) is None
    if track:
        same_both_ways(MidiFile(1, PPQ, [track]), [{"type": "transpose", "semitones": 1}])


def test_a_service_that_changes_small_files_never_imports_numpy() -> None:
    script = """
import sys
import consort_midi_store.app
from consort_midi_store.describe import READING
from consort_midi_store.transforms.models import Quantize
from consort_midi_store.transforms.service import change
body = b"\\0\\xd0\\1" + b"\\0\\1" * ((READING.small - 50) // 2 - 10) + b"\\0\\x90\\x3c\\x40\\5\\x3c\\0\\0\\xff\\x2f\\0"
midi = b"MThd\\0\\0\\0\\6\\0\\0\\0\\1\\1\\xe0MTrk" + len(body).to_bytes(4, "big") + body
made, reports, _ = change(midi, {}, [Quantize(type="quantize", grid="1/4")], 10**7)
assert len(midi) <= READING.small and made[0].content and "numpy" not in sys.modules, sorted(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_big_file_is_changed_in_a_child_that_may_not_use_much() -> None:
    notes = [event for tick in range(0, 4_000_000, 50) for event in (on(tick, 60), off(tick + 40, 60))]
    song = write_midi(MidiFile(1, PPQ, [[*notes, end(4_000_000)]]))
    limits = ChildLimits(cpu_s=20, memory_bytes=512 * 1024 * 1024)
    operations = [OPERATION.validate_python({"type": "transpose", "semitones": 1})]
    made, reports, _ = asyncio.run(with_care(len(song), limits, change, song, {}, operations, len(song)))
    assert len(song) > limits.small and reports[0].changed == {"transposed": 80_000}
    assert made == change(song, {}, operations, len(song))[0]
