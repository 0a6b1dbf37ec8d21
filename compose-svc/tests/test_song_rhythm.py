"""edit_notes quantises, swings and humanises as transform_midi does, in exact beats and as one step of undo."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.songs.chunks import in_order
from consort_compose.songs.export import midi_bytes
from consort_compose.songs.importing import song_of
from consort_compose.songs.models import CreateSong, EditSong, UndoLastAction
from consort_compose.songs.note_edits import edit_given
from consort_compose.songs.note_models import (
    AddNotes,
    EditNotes,
    GetNotes,
    NotesEdited,
)
from consort_compose.songs.note_text import read_note_text
from consort_compose.songs.song import Note, Song, Track
from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.score import seconds
from tests.midi_tracks import changed
from tests.song_desk import Desk

F = Fraction
TEMPOS = [(F(0), F(120))]


def played(notes: list[Note], near: list[Note] | None = None, **request: Any) -> tuple[list[Note], dict[str, int]]:
    rhythm = edit_given(EditNotes(**request)).rhythm
    assert rhythm is not None
    result = rhythm.played(in_order(notes), near or [], TEMPOS, 1)
    return in_order(result.notes), dict(result.counts)


def by_transform_midi(notes: list[Note], operation: dict[str, Any]) -> tuple[list[Note], dict[str, int]]:
    """The same notes as a file, changed by the tool for files, and read again."""
    content, _ = midi_bytes(Song("T", tracks=(Track(1, "A", 0),)), {1: in_order(notes)})
    file, reports = changed(read_midi(content), operation)
    return song_of(write_midi(file)).notes.get(1, []), {key: n for key, n in reports[0].changed.items() if n}


sixteenths_of_a_beat = st.builds(
    Note,
    st.builds(F, st.integers(0, 64), st.just(16)),
    st.integers(60, 62),
    st.builds(F, st.integers(1, 24), st.just(16)),
    st.integers(1, 127),
)
without_overlaps = st.lists(sixteenths_of_a_beat, min_size=1, max_size=25).map(
    lambda notes: [
        note
        for place, note in enumerate(in_order(notes))
        if not any(other.pitch == note.pitch and other.end > note.start for other in in_order(notes)[:place])
    ]
)


@settings(max_examples=150)
@given(
    without_overlaps,
    st.one_of(
        st.builds(
            lambda grid: {"type": "quantize", "grid": grid}, st.sampled_from(["1/4", "1/8", "1/16", "1/8t", "1/16t"])
        ),
        st.builds(lambda amount: {"type": "swing", "amount": amount}, st.sampled_from([50, 66.7, 75])),
        st.just({"type": "swing", "amount": 66.7, "grid": "1/16"}),
    ),
)
def test_songs_and_files_are_quantised_and_swung_alike(notes: list[Note], operation: dict[str, Any]) -> None:
    asked = {"quantize": operation["grid"]} if operation["type"] == "quantize" else {"swing": operation["amount"]}
    if operation["type"] == "swing" and "grid" in operation:
        asked["swing_grid"] = operation["grid"]
    in_song, counts = played(notes, **asked)
    in_file, file_counts = by_transform_midi(notes, operation)
    assert in_song == in_file
    assert {key: counts.get(key, 0) for key in ("moved", "shortened", "duplicates_removed")} == {
        key: file_counts.get(key, 0) for key in ("moved", "shortened", "duplicates_removed")
    }


def test_beats_are_exact() -> None:
    notes = read_note_text("C4 @1/7 1/7; D4 @0.51 0.3; E4 @1.49 1").notes
    assert [note.start for note in played(notes, quantize="1/8t")[0]] == [0, F(2, 3), F(4, 3)]
    assert [note.duration for note in played(notes, quantize="1/8t")[0]] == [F(1, 7), F(3, 10), 1]
    assert [note.start for note in played(notes, swing=66.7)[0]] == [
        F(4, 21),
        F(F(2, 3) + F("0.01") * 2 / 3),
        F(1) + F("0.49") * 4 / 3,
    ]
    half_way = played(notes, quantize="1/4", strength=0.5)[0]
    assert [note.start for note in half_way] == [F(1, 14), F("0.755"), F("1.245")]


@settings(max_examples=100)
@given(without_overlaps, st.integers(0, 99), st.sampled_from([0, 5, 40]), st.integers(0, 20))
def test_humanising_stays_within_its_bounds_and_takes_no_note_away(
    notes: list[Note], seed: int, ms: int, velocity: int
) -> None:
    ordered = in_order(notes)
    result, _ = played(notes, humanize=ms, humanize_velocity=velocity, seed=seed)
    assert result == played(notes, humanize=ms, humanize_velocity=velocity, seed=seed)[0]
    assert len(result) == len(ordered)
    for pitch in {note.pitch for note in notes}:
        was, now = ([note for note in each if note.pitch == pitch] for each in (ordered, result))
        for old, new in zip(was, now, strict=True):
            assert abs(seconds(TEMPOS, old.start) - seconds(TEMPOS, new.start)) <= ms / 1000 + 1e-9
            assert new.start >= 0 and abs(old.velocity - new.velocity) <= velocity


def test_notes_that_are_not_selected_stay_and_give_way() -> None:
    selected = [Note(F("1.9"), 60, F(1), 80), Note(F("3.1"), 60, F(1), 80)]
    near = [Note(F(0), 60, F("1.9"), 64), Note(F(3), 60, F("0.1"), 30), Note(F(4), 61, F(1))]
    result, counts = played(selected, near, quantize="1/4")
    assert result == in_order([near[0], Note(F(2), 60, F(1), 80), Note(F(3), 60, F(1), 80), near[2]])
    assert counts == {"moved": 2, "duplicates_removed": 1}


def edit(desk: Desk, **request: Any) -> NotesEdited:
    return desk.run(desk.editor.edit_notes(EditNotes(**request)))


def starts(desk: Desk, song_id: str, track: str) -> list[Any]:
    page = desk.run(desk.editor.notes(GetNotes(song_id=song_id, track=track, format="objects")))
    return [note.start for note in page.notes if not isinstance(note, str)]


def new_song(desk: Desk) -> str:
    song_id = desk.run(desk.songs.create(CreateSong(tracks={"Lead": "piano", "Kit": "drums"}))).song_id
    notes = {"Lead": "C4 1/2 x8", "Kit": "[kick 1/2; snare 1/2] x4"}
    desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, notes=notes)))
    return song_id


def test_a_selection_swings_and_comes_back_by_one_undo(desk: Desk) -> None:
    song_id = new_song(desk)
    straight = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
    answer = edit(desk, song_id=song_id, track="Kit", start_time=2, swing=66.7)
    assert answer.edited_notes == 4 and answer.changed == {"moved": 2, "resized": 4}
    assert starts(desk, song_id, "Kit") == [0, 0.5, 1, 1.5, 2, "8/3", 3, "11/3"]
    assert starts(desk, song_id, "Lead") == straight
    desk.run(desk.editor.undo(UndoLastAction(song_id=song_id)))
    assert starts(desk, song_id, "Kit") == straight


def test_humanising_then_quantising_is_straight_again(desk: Desk) -> None:
    song_id = new_song(desk)
    desk.run(desk.editor.edit_song(EditSong(song_id=song_id, tempo_changes="2: 60")))
    answer = edit(desk, song_id=song_id, humanize=20, seed=4)
    assert answer.edited_notes == 16 and answer.changed and answer.changed["moved"] > 8
    late = [abs(F(str(start)) - F(n, 2)) for n, start in enumerate(starts(desk, song_id, "Lead"))]
    assert any(late) and max(late[:4]) <= F("0.04") and max(late[5:]) <= F("0.02")
    edit(desk, song_id=song_id, quantize="1/8")
    assert starts(desk, song_id, "Lead") == starts(desk, song_id, "Kit") == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
    again = edit(desk, song_id=song_id, quantize="1/8")
    assert again.changed == {} and again.warnings and again.version == answer.version + 1


def test_near_notes_in_a_song_are_kept(desk: Desk) -> None:
    song_id = new_song(desk)
    edit(desk, song_id=song_id, track="Lead", start_time=1, end_time=2, move_by="1/16", quantize="1/4t")
    assert starts(desk, song_id, "Lead") == [0, 0.5, "4/3", 2, 2.5, 3, 3.5]


@pytest.mark.parametrize("request_", [{"quantize": "1/5"}, {"swing": 60, "swing_grid": "1/8x"}])
def test_a_grid_that_there_is_not_is_refused(request_: dict[str, Any]) -> None:
    with pytest.raises(MusicError, match="is not a grid") as refused:
        edit_given(EditNotes(**request_))
    assert refused.value.field == list(request_)[-1] and "1/16" in refused.value.suggestions
