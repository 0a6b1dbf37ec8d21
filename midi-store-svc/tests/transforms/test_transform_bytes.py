"""transform_bytes: the summary of a result is the same as the summary of its written bytes."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from consort_midi_store.files.file_summary import summarize_bytes
from consort_midi_store.transforms import transform_bytes as transform_module
from consort_midi_store.transforms.transform_bytes import transform_bytes
from consort_music.errors import MusicError
from consort_music.midi.model import AlienChunk, MidiFile
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
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
    whole_files,
)

MAX_BYTES = 10**7
OTHER = "midi_" + "0" * 26
file_operations = st.sampled_from(
    [
        {"type": "tempo", "scale": 2},
        {"type": "tempo", "bpm": 100},
        {"type": "trim", "start": 0.25, "end": 1.5},
        {"type": "cut", "start": 0.25, "end": 0.5},
        {"type": "split", "by": "channel"},
        {"type": "split", "by": "track"},
        {"type": "extract_tracks", "tracks": [0]},
        {"type": "merge"},
        {"type": "merge", "midi_file_ids": [OTHER]},
        {"type": "merge", "midi_file_ids": [OTHER], "order": "sequence"},
    ]
)


def check_summaries(content: bytes, other: bytes, operations: list[dict[str, Any]]) -> None:
    parsed = [OPERATION.validate_python(operation) for operation in operations]
    for file in transform_bytes(content, {OTHER: other}, parsed, MAX_BYTES).files:
        assert file.summary == summarize_bytes(file.content, MAX_BYTES)


@settings(max_examples=120, deadline=None)
@given(
    files(st.one_of(messy_tracks(), crowded_tracks(), clean_tracks())),
    whole_files,
    st.lists(st.one_of(note_operations, file_operations), min_size=1, max_size=3),
)
def test_the_summary_is_that_of_the_written_file(
    file: MidiFile, other: MidiFile, operations: list[dict[str, Any]]
) -> None:
    try:
        check_summaries(write_midi(file), write_midi(other), operations)
    except MusicError as error:
        assume(error.code != "EMPTY_RANGE")  # the drawn file ends before the range
        raise


@settings(deadline=None)
@given(midi_files())
def test_the_summary_of_an_unusual_file_is_that_of_the_written_file(file: MidiFile) -> None:
    content = write_midi(file)
    try:
        read_midi(content)
    except MusicError:
        reject()  # the drawn file lasts too long
    check_summaries(content, content, [{"type": "velocity", "scale": 0.5}])


def test_the_result_of_an_intact_file_is_not_read_again() -> None:
    operation = OPERATION.validate_python({"type": "transpose", "semitones": 1})
    with patch.object(transform_module, "summarize_bytes", side_effect=AssertionError("read again")):
        (file,) = transform_bytes(write_midi(MidiFile(1, PPQ, [TRACK])), {}, [operation], MAX_BYTES).files
    assert file.summary is not None and file.summary["note_range"]["lowest_name"] == "C#4"


TRACK = [on(0, 60), off(PPQ, 60), end(PPQ)]


@pytest.mark.parametrize(
    "content",
    [
        write_midi(MidiFile(1, PPQ, [TRACK], alien_chunks=[AlienChunk(1, b"XFIH", b"data")])),
        write_midi(MidiFile(1, PPQ, [TRACK], header_extra=b"\0\0")),
        write_midi(MidiFile(1, PPQ, [TRACK])) + b"\0\0\0",
        write_midi(MidiFile(1, PPQ, [TRACK]))[:-4],
        write_midi(MidiFile(1, PPQ, [[on(0, 60), end(PPQ)]])),
        write_midi(MidiFile(2, PPQ, [TRACK, TRACK])),
    ],
    ids=["other chunk", "long header", "bytes after the end", "cut off", "hanging note", "type 2"],
)
def test_the_summary_of_a_damaged_file_is_that_of_the_written_file(content: bytes) -> None:
    for operation in ({"type": "transpose", "semitones": 1}, {"type": "split"}, {"type": "tempo", "bpm": 90}):
        check_summaries(content, content, [operation])


def test_a_result_that_is_too_large_has_no_summary() -> None:
    content = write_midi(MidiFile(1, PPQ, [TRACK]))
    operation = OPERATION.validate_python({"type": "tempo", "bpm": 90})
    (file,) = transform_bytes(content, {}, [operation], len(content)).files
    assert len(file.content) > len(content) and file.summary is None


@pytest.mark.parametrize("after", [b"", b"\0\0\0"], ids=["intact", "with a warning"])
def test_a_result_that_lasts_too_long_has_no_summary(after: bytes) -> None:
    hours = 2 * 60 * 60 * 2 * PPQ
    content = write_midi(MidiFile(1, PPQ, [[on(0, 60), off(PPQ, 60), end(hours)]])) + after
    operation = OPERATION.validate_python({"type": "tempo", "scale": 0.05})
    (file,) = transform_bytes(content, {}, [operation], MAX_BYTES).files
    assert file.summary is None
    with pytest.raises(MusicError, match="lasts 144000 seconds"):
        summarize_bytes(file.content, MAX_BYTES)
