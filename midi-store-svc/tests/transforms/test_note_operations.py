"""Properties of all operations on notes, tested on unusual and broken files."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, MidiFile, Track
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from tests.support.transform_inputs import (
    PPQ,
    all_notes,
    changed,
    crowded_tracks,
    drawn,
    end,
    files,
    humanizings,
    messy_tracks,
    note_operations,
    notes_of,
    off,
    on,
    others_of,
    quantizings,
    run,
    swingings,
    velocities,
)


@settings(deadline=None)
@given(files(st.one_of(messy_tracks(), crowded_tracks())), st.one_of(note_operations, st.just({"type": "merge"})))
def test_no_note_off_comes_after_a_new_note_on_of_its_key_at_the_same_tick(
    file: MidiFile, operation: dict[str, Any]
) -> None:
    def silencing(tracks: Sequence[Track]) -> int:
        """Return the number of note-offs that come after a newer note-on of their key at the same tick."""
        return sum(
            older.end == newer.start and older.off_index is not None and older.off_index > newer.on_index
            for track in tracks
            for older in notes_of(track)
            for newer in notes_of(track)
            if older[1:3] == newer[1:3] and older.start < older.end
        )

    assume(silencing(file.tracks) == 0)
    assert silencing(changed(file, operation)[0].tracks) == 0


@settings(deadline=None)
@given(files(messy_tracks()), st.lists(note_operations, min_size=1, max_size=3))
def test_changed_tracks_have_no_broken_notes_and_are_in_order(file: MidiFile, operations: list[dict[str, Any]]) -> None:
    before = [list(track) for track in file.tracks]
    result, _ = changed(file, *operations)
    assert [list(track) for track in file.tracks] == before
    for old, new in zip(file.tracks, result.tracks, strict=True):
        if new is old:
            continue
        notes, strays = pair_notes(new)
        assert strays == 0
        assert all(note.end > note.start >= 0 and not note.is_hanging for note in notes)
        assert [tick for tick, _, _ in new] == sorted(tick for tick, _, _ in new)
        assert [place for place, event in enumerate(new) if event[2] == END_OF_TRACK] == [len(new) - 1]
    write_midi(result)


@settings(deadline=None)
@given(files(messy_tracks()), note_operations)
def test_a_track_that_does_not_change_stays_the_same_object(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = changed(file, operation)
    for index, (old, new) in enumerate(zip(file.tracks, result.tracks, strict=True)):
        if index not in operation.get("tracks", [index]):
            assert new is old
    if all(new is old for old, new in zip(file.tracks, result.tracks, strict=True)):
        assert result is file


@settings(deadline=None)
@given(files(messy_tracks()), note_operations)
def test_removed_and_repaired_notes_are_counted(file: MidiFile, operation: dict[str, Any]) -> None:
    result, (report,) = changed(file, operation)
    lost = report.changed.get("duplicates_removed", 0) + report.changed.get("dropped", 0)
    assert sum(len(notes_of(track)) for track in result.tracks) == sum(map(len, map(notes_of, file.tracks))) - lost
    different = [(old, new) for old, new in zip(file.tracks, result.tracks, strict=True) if new is not old]
    assert report.changed.get("closed", 0) == sum(pair_notes(old).hanging for old, _ in different)
    assert report.changed.get("stray_note_offs_removed", 0) == sum(pair_notes(old).orphan_offs for old, _ in different)
    empty = [note for old, _ in different for note in notes_of(old) if note.has_no_length and not note.is_hanging]
    assert report.changed.get("lengthened", 0) == len(empty)


@settings(deadline=None)
@given(files(messy_tracks()), st.one_of(quantizings, swingings, humanizings, velocities))
def test_only_notes_move(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = changed(file, operation)
    for old, new in zip(file.tracks, result.tracks, strict=True):
        assert others_of(new) == others_of(old)
        assert new[-1][0] >= old[-1][0]


@settings(deadline=None)
@given(files(messy_tracks()), note_operations)
def test_channels_that_are_not_selected_keep_their_notes(file: MidiFile, operation: dict[str, Any]) -> None:
    result, _ = changed(file, {**operation, "channels": [1]})
    for old, new in zip(file.tracks, result.tracks, strict=True):
        kept_old, kept_new = (
            sorted((note for note in notes_of(track) if note.channel != 0), key=lambda note: (note[1:4], note[5:7]))
            for track in (old, new)
        )
        assert [(*note[1:4], note.velocity, note.release_velocity) for note in kept_old] == [
            (*note[1:4], note.velocity, note.release_velocity) for note in kept_new
        ]
        assert all(a.end == b.end or a.is_hanging for a, b in zip(kept_old, kept_new, strict=True))


OFF_FIRST = [
    event
    for tick in (0, 192, 384)
    for event in (
        off(tick, 36, channel=9),
        on(tick, 36, channel=9),
        on(tick + 96, 36, channel=9),
        off(tick + 120, 36, channel=9),
    )
]
"""Drum notes on one key: some of zero length, with the note-off before the note-on, and others of 24 ticks."""


@pytest.mark.parametrize(
    "operation",
    [
        {"type": "transpose", "semitones": 1, "include_drums": True},
        {"type": "quantize", "grid": "1/16"},
        {"type": "velocity", "scale": 0.5},
        {"type": "humanize", "timing_ticks": 3},
        {"type": "merge"},
        {"type": "trim", "end": 100},
        {"type": "trim", "start": 1},
        {"type": "tempo", "bpm": 90},
        {"type": "split", "by": "channel"},
    ],
    ids=lambda operation: str(operation["type"]),
)
def test_note_offs_before_their_own_note_ons_give_no_wrong_lengths(operation: dict[str, Any]) -> None:
    other = [on(0, 60), off(48, 60), end(600)]
    file = MidiFile(1, PPQ, [[*OFF_FIRST, end(600)], other])
    for part in run(file, operation).files:
        drums = [note for note in all_notes(part.file) if note.channel == 9]
        assert all(note.end - note.start in (1, 24) for note in drums)
        assert not any(note.is_hanging for note in drums)


def test_an_operation_on_another_track_leaves_such_a_track_unrepaired() -> None:
    file = read_midi(write_midi(MidiFile(1, PPQ, [[*OFF_FIRST, end(600)], [on(0, 60), off(48, 60), end(600)]])))
    result, _ = changed(file, {"type": "transpose", "semitones": 1, "tracks": [1]})
    assert result.tracks[0] is file.tracks[0]


@pytest.mark.parametrize(
    "operation",
    [{"type": "quantize", "grid": "1/8"}, {"type": "swing"}, {"type": "tempo", "bpm": 90}, {"type": "trim", "end": 4}],
)
def test_operations_on_beats_reject_files_without_beats(operation: dict[str, Any]) -> None:
    smpte = MidiFile(1, 0xE728, [[on(0, 60), off(10, 60), end(20)]])
    with pytest.raises(MusicError) as error:
        changed(smpte, operation)
    assert error.value.code == "NEEDS_BEATS" and "SMPTE" in error.value.message
    for allowed in ({"type": "transpose", "semitones": 1}, {"type": "humanize"}, {"type": "velocity", "add": 1}):
        changed(smpte, allowed)


@pytest.mark.parametrize("wanted", [[1], [-1], ["Bass"], [0, "x" * 1000]])
def test_an_unknown_track_is_rejected_with_the_known_ones_as_suggestions(wanted: list[int | str]) -> None:
    file = drawn([(0, META, b"\x03Lead"), on(0, 60), off(10, 60), end(20)])
    with pytest.raises(MusicError) as error:
        changed(file, {"type": "transpose", "semitones": 1, "tracks": wanted})
    assert (error.value.code, error.value.field) == ("UNKNOWN_TRACK", "operations.0.tracks")
    assert len(error.value.message) < 200
    assert error.value.suggestions == ["0", "Lead"]
    assert changed(file, {"type": "transpose", "semitones": 1, "tracks": [" lead"]})[0] is not file
