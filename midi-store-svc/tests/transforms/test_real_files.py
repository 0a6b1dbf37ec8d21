"""Operations on real files: unchanged tracks stay byte for byte, and no note breaks."""

from pathlib import Path
from typing import Any

import pytest

from consort_midi_store.transforms.transform_bytes import transform_bytes
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from tests.support.midi_files import real_files
from tests.support.transform_inputs import OPERATION

OPERATIONS: list[list[dict[str, Any]]] = [
    [{"type": "transpose", "semitones": 5}, {"type": "transpose", "semitones": -5}],
    [{"type": "quantize", "grid": "1/8t", "end": "quantize"}],
    [{"type": "humanize", "seed": 1}, {"type": "velocity", "compress": 0.5}, {"type": "swing"}],
]


def transformed(content: bytes, operations: list[dict[str, Any]]) -> bytes:
    parsed = [OPERATION.validate_python(operation) for operation in operations]
    return transform_bytes(content, {}, parsed, 10**7).files[0].content


def bodies(content: bytes) -> list[bytes]:
    """Return the bytes of the track chunks, found without our reader."""
    found, at = [], 14
    while at < len(content):
        stop = at + 8 + int.from_bytes(content[at + 4 : at + 8], "big")
        found.append(content[at + 8 : stop])
        at = stop
    return found


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_unchanged_tracks_of_real_files_stay_byte_for_byte(path: Path) -> None:
    content = path.read_bytes()
    before = bodies(content)
    for index in range(len(before)):
        for operations in OPERATIONS:
            after = bodies(transformed(content, [{**operation, "tracks": [index]} for operation in operations]))
            assert after[:index] + after[index + 1 :] == before[:index] + before[index + 1 :]


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_notes_of_real_files_do_not_break_and_other_events_stay(path: Path) -> None:
    content = path.read_bytes()
    before = read_midi(content).tracks
    for operations in OPERATIONS:
        after = read_midi(transformed(content, operations))
        assert after.warnings == []
        for old, new in zip(before, after.tracks, strict=True):
            notes, strays = pair_notes(new)
            assert strays == 0 and all(note.end > note.start and not note.is_hanging for note in notes)
            assert [event for event in new[:-1] if event[1] >= 0xB0] == [
                event for event in old[:-1] if event[1] >= 0xB0
            ]
