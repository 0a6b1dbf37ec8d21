"""Collisions of notes on one key, checked against a slow and simple implementation of the same rules."""

from typing import Any, NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from consort_music.midi.model import MidiFile, Track
from consort_music.timing.grid import TickGrid, parse_grid
from tests.support.transform_inputs import (
    PPQ,
    changed,
    crowded_tracks,
    drawn,
    end,
    files,
    messy_tracks,
    notes_of,
    off,
    on,
    quantizings,
    transposings,
)


class RequestedNote(NamedTuple):
    """A note before its collisions are resolved: its old voice, start and end, and its new key, start and end."""

    voice: Any
    old_start: int
    old_end: int
    key: tuple[int, int]
    start: int
    end: int
    velocity: int
    release: int


def resolved(requested: list[RequestedNote]) -> list[tuple[int, ...]]:
    """Return the notes after resolving collisions. `requested` is sorted by start."""
    kept: list[RequestedNote] = []
    for new in requested:
        for old in [each for each in reversed(kept) if each.key == new.key and each.start == new.start]:
            if (old.voice, old.old_start) == (new.voice, new.old_start):
                break
            if (old.velocity, old.end) >= (new.velocity, new.end):
                new = new._replace(velocity=0)
                break
            kept.remove(old)
        if new.velocity:
            kept.append(new)
    for place, note in reversed(list(enumerate(kept))):
        for later in kept[place + 1 :]:
            if later.key == note.key:
                overlapped = later.voice == note.voice and note.old_end > later.old_start
                note = note._replace(end=min(note.end, later.end if overlapped else later.start))
        kept[place] = note
    return sorted((*each.key, each.start, each.end, each.velocity, each.release) for each in kept)


def unmoved(track: Track, voice: int = 0) -> list[RequestedNote]:
    """Return the notes of a track at their current positions. Notes of zero length are lengthened to one tick."""
    notes = [note._replace(end=max(note.end, note.start + 1)) for note in notes_of(track)]
    return [
        RequestedNote((voice, *note[1:3]), note.start, note.end, note[1:3], note.start, *note[4:7]) for note in notes
    ]


def resolved_if_changed(track: Track, requested: list[RequestedNote]) -> list[tuple[int, ...]]:
    """Return the notes after resolving collisions. If no note moves, the track must not change at all."""
    return sounding(track) if requested == unmoved(track) else resolved(requested)


def sounding(*tracks: Track) -> list[tuple[int, ...]]:
    return sorted(note[1:7] for track in tracks for note in notes_of(track))


@settings(max_examples=120, deadline=None)
@given(st.one_of(messy_tracks(), crowded_tracks()), quantizings)
def test_collisions_of_quantized_notes_follow_the_rules(track: Track, operation: dict[str, Any]) -> None:
    grid = TickGrid(parse_grid(operation["grid"], operation.get("swing", 50)), PPQ)
    strength = operation.get("strength", 1)
    result, _ = changed(drawn(track), operation)
    requested = []
    for note in unmoved(track):
        start = grid.move(note.start, strength)
        end = start + note.old_end - note.old_start
        if operation.get("end") == "quantize":
            end = grid.move(note.end, strength)
            end = end if end > start else grid.after(start)
        requested.append(note._replace(start=start, end=end))
    assert sounding(result.tracks[0]) == resolved_if_changed(track, requested)


@settings(max_examples=120, deadline=None)
@given(st.one_of(messy_tracks(), crowded_tracks()), transposings)
def test_collisions_of_transposed_notes_follow_the_rules(track: Track, operation: dict[str, Any]) -> None:
    result, _ = changed(drawn(track), operation)
    requested = []
    for note in unmoved(track):
        channel, pitch = note.key
        if channel != 9 or operation.get("include_drums"):
            pitch += operation["semitones"]
            policy = operation.get("out_of_range", "fold")
            if policy == "drop" and not 0 <= pitch < 128:
                continue
            if policy == "clamp":
                pitch = min(max(pitch, 0), 127)
            while pitch > 127:
                pitch -= 12
            while pitch < 0:
                pitch += 12
        requested.append(note._replace(key=(channel, pitch)))
    assert sounding(result.tracks[0]) == resolved_if_changed(track, requested)


@settings(max_examples=120, deadline=None)
@given(files(st.one_of(messy_tracks(), crowded_tracks())))
def test_collisions_of_merged_tracks_follow_the_rules(file: MidiFile) -> None:
    assume(len(file.tracks) > 1)
    result, _ = changed(file, {"type": "merge"})
    requested = [note for index, track in enumerate(file.tracks) for note in unmoved(track, index)]
    assert sounding(*result.tracks) == resolved(sorted(requested, key=lambda note: note.start))


def test_notes_that_overlapped_before_may_still_overlap() -> None:
    track = [on(1, 60, 1), on(25, 60, 2), off(49, 60, 11), off(100, 60, 12), end(200)]
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(0, 48, 1, 11), (24, 99, 2, 12)]
    assert report.changed == {"moved": 2}


def test_overlapping_notes_that_end_together_keep_their_release_velocities() -> None:
    track = [on(24, 60, 1), on(49, 60, 2), off(60, 60, 11), off(61, 60, 12), end(100)]
    result, _ = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(24, 60, 1, 11), (48, 60, 2, 12)]


def test_the_louder_of_equal_starts_stays_and_the_earlier_of_overlapping_notes_is_shortened() -> None:
    track = [on(3, 60, 40), off(8, 60), on(10, 60, 90), off(30, 60, 7), on(31, 60), off(70, 60), end(96)]
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    assert list(result.tracks[0]) == [on(0, 60, 90), off(20, 60, 7), on(24, 60), off(63, 60), end(96)]
    assert report.changed == {"duplicates_removed": 1, "moved": 2}
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/4", "strength": 0.5})
    assert report.changed["shortened"] == 2


def test_a_note_may_collide_with_two_others() -> None:
    ons = [on(1, 60, 50), on(1, 60, 40), on(3, 60, 45), on(20, 60, 70)]
    track = [*ons, off(36, 60, 1), off(37, 60, 2), off(38, 60, 3), off(40, 60, 4), end(100)]
    result, (report,) = changed(drawn(track), {"type": "quantize", "grid": "1/16"})
    notes = [(note.start, note.end, note.velocity, note.release_velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(0, 35, 50, 1), (24, 44, 70, 4)]
    assert report.changed["duplicates_removed"] == 2


def test_collisions_of_folded_notes_are_resolved() -> None:
    track = [on(0, 115), on(0, 127, 90), off(40, 127), on(50, 115), off(60, 115), off(90, 115), end(100)]
    result, (report,) = changed(drawn(track), {"type": "transpose", "semitones": 12})
    notes = [(note.pitch, note.start, note.end, note.velocity) for note in notes_of(result.tracks[0])]
    assert notes == [(127, 0, 40, 90), (127, 50, 90, 80)]
    assert report.changed == {"folded": 1, "transposed": 2, "duplicates_removed": 1}


def test_a_folded_note_is_not_ended_by_the_note_off_of_the_previous_note() -> None:
    track = [on(0, 115), on(50, 127), off(50, 115), off(90, 127), end(100)]
    result, _ = changed(drawn(track), {"type": "transpose", "semitones": 12})
    assert list(result.tracks[0]) == [on(0, 127), off(50, 127), on(50, 127), off(90, 127), end(100)]


def test_many_notes_on_one_key_take_less_than_quadratic_time() -> None:
    """With quadratic time, this would exceed the time limit of a test."""
    count = 100_000
    track = [
        *(on(tick, 60) for tick in range(count)),
        *(off(count + tick, 60) for tick in range(count)),
        end(3 * count),
    ]
    for operation in (
        {"type": "quantize", "grid": "1/16"},
        {"type": "humanize"},
        {"type": "transpose", "semitones": 99},
    ):
        file, _ = changed(drawn(track), operation)
        notes = notes_of(file.tracks[0])
        assert notes and all(note.end > note.start for note in notes)
