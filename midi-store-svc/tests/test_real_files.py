"""Real files through the transforms: what no operation touches stays as it is, byte for byte, and notes stay whole."""

from pathlib import Path
from typing import Any

import pytest

from consort_midi_store.transforms.service import change
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from tests.midi_files import real_files
from tests.midi_tracks import OPERATION

OPERATIONS: list[list[dict[str, Any]]] = [
    [{"type": "transpose", "semitones": 5}, {"type": "transpose", "semitones": -5}],
    [{"type": "quantize", "grid": "1/8t", "end": "quantize"}],
    [{"type": "humanize", "seed": 1}, {"type": "velocity", "compress": 0.5}, {"type": "swing"}],
]


def transformed(content: bytes, operations: list[dict[str, Any]]) -> bytes:
    made, _, _ = change(content, {}, [OPERATION.validate_python(operation) for operation in operations], 10**7)
    return made[0].content


def bodies(content: bytes) -> list[bytes]:
    """The bytes of the track chunks, found without our reader."""
    found, at = [], 14
    while at < len(content):
        stop = at + 8 + int.from_bytes(content[at + 4 : at + 8], "big")
        found.append(content[at + 8 : stop])
        at = stop
    return found


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_untouched_tracks_of_real_files_stay_byte_for_byte(path: Path) -> None:
    content = path.read_bytes()
    before = bodies(content)
    for index in range(len(before)):
        for operations in OPERATIONS:
            after = bodies(transformed(content, [{**operation, "tracks": [index]} for operation in operations]))
            assert after[:index] + after[index + 1 :] == before[:index] + before[index + 1 :]


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_notes_of_real_files_stay_whole_and_the_rest_as_it_was(path: Path) -> None:
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
