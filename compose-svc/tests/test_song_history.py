"""Undo to its limits, versions of two clients, and what is kept in Postgres."""

import asyncio
from collections.abc import Callable, Coroutine
from fractions import Fraction
from typing import Any

import pytest

from consort_compose.songs.models import (
    AddTrack,
    CheckSong,
    CopySection,
    CreateSong,
    DeleteSong,
    EditSection,
    EditSong,
    EditTrack,
    GetSongInfo,
    ListSongs,
    RemoveSection,
    RemoveTrack,
    SetChords,
    SongRequest,
    UndoLastAction,
)
from consort_compose.songs.note_models import (
    AddNotes,
    EditNotes,
    GetNotes,
    RemoveNotes,
)
from consort_compose.songs.song import MAX_MEASURE
from consort_compose.songs.store import UNDO_STEPS
from consort_kit.errors import Conflict, ConsortError, NotFound
from consort_music.errors import MusicError
from consort_music.metre import parse_metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from tests.song_desk import Desk

THREE = ((Fraction(0), parse_metre("3/4")),)


def new_song(desk: Desk, **fields: Any) -> str:
    fields = {"tracks": {"Lead": "Flute", "Kit": "drums"}, **fields}
    return desk.run(desk.songs.create(CreateSong(**fields))).song_id


def text_of(desk: Desk, song_id: str) -> Any:
    return desk.run(desk.editor.notes(GetNotes(song_id=song_id, format="text", limit=2000))).notes


def add(desk: Desk, song_id: str, text: str, **fields: Any) -> int:
    return desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, track="Lead", notes=text, **fields))).version


def test_ten_steps_back_and_forth_and_no_more(desk: Desk) -> None:
    song_id = new_song(desk)
    states = [text_of(desk, song_id)]
    for step in range(14):
        add(desk, song_id, f"C4 @{step}")
        states.append(text_of(desk, song_id))
    back = UndoLastAction(song_id=song_id)
    for step in range(UNDO_STEPS):
        undone = desk.run(desk.editor.undo(back))
        assert (undone.undo_steps_left, undone.redo_steps_left) == (UNDO_STEPS - 1 - step, step + 1)
        assert text_of(desk, song_id) == states[13 - step]
    with pytest.raises(ConsortError, match="nothing to undo"):
        desk.run(desk.editor.undo(back))
    for step in range(UNDO_STEPS):
        desk.run(desk.editor.redo(back))
        assert text_of(desk, song_id) == states[5 + step]
    with pytest.raises(ConsortError, match="nothing to redo"):
        desk.run(desk.editor.redo(back))
    desk.run(desk.editor.undo(back))
    add(desk, song_id, "G4 @50")
    with pytest.raises(ConsortError, match="changed since"):
        desk.run(desk.editor.redo(back))
    assert desk.run(desk.songs.info(GetSongInfo(song_id=song_id))).version == 1 + 14 + 10 + 10 + 1 + 1


def test_every_kind_of_change_is_one_step(desk: Desk) -> None:
    sections = [{"name": "A", "start_measure": 1, "end_measure": 2, "key": "C"}]
    song_id = new_song(desk, sections=sections)
    add(desk, song_id, "C4 x8")
    here: dict[str, Any] = {"song_id": song_id}
    editor = desk.editor
    for work in (
        lambda: editor.edit_song(EditSong(**here, title="Another", tempo=90, time_signature="6/8", key="F# dorian")),
        lambda: editor.edit_section(EditSection(**here, name="A", key="D", tempo=77, time_signature="3/4")),
        lambda: editor.copy_section(CopySection(**here, name="A", to_measure=3, new_name="B", key="E")),
        lambda: editor.remove_section(RemoveSection(**here, name="A", with_notes=True)),
        lambda: editor.add_track(AddTrack(**here, name="Bass", instrument="bass")),
        lambda: editor.edit_track(EditTrack(**here, name="Lead", new_name="Top", instrument="oboe", volume=1, pan=2)),
        lambda: editor.edit_notes(EditNotes(**here, stretch="1/2", velocity="x2")),
        lambda: editor.remove_notes(RemoveNotes(**here, start_time=0, end_time=2)),
        lambda: editor.set_chords(SetChords(**here, chords="C | F")),
        lambda: editor.remove_track(RemoveTrack(**here, name="Kit")),
    ):
        before = desk.run(_everything(desk, song_id))
        desk.run(work())
        after = desk.run(_everything(desk, song_id))
        assert after != before
        desk.run(editor.undo(UndoLastAction(**here)))
        assert desk.run(_everything(desk, song_id)) == before
        desk.run(editor.redo(UndoLastAction(**here)))
        assert desk.run(_everything(desk, song_id)) == after
        desk.run(editor.undo(UndoLastAction(**here)))


async def _everything(desk: Desk, song_id: str) -> tuple[Any, ...]:
    request = SongRequest(song_id=song_id)
    tracks = (await desk.editor.tracks(request)).tracks
    sections = (await desk.editor.sections(request)).sections
    notes = (await desk.editor.notes(GetNotes(song_id=song_id, limit=2000))).notes
    midi = (await desk.songs.midi_file(song_id)).content
    chords = (await desk.songs.info(GetSongInfo(song_id=song_id))).chord_count
    return tracks, sections, notes, midi, chords


def test_what_a_client_has_not_seen(desk: Desk) -> None:
    """An edit that says which version it is made for is merged if others worked elsewhere, else it is refused."""
    song_id = new_song(desk)
    seen = add(desk, song_id, "C4 x16")
    add(desk, song_id, "C5 @40 1")
    assert add(desk, song_id, "E4 @2 1", expected_version=seen) == seen + 2, "elsewhere in the track"
    add(desk, song_id, "E4 @8 1")
    with pytest.raises(Conflict) as refused:
        desk.run(
            desk.editor.edit_notes(
                EditNotes(song_id=song_id, start_time=7, end_time=9, transpose=1, expected_version=seen)
            )
        )
    assert refused.value.body.code == "VERSION_CONFLICT" and "add_notes" in refused.value.body.message
    assert refused.value.body.details == {"version": seen + 3}
    with pytest.raises(Conflict):
        add(desk, song_id, "E4 @90", expected_version=seen + 50)
    assert desk.run(desk.songs.info(GetSongInfo(song_id=song_id))).version == seen + 3
    assert add(desk, song_id, "E4 @8 1", expected_version=seen + 3) == seen + 4


def test_refused_changes_change_nothing(desk: Desk) -> None:
    song_id = new_song(desk)
    add(desk, song_id, "C4 x4")
    before = desk.run(_everything(desk, song_id))
    for request in (
        EditNotes(song_id=song_id, transpose=100),
        EditNotes(song_id=song_id, move_by=-2),
        EditNotes(song_id=song_id, move_by=10**6),
        EditNotes(song_id=song_id),
        EditNotes(song_id=song_id, velocity="loud"),
        EditNotes(song_id=song_id, stretch=0),
        EditNotes(song_id=song_id, transpose=1, track="Nobody"),
        EditNotes(song_id=song_id, transpose=1, section="Nowhere"),
        EditNotes(song_id=song_id, transpose=1, pitch="G5-C3"),
    ):
        with pytest.raises(MusicError) as refused:
            desk.run(desk.editor.edit_notes(request))
        assert refused.value.code and refused.value.message
    assert desk.run(_everything(desk, song_id)) == before
    assert desk.run(desk.songs.info(GetSongInfo(song_id=song_id))).version == 2


def test_old_notes_do_not_pile_up(desk: Desk) -> None:
    song_id = new_song(desk)
    for step in range(40):
        add(desk, song_id, f"C4 @{step} 1")
        if step % 3 == 0:
            desk.run(desk.editor.undo(UndoLastAction(song_id=song_id)))

    async def rows() -> tuple[int, int, int]:
        counts = []
        async with desk.database.transaction() as connection:
            for table in ("note_chunks", "song_states", "song_changes"):
                query = f"select count(*) as n from {table} where song_id = %s"
                row = await (await connection.execute(query, (song_id,))).fetchone()
                assert row is not None
                counts.append(row["n"])
        return counts[0], counts[1], counts[2]

    chunks, states, changes = desk.run(rows())
    assert chunks <= UNDO_STEPS + 2 and states <= UNDO_STEPS + 1 and changes == 54
    desk.run(desk.songs.delete(DeleteSong(song_id=song_id)))
    assert desk.run(rows()) == (0, 0, 0)


def test_a_deleted_song_is_gone(desk: Desk) -> None:
    one, other = new_song(desk), new_song(desk)
    desk.run(desk.songs.delete(DeleteSong(song_id=one)))
    with pytest.raises(NotFound):
        desk.run(desk.editor.tracks(SongRequest(song_id=one)))
    listed = desk.run(desk.songs.page(ListSongs(limit=100))).items
    assert other in [song.song_id for song in listed] and one not in [song.song_id for song in listed]


def test_pages_of_songs(desk: Desk) -> None:
    made = [new_song(desk, title=f"Page {number}") for number in range(5)]
    first = desk.run(desk.songs.page(ListSongs(limit=2, title_contains="pAGE")))
    assert [song.song_id for song in first.items] == made[:2:-1]
    rest = desk.run(desk.songs.page(ListSongs(limit=9, title_contains="page", cursor=first.next_cursor)))
    assert [song.song_id for song in rest.items] == made[2::-1] and rest.next_cursor is None


def test_many_edits_at_once_form_a_line(desk: Desk) -> None:
    song_id = new_song(desk)

    async def client(number: int) -> list[int]:
        versions = []
        for step in range(10):
            request = AddNotes(song_id=song_id, track="Lead", notes=f"C4 @{number * 10 + step}")
            versions.append((await desk.editor.add_notes(request)).version)
        return versions

    async def all_clients() -> list[list[int]]:
        return await asyncio.gather(*(client(number) for number in range(8)))

    answers = desk.run(all_clients())
    assert sorted(version for each in answers for version in each) == list(range(2, 82))
    notes = desk.run(desk.editor.notes(GetNotes(song_id=song_id, format="objects", limit=200))).notes
    assert [note.start for note in notes] == list(range(80))  # type: ignore[union-attr]


def test_a_composed_score_becomes_notes(desk: Desk) -> None:
    song_id = new_song(desk)
    third = Fraction(1, 3)
    notes = [Note(third * step, third, Pitch.parse("Bb4"), 70) for step in range(6)]
    score_id = desk.run(desk.scores.keep(Score((Part.of("Lead", notes),))))
    added = desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, score_id=score_id, first_bar=3)))
    assert (added.added, added.tracks[0].track, added.tracks[0].start_time) == (6, "Lead", 8)
    desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, score_id=score_id, track="Kit")))
    assert text_of(desk, song_id)["Lead"] == "A#4 @8 1/3 v70; " + "; ".join(["A#4"] * 5)
    with pytest.raises(NotFound):
        desk.run(desk.editor.add_notes(AddNotes(score_id="score_" + "0" * 26)))


@pytest.mark.parametrize(
    ("measure", "start", "warned"), [(3, 7, False), (2, 3, False), (1, 3, True)], ids=["later", "second", "first"]
)
def test_the_pickup_of_a_score_goes_before_the_bar(desk: Desk, measure: int, start: int, warned: bool) -> None:
    song_id = new_song(desk)
    notes = [Note(Fraction(step), Fraction(1), Pitch.parse("C4")) for step in range(5)]
    score_id = desk.run(desk.scores.keep(Score((Part.of("Lead", notes),), pickup=Fraction(1))))
    added = desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, score_id=score_id, first_bar=measure)))
    assert (added.tracks[0].start_time, added.tracks[0].end_time) == (start, start + 5)
    assert bool(added.warnings) == warned and (not warned or "is bar 2" in added.warnings[0])  # type: ignore[index]


def test_an_edit_without_a_change_leaves_version_and_redo(desk: Desk) -> None:
    song_id = new_song(desk, sections=[{"name": "Verse", "start_measure": 1, "end_measure": 4, "key": "Dm"}])
    add(desk, song_id, "C4")
    version = desk.run(desk.editor.undo(UndoLastAction(song_id=song_id))).version
    with pytest.raises(MusicError, match=r"Say what to change: new_name, instrument, volume or pan") as refused:
        desk.run(desk.editor.edit_track(EditTrack(song_id=song_id, name="Lead")))
    assert refused.value.suggestions
    with pytest.raises(MusicError, match=r"Say what to change: title, tempo, time_signature, key or tempo_changes"):
        desk.run(desk.editor.edit_song(EditSong(song_id=song_id)))
    with pytest.raises(MusicError, match=r"Say what to change: new_name, start_measure"):
        desk.run(desk.editor.edit_section(EditSection(song_id=song_id, name="Verse")))
    track = desk.run(desk.editor.edit_track(EditTrack(song_id=song_id, name="Lead", instrument="Flute")))
    section = desk.run(desk.editor.edit_section(EditSection(song_id=song_id, name="Verse", key="Dm", tempo=0)))
    assert track.warnings and section.warnings and (track.version, section.version) == (version, version)
    assert desk.run(desk.editor.redo(UndoLastAction(song_id=song_id))).note_count == 1


def test_what_is_refused_is_named_as_the_tool_names_it(desk: Desk) -> None:
    verse = {"name": "Verse", "start_measure": 1, "end_measure": 4}
    song_id = new_song(desk, sections=[verse, {"name": "End", "start_measure": 5, "end_measure": 5}])
    calls: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "tracks.a": lambda: desk.songs.create(CreateSong(tracks={"a": "zzz"})),
        "new_name": lambda: desk.editor.copy_section(
            CopySection(song_id=song_id, name="Verse", to_measure=9, new_name="End")
        ),
        "to_measure": lambda: desk.editor.copy_section(
            CopySection(song_id=song_id, name="Verse", to_measure=3, new_name="Two")
        ),
    }
    for field, call in calls.items():
        with pytest.raises(MusicError) as refused:
            desk.run(call())
        assert refused.value.field == field
    with pytest.raises(MusicError) as refused:
        desk.run(desk.editor.edit_section(EditSection(song_id=song_id, name="Verse", new_name="End")))
    assert (refused.value.code, refused.value.field) == ("SECTION_EXISTS", "new_name")


def test_a_copy_stays_within_the_song(desk: Desk) -> None:
    song_id = new_song(desk, sections=[{"name": "Verse", "start_measure": 1, "end_measure": 4}])
    with pytest.raises(MusicError) as refused:
        desk.run(
            desk.editor.copy_section(CopySection(song_id=song_id, name="Verse", to_measure=MAX_MEASURE, new_name="Two"))
        )
    assert refused.value.field == "to_measure"
    last = int(refused.value.suggestions[0].removeprefix("to_measure: "))
    copied = desk.run(
        desk.editor.copy_section(CopySection(song_id=song_id, name="Verse", to_measure=last, new_name="Two"))
    )
    assert copied.section is not None and copied.section.end_measure == MAX_MEASURE


def test_copies_are_songs_of_their_own(desk: Desk) -> None:
    song_id = new_song(desk, title="One")
    add(desk, song_id, "C4 x4")
    copied = desk.run(desk.songs.create(CreateSong(from_song_id=song_id, tempo=70, tracks={"More": "cello"})))
    assert (copied.title, copied.tempo, copied.tracks, copied.note_count) == ("One", 70, ["Lead", "Kit", "More"], 4)
    desk.run(desk.editor.edit_notes(EditNotes(song_id=copied.song_id, transpose=12)))
    assert text_of(desk, song_id) != text_of(desk, copied.song_id)


def test_copied_chords_keep_their_meaning(desk: Desk) -> None:
    """However a chord was typed, check_song reads it after the copy."""
    song_id = new_song(desk, key="C", sections=[{"name": "A", "start_measure": 1, "end_measure": 2}])
    desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords="Eflat7 ConE | am7 B♭Δ7")))
    desk.run(desk.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=3, new_name="B", key="D")))
    desk.run(desk.songs.check(CheckSong(song_id=song_id)))
    overview = desk.run(desk.songs.info(GetSongInfo(song_id=song_id, overview=True))).overview
    assert overview is not None
    assert [row.chords for row in overview] == ["Eflat7 ConE am7 B♭Δ7", "F7 D/F# Bm7 CΔ7"]


def test_copying_respects_the_limit_of_planned_chords(desk: Desk) -> None:
    sections = [{"name": "A", "start_measure": 1, "end_measure": 300}]
    song_id = new_song(desk, key="C", sections=sections)
    add(desk, song_id, "C4")
    desk.run(desk.editor.set_chords(SetChords(song_id=song_id, chords="C Am F G | " * 300)))
    before = desk.run(_everything(desk, song_id))
    with pytest.raises(MusicError) as refused:
        desk.run(desk.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=301, new_name="B")))
    assert (refused.value.code, refused.value.field) == ("TOO_MANY_CHORDS", "name")
    assert "2,400" in refused.value.message and "2,000" in refused.value.message
    assert desk.run(_everything(desk, song_id)) == before
