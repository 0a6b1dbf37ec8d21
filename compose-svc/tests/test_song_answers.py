"""What the song tools answer to input that is nearly right: it is understood, or the message says what to write."""

from typing import Any

import pytest

from consort_compose.songs.models import AddTrack, CreateSong, UndoLastAction
from consort_compose.songs.note_models import AddNotes, EditNotes, GetNotes
from consort_kit.errors import Conflict
from consort_music.errors import MusicError
from tests.song_desk import Desk


@pytest.fixture
def song(desk: Desk) -> str:
    made = desk.run(desk.songs.create(CreateSong(tracks={"Lead": "Flute", "Kit": "drums"})))
    desk.run(desk.editor.add_notes(AddNotes(song_id=made.song_id, notes={"Lead": "C4 x4", "Kit": "kick x3"})))
    return made.song_id


def test_drums_that_stay_are_not_counted_as_edited(desk: Desk, song: str) -> None:
    everything = desk.run(desk.editor.edit_notes(EditNotes(song_id=song, transpose=2)))
    assert (everything.edited_notes, everything.warnings) == (4, None)
    only_drums = desk.run(desk.editor.edit_notes(EditNotes(song_id=song, track="Kit", transpose=2)))
    assert only_drums.edited_notes == 0 and only_drums.version == everything.version
    assert only_drums.warnings == ["Nothing changed: drums are not transposed."]
    moved = desk.run(desk.editor.edit_notes(EditNotes(song_id=song, transpose=2, move_by=1)))
    assert moved.edited_notes == 7
    assert desk.run(desk.editor.undo(UndoLastAction(song_id=song))).action == "edit_notes 7"
    kit = desk.run(desk.editor.notes(GetNotes(song_id=song, track="Kit", format="text")))
    assert kit.notes == {"Kit": "kick; kick; kick"}


def test_a_track_may_have_a_list_of_notes(desk: Desk, song: str) -> None:
    notes = {"Lead": [{"pitch": 60, "start": "8 + 1/3"}, {"pitch": "E4", "duration": 2}], "Kit": "snare @8"}
    added = desk.run(desk.editor.add_notes(AddNotes(song_id=song, notes=notes)))
    assert [(each.track, each.note_count, each.start_time) for each in added.tracks] == [
        ("Lead", 2, "25/3"),
        ("Kit", 1, 8),
    ]


@pytest.mark.parametrize(
    ("notes", "field", "message"),
    [
        ({"Lead": [{"pitch": 200}]}, "notes.Lead.0.pitch", "not from 0 to 127"),
        ({"Lead": [{"pitch": 60, "track": "Kit"}]}, "notes.Lead", "another track"),
        ({"Lead": [{"pitch": 60, "vel": 3}]}, "notes.Lead.0.vel", "Did you mean 'velocity'?"),
        ({"Lead": [{"pitch": 60, "zzz": 3}]}, "notes.Lead.0.zzz", "Known fields: track, pitch"),
        ({"Lead": 60}, "notes.Lead", "Write text such as"),
        ({"Lead": "C4 1 D4 1"}, "notes.Lead", "separated by ';'"),
        ({"Lead": "C4 x1000000"}, "notes.Lead", "x1000000 is not from x1 to x1000"),
        ({"Lead": "C4 1 2"}, "notes.Lead", "two lengths"),
    ],
)
def test_the_message_says_what_to_write(desk: Desk, song: str, notes: Any, field: str, message: str) -> None:
    with pytest.raises(MusicError) as refused:
        desk.run(desk.editor.add_notes(AddNotes(song_id=song, notes=notes)))
    assert refused.value.field == field and message in refused.value.message, refused.value.message


def test_a_version_that_is_not_there_yet_is_told_so(desk: Desk, song: str) -> None:
    with pytest.raises(Conflict) as refused:
        desk.run(desk.editor.add_notes(AddNotes(song_id=song, track="Lead", notes="C4", expected_version=999)))
    assert refused.value.body.field == "expected_version" and "no version 999 yet" in refused.value.body.message


def test_names_and_numbers_that_others_use_are_understood(desk: Desk) -> None:
    made = desk.run(desk.songs.create(CreateSong.model_validate({"name": "Rain", "bpm": 90})))
    assert (made.title, made.tempo) == ("Rain", 90)
    track = AddTrack.model_validate({"song_id": made.song_id, "name": "Solo", "instrument": 40})
    assert desk.run(desk.editor.add_track(track)).track.instrument == "Violin"
    with pytest.raises(MusicError, match="There is a track 'Solo' already"):
        desk.run(desk.editor.add_track(AddTrack(song_id=made.song_id, name="SOLO", instrument="piano")))
