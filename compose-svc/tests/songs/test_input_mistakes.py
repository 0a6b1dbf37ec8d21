"""Input that is nearly right: it is accepted, or the error shows what to write."""

from typing import Any

import pytest

from consort_compose.songs.models.notes import EditNotes, GetNotes
from consort_compose.songs.models.songs import CreateSong, UndoLastAction
from consort_compose.songs.models.tracks import AddTrack
from consort_kit.errors import Conflict
from consort_music.errors import MusicError
from tests.support.song_services import SongServices


@pytest.fixture
def song(services: SongServices) -> str:
    made = services.run(services.songs.create(CreateSong(tracks={"Lead": "Flute", "Kit": "drums"})))
    services.add_notes(made.song_id, notes={"Lead": "C4 x4", "Kit": "kick x3"})
    return made.song_id


def test_drums_are_not_counted_as_transposed(services: SongServices, song: str) -> None:
    everything = services.run(services.editor.edit_notes(EditNotes(song_id=song, transpose=2)))
    assert (everything.edited_notes, everything.warnings) == (4, None)
    only_drums = services.run(services.editor.edit_notes(EditNotes(song_id=song, track="Kit", transpose=2)))
    assert only_drums.edited_notes == 0 and only_drums.version == everything.version
    assert only_drums.warnings == ["Nothing changed: drums are not transposed."]
    moved = services.run(services.editor.edit_notes(EditNotes(song_id=song, transpose=2, move_by=1)))
    assert moved.edited_notes == 7
    assert services.run(services.editor.undo(UndoLastAction(song_id=song))).action == "edit_notes 7"
    kit = services.run(services.reader.notes(GetNotes(song_id=song, track="Kit", format="text")))
    assert kit.notes == {"Kit": "kick; kick; kick"}


def test_notes_of_a_track_may_be_a_list(services: SongServices, song: str) -> None:
    notes = {"Lead": [{"pitch": 60, "start": "8 + 1/3"}, {"pitch": "E4", "duration": 2}], "Kit": "snare @8"}
    added = services.add_notes(song, notes=notes)
    assert [(each.track, each.note_count, each.start_time) for each in added.tracks] == [
        ("Lead", 2, "25/3"),
        ("Kit", 1, 8),
    ]


@pytest.mark.parametrize(
    ("notes", "field", "message"),
    [
        ({"Lead": [{"pitch": 200}]}, "notes.Lead.0.pitch", "from 0 to 127"),
        ({"Lead": [{"pitch": 60, "track": "Kit"}]}, "notes.Lead", "another track"),
        ({"Lead": [{"pitch": 60, "vel": 3}]}, "notes.Lead.0.vel", "Did you mean 'velocity'?"),
        ({"Lead": [{"pitch": 60, "zzz": 3}]}, "notes.Lead.0.zzz", "Known fields: track, pitch"),
        ({"Lead": 60}, "notes.Lead", "Write text such as"),
        ({"Lead": "C4 1 D4 1"}, "notes.Lead", "Separate notes by ';'"),
        ({"Lead": "C4 x1000000"}, "notes.Lead", "x1000000 is not from x1 to x1000"),
        ({"Lead": "C4 1 2"}, "notes.Lead", "two lengths"),
    ],
)
def test_error_message_shows_correct_input(
    services: SongServices, song: str, notes: Any, field: str, message: str
) -> None:
    with pytest.raises(MusicError) as caught:
        services.add_notes(song, notes=notes)
    assert caught.value.field == field and message in caught.value.message, caught.value.message


def test_expected_version_in_the_future_is_rejected(services: SongServices, song: str) -> None:
    with pytest.raises(Conflict) as caught:
        services.add_notes(song, track="Lead", notes="C4", expected_version=999)
    assert caught.value.body.field == "expected_version" and "no version 999 yet" in caught.value.body.message


def test_alternative_field_names_and_values_are_accepted(services: SongServices) -> None:
    made = services.run(services.songs.create(CreateSong.model_validate({"name": "Rain", "bpm": 90})))
    assert (made.title, made.tempo) == ("Rain", 90)
    track = AddTrack.model_validate({"song_id": made.song_id, "name": "Solo", "instrument": 40})
    assert services.run(services.editor.add_track(track)).track.instrument == "Violin"
    with pytest.raises(MusicError, match="There is already a track 'Solo'"):
        services.run(services.editor.add_track(AddTrack(song_id=made.song_id, name="SOLO", instrument="piano")))
