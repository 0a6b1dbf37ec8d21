"""velocity: change how loud notes are."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from consort_music.midi.model import MidiFile
from tests.support.transform_inputs import changed, drawn, end, files, messy_tracks, notes_of, off, on, velocities


@settings(deadline=None)
@given(files(messy_tracks()), velocities)
def test_velocities_stay_within_limits_and_are_counted(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, operation)
    counts: Counter[str] = Counter()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        for before, after in zip(notes_of(old), notes_of(new), strict=True):
            assert operation.get("min", 1) <= after.velocity <= operation.get("max", 127)
            assert before.release_velocity == after.release_velocity
            counts["louder"] += after.velocity > before.velocity
            counts["softer"] += after.velocity < before.velocity
    for what in ("louder", "softer"):
        assert report.changed.get(what, 0) == counts[what]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"set": 64}, [64, 64, 64]),
        ({"scale": 0.5}, [10, 30, 60]),
        ({"add": 30}, [50, 90, 127]),
        ({"compress": 1}, [67, 67, 67]),
        ({"compress": 0.5}, [43, 63, 93]),
        ({"compress": -1}, [1, 53, 127]),
        ({"curve": 2}, [50, 87, 123]),
        ({"min": 30, "max": 100}, [30, 60, 100]),
    ],
)
def test_each_parameter_changes_velocities(fields: dict[str, Any], expected: list[int]) -> None:
    track = [on(0, 60, 20), off(5, 60), on(10, 60, 60), off(15, 60), on(20, 60, 120), on(25, 60, 0), end(30)]
    result, _ = changed(drawn(track), {"type": "velocity", **fields})
    assert [note.velocity for note in notes_of(result.tracks[0])] == expected
    assert result.tracks[0][5] == on(25, 60, 0)
