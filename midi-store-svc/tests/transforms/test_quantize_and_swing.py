"""quantize and swing: move notes in time."""

from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.midi.model import MidiFile
from consort_music.timing.grid import TickGrid, parse_grid
from tests.support.transform_inputs import (
    PPQ,
    by_identity,
    changed,
    clean_tracks,
    drawn,
    end,
    files,
    messy_tracks,
    notes_of,
    off,
    on,
    overlaps,
    quantizings,
    swingings,
)


@settings(deadline=None)
@given(files(clean_tracks()), st.one_of(quantizings, swingings))
def test_moves_are_counted(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, operation)
    counts: Counter[str] = Counter()
    for old, new in zip(file.tracks, result.tracks, strict=True):
        was, now = by_identity(old), by_identity(new)
        assert now.keys() <= was.keys()
        assert overlaps(list(now.values())) == 0
        counts["duplicates_removed"] += len(was) - len(now)
        for identity, note in now.items():
            before = was[identity]
            assert note.release_velocity == before.release_velocity
            counts["moved"] += note.start != before.start
            if operation["type"] == "quantize" and operation.get("end", "keep") == "keep":
                counts["shortened"] += note.end - note.start < before.end - before.start
                assert note.end - note.start <= before.end - before.start
            else:
                counts["resized"] += note.end - note.start != before.end - before.start
    for what in ("moved", "duplicates_removed", *(key for key in ("shortened", "resized") if key in counts)):
        assert report.changed.get(what, 0) == counts[what], what


@settings(deadline=None)
@given(files(clean_tracks()), quantizings)
def test_quantize_keeps_lengths_unless_notes_of_a_key_would_overlap(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, {**operation, "end": "keep"})
    shortened = 0
    for old, new in zip(file.tracks, result.tracks, strict=True):
        was, now = by_identity(old), by_identity(new)
        for identity, note in now.items():
            before = was[identity]
            if note.end - note.start == before.end - before.start:
                continue
            shortened += 1
            following = [each for each in now.values() if each[1:3] == note[1:3] and each.start >= note.end]
            assert note.end == min(each.start for each in following) < note.start + before.end - before.start
    count = "1 note was" if shortened == 1 else f"{shortened} notes were"
    warning = f"{count} shortened to end where the next note of the same pitch begins."
    assert report.warnings == ([warning] if shortened else [])
    assert report.changed.get("shortened", 0) == shortened


@settings(deadline=None)
@given(files(messy_tracks()), quantizings)
def test_quantize_of_strength_0_is_the_identity(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, {**operation, "strength": 0})
    assert result is file and not report.changed and not report.warnings


@settings(deadline=None)
@given(files(messy_tracks()), quantizings)
def test_quantize_of_strength_1_puts_every_start_on_the_grid(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = changed(file, {**operation, "strength": 1})
    grid = TickGrid(parse_grid(operation["grid"], operation.get("swing", 50)), PPQ)
    for track in result.tracks:
        assert all(grid.move(note.start) == note.start for note in notes_of(track))
    again, (report,) = changed(result, {**operation, "strength": 1})
    assert "moved" not in report.changed
    if operation.get("end") != "quantize":
        assert again is result


@settings(deadline=None)
@given(files(clean_tracks()), quantizings)
def test_strength_is_the_share_of_the_way_to_the_grid(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = changed(file, operation)
    strength = Fraction(str(operation.get("strength", 1)))
    grid = TickGrid(parse_grid(operation["grid"], operation.get("swing", 50)), PPQ)
    for old, new in zip(file.tracks, result.tracks, strict=True):
        before = by_identity(old)
        for identity, note in by_identity(new).items():
            exact = before[identity].start + strength * (grid.nearest(before[identity].start) - before[identity].start)
            assert abs(note.start - exact) <= Fraction(1, 2)


def test_at_one_tick_moved_offs_come_first_and_moved_ons_last() -> None:
    control, pedal = (24, 0xB0, b"\x01\x05"), (24, 0xB0, b"\x40\x7f")
    track = [on(2, 60), on(20, 61), control, on(24, 64), pedal, off(26, 60), off(40, 61), off(48, 64), end(60)]
    result, _ = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    assert [event for event in result.tracks[0] if event[0] == 24] == [
        off(24, 60),
        control,
        on(24, 64),
        pedal,
        on(24, 61),
    ]


def test_a_short_note_with_a_quantized_end_lasts_to_the_next_grid_point() -> None:
    result, (report,) = changed(
        drawn([on(22, 60), off(26, 60), end(96)]), {"type": "quantize", "grid": "1/16", "end": "quantize"}
    )
    assert [(note.start, note.end) for note in notes_of(result.tracks[0])] == [(24, 48)]
    assert report.changed == {"moved": 1, "resized": 1}


def test_swing_delays_offbeats() -> None:
    track = [on(0, 60), off(48, 60), on(48, 62), off(96, 62), on(72, 64), off(96, 64), end(96)]
    track.sort(key=lambda event: event[0])
    result, _ = changed(drawn(track), {"type": "swing", "amount": 66.7, "grid": "1/8"})
    notes = [(note.pitch, note.start, note.end) for note in notes_of(result.tracks[0])]
    assert notes == [(60, 0, 64), (62, 64, 96), (64, 80, 96)]
