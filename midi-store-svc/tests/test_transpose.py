"""Transposition."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.midi.model import MidiFile
from tests.midi_tracks import (
    changed,
    clean_tracks,
    drawn,
    end,
    files,
    messy_tracks,
    notes_of,
    off,
    on,
    others_of,
    transposings,
)


@settings(deadline=None)
@given(files(clean_tracks()), st.integers(-127, 127))
def test_transposing_up_and_down_is_the_identity_where_nothing_folds(file: MidiFile, semitones: int) -> None:
    up, down = {"type": "transpose", "semitones": semitones}, {"type": "transpose", "semitones": -semitones}
    there, (report,) = changed(file, up)
    if "folded" in report.changed:
        return
    poly = [data[0] for track in file.tracks for _, status, data in track if status & 0xF0 == 0xA0]
    if all(0 <= pitch + semitones <= 127 for pitch in poly):
        back, _ = changed(there, down)
        assert [list(track) for track in back.tracks] == [list(track) for track in file.tracks]


@settings(deadline=None)
@given(files(messy_tracks()), transposings)
def test_transposing_moves_pitches_and_nothing_else(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, operation)
    drums = operation.get("include_drums", False)
    shift = operation["semitones"]
    out = Counter[str]()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        wanted = [event for event in others_of(old) if event[1] & 0xF0 != 0xA0]
        assert [event for event in others_of(new) if event[1] & 0xF0 != 0xA0] == wanted
        if not drums:
            sounding = [
                [(note.start, note.pitch, note.velocity) for note in notes_of(track) if note.channel == 9]
                for track in (old, new)
            ]
            assert sounding[0] == sounding[1]
            assert [e for e in old if e[1] == 0xA9] == [e for e in new if e[1] == 0xA9]
        for note in notes_of(old):
            if note.channel != 9 or drums:
                out["all"] += 1
                out["leaving"] += not 0 <= note.pitch + shift <= 127
    if shift:
        policy = operation.get("out_of_range", "fold")
        assert (
            report.changed.get({"fold": "folded", "clamp": "clamped", "drop": "dropped"}[policy], 0) == out["leaving"]
        )
        lost = report.changed.get("duplicates_removed", 0) + report.changed.get("dropped", 0)
        assert report.changed.get("transposed", 0) == out["all"] - lost


@pytest.mark.parametrize(
    ("semitones", "policy", "pitches"),
    [(12, "fold", [72, 120, 121]), (12, "clamp", [72, 127, 127]), (12, "drop", [72]), (-127, "fold", [5, 5, 6])],
)
def test_what_leaves_the_range(semitones: int, policy: str, pitches: list[int]) -> None:
    track = [
        on(0, 60),
        off(5, 60),
        on(10, 120),
        off(15, 120),
        on(20, 121),
        (22, 0xA0, b"\x79\x05"),
        off(25, 121),
        end(30),
    ]
    result, _ = changed(drawn(track), {"type": "transpose", "semitones": semitones, "out_of_range": policy})
    assert [note.pitch for note in notes_of(result.tracks[0])] == pitches
    pressures = [data[0] for _, status, data in result.tracks[0] if status == 0xA0]
    assert pressures == ([] if policy == "drop" else pitches[-1:])
