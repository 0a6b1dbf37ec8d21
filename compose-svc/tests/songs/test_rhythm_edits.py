"""edit_notes quantizes, swings and humanizes as transform_midi does, in exact beats and as one undo step."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.songs.document.song import Song, SongNote, Track, sorted_notes
from consort_compose.songs.edits.note_edit import read_note_edit
from consort_compose.songs.midi.export_midi import song_to_midi
from consort_compose.songs.midi.import_midi import song_from_midi
from consort_compose.songs.models.notes import EditNotes, GetNotes, NotesEdited
from consort_compose.songs.models.songs import CreateSong, EditSong, UndoLastAction
from consort_compose.songs.notes.note_text import read_note_text
from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.score import seconds
from tests.support.song_services import SongServices
from tests.support.transform_inputs import changed

F = Fraction
TEMPOS = [(F(0), F(120))]


def played(
    notes: list[SongNote], near: list[SongNote] | None = None, **request: Any
) -> tuple[list[SongNote], dict[str, int]]:
    rhythm = read_note_edit(EditNotes(**request)).rhythm
    assert rhythm is not None
    result = rhythm.apply(sorted_notes(notes), near or [], TEMPOS, 1)
    return sorted_notes(result.notes), dict(result.counts)


def by_transform_midi(notes: list[SongNote], operation: dict[str, Any]) -> tuple[list[SongNote], dict[str, int]]:
    """Return the notes after a round trip through a file that transform_midi changed."""
    content, _ = song_to_midi(Song("T", tracks=(Track(1, "A", 0),)), {1: sorted_notes(notes)})
    file, reports = changed(read_midi(content), operation)
    return song_from_midi(write_midi(file)).notes.get(1, []), {key: n for key, n in reports[0].changed.items() if n}


sixteenths_of_a_beat = st.builds(
    SongNote,
    st.builds(F, st.integers(0, 64), st.just(16)),
    st.integers(60, 62),
    st.builds(F, st.integers(1, 24), st.just(16)),
    st.integers(1, 127),
)
without_overlaps = st.lists(sixteenths_of_a_beat, min_size=1, max_size=25).map(
    lambda notes: [
        note
        for place, note in enumerate(sorted_notes(notes))
        if not any(other.pitch == note.pitch and other.end > note.start for other in sorted_notes(notes)[:place])
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
def test_songs_and_files_are_quantized_and_swung_alike(notes: list[SongNote], operation: dict[str, Any]) -> None:
    asked = {"quantize": operation["grid"]} if operation["type"] == "quantize" else {"swing": operation["amount"]}
    if operation["type"] == "swing" and "grid" in operation:
        asked["swing_grid"] = operation["grid"]
    in_song, counts = played(notes, **asked)
    in_file, file_counts = by_transform_midi(notes, operation)
    assert in_song == in_file
    assert {key: counts.get(key, 0) for key in ("moved", "shortened", "duplicates_removed")} == {
        key: file_counts.get(key, 0) for key in ("moved", "shortened", "duplicates_removed")
    }


def test_quantized_beats_are_exact() -> None:
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
def test_humanize_stays_within_bounds_and_keeps_all_notes(
    notes: list[SongNote], seed: int, ms: int, velocity: int
) -> None:
    ordered = sorted_notes(notes)
    result, _ = played(notes, humanize=ms, humanize_velocity=velocity, seed=seed)
    assert result == played(notes, humanize=ms, humanize_velocity=velocity, seed=seed)[0]
    assert len(result) == len(ordered)
    for pitch in {note.pitch for note in notes}:
        was, now = ([note for note in each if note.pitch == pitch] for each in (ordered, result))
        for old, new in zip(was, now, strict=True):
            assert abs(seconds(TEMPOS, old.start) - seconds(TEMPOS, new.start)) <= ms / 1000 + 1e-9
            assert new.start >= 0 and abs(old.velocity - new.velocity) <= velocity


def test_unselected_notes_stay_but_are_shortened() -> None:
    selected = [SongNote(F("1.9"), 60, F(1), 80), SongNote(F("3.1"), 60, F(1), 80)]
    near = [SongNote(F(0), 60, F("1.9"), 64), SongNote(F(3), 60, F("0.1"), 30), SongNote(F(4), 61, F(1))]
    result, counts = played(selected, near, quantize="1/4")
    assert result == sorted_notes([near[0], SongNote(F(2), 60, F(1), 80), SongNote(F(3), 60, F(1), 80), near[2]])
    assert counts == {"moved": 2, "duplicates_removed": 1}


def edit(services: SongServices, **request: Any) -> NotesEdited:
    return services.run(services.editor.edit_notes(EditNotes(**request)))


def starts(services: SongServices, song_id: str, track: str) -> list[Any]:
    page = services.run(services.reader.notes(GetNotes(song_id=song_id, track=track, format="objects")))
    return [note.start for note in page.notes if not isinstance(note, str)]


def new_song(services: SongServices) -> str:
    song_id = services.run(services.songs.create(CreateSong(tracks={"Lead": "piano", "Kit": "drums"}))).song_id
    notes = {"Lead": "C4 1/2 x8", "Kit": "[kick 1/2; snare 1/2] x4"}
    services.add_notes(song_id, notes=notes)
    return song_id


def test_swing_of_a_selection_is_one_undo_step(services: SongServices) -> None:
    song_id = new_song(services)
    straight = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
    answer = edit(services, song_id=song_id, track="Kit", start_time=2, swing=66.7)
    assert answer.edited_notes == 4 and answer.changed == {"moved": 2, "resized": 4}
    assert starts(services, song_id, "Kit") == [0, 0.5, 1, 1.5, 2, "8/3", 3, "11/3"]
    assert starts(services, song_id, "Lead") == straight
    services.run(services.editor.undo(UndoLastAction(song_id=song_id)))
    assert starts(services, song_id, "Kit") == straight


def test_quantize_reverses_humanize(services: SongServices) -> None:
    song_id = new_song(services)
    services.run(services.editor.edit_song(EditSong(song_id=song_id, tempo_changes="2: 60")))
    answer = edit(services, song_id=song_id, humanize=20, seed=4)
    assert answer.edited_notes == 16 and answer.changed and answer.changed["moved"] > 8
    late = [abs(F(str(start)) - F(n, 2)) for n, start in enumerate(starts(services, song_id, "Lead"))]
    assert any(late) and max(late[:4]) <= F("0.04") and max(late[5:]) <= F("0.02")
    edit(services, song_id=song_id, quantize="1/8")
    assert starts(services, song_id, "Lead") == starts(services, song_id, "Kit") == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
    again = edit(services, song_id=song_id, quantize="1/8")
    assert again.changed == {} and again.warnings and again.version == answer.version + 1


def test_notes_near_the_selection_are_kept(services: SongServices) -> None:
    song_id = new_song(services)
    edit(services, song_id=song_id, track="Lead", start_time=1, end_time=2, move_by="1/16", quantize="1/4t")
    assert starts(services, song_id, "Lead") == [0, 0.5, "4/3", 2, 2.5, 3, 3.5]


@pytest.mark.parametrize("request_", [{"quantize": "1/5"}, {"swing": 60, "swing_grid": "1/8x"}])
def test_unknown_grid_is_rejected(request_: dict[str, Any]) -> None:
    with pytest.raises(MusicError, match="is not a grid") as caught:
        read_note_edit(EditNotes(**request_))
    assert caught.value.field == list(request_)[-1] and "1/16" in caught.value.suggestions
