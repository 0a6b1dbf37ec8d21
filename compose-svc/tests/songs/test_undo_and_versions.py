"""Undo and redo, versions of two clients, and what Postgres keeps."""

import asyncio
from collections.abc import Callable, Coroutine
from fractions import Fraction
from typing import Any

import pytest

from consort_compose.songs.document.song import MAX_MEASURE
from consort_compose.songs.models.checks import CheckSong
from consort_compose.songs.models.chords import SetChords
from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.notes import AddNotes, EditNotes, GetNotes, RemoveNotes
from consort_compose.songs.models.sections import CopySection, EditSection, RemoveSection
from consort_compose.songs.models.songs import CreateSong, DeleteSong, EditSong, GetSongInfo, ListSongs, UndoLastAction
from consort_compose.songs.models.tracks import AddTrack, EditTrack, RemoveTrack
from consort_compose.songs.storage.store import UNDO_STEPS
from consort_kit.errors import Conflict, NotFound
from consort_music.errors import MusicError
from consort_music.metre import parse_metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from tests.support.song_services import SongServices

THREE = ((Fraction(0), parse_metre("3/4")),)


def new_song(services: SongServices, **fields: Any) -> str:
    fields = {"tracks": {"Lead": "Flute", "Kit": "drums"}, **fields}
    return services.run(services.songs.create(CreateSong(**fields))).song_id


def add(services: SongServices, song_id: str, text: str, **fields: Any) -> int:
    return services.add_notes(song_id, track="Lead", notes=text, **fields).version


def test_ten_changes_can_be_undone_and_redone(services: SongServices) -> None:
    song_id = new_song(services)
    states = [services.notes_text(song_id)]
    for step in range(14):
        add(services, song_id, f"C4 @{step}")
        states.append(services.notes_text(song_id))
    back = UndoLastAction(song_id=song_id)
    for step in range(UNDO_STEPS):
        undone = services.run(services.editor.undo(back))
        assert (undone.undo_steps_left, undone.redo_steps_left) == (UNDO_STEPS - 1 - step, step + 1)
        assert services.notes_text(song_id) == states[13 - step]
    with pytest.raises(MusicError, match="nothing to undo"):
        services.run(services.editor.undo(back))
    for step in range(UNDO_STEPS):
        services.run(services.editor.redo(back))
        assert services.notes_text(song_id) == states[5 + step]
    with pytest.raises(MusicError, match="nothing to redo"):
        services.run(services.editor.redo(back))
    services.run(services.editor.undo(back))
    add(services, song_id, "G4 @50")
    with pytest.raises(MusicError, match="changed since"):
        services.run(services.editor.redo(back))
    assert services.run(services.reader.info(GetSongInfo(song_id=song_id))).version == 1 + 14 + 10 + 10 + 1 + 1


def test_every_change_is_one_undo_step(services: SongServices) -> None:
    sections = [{"name": "A", "start_measure": 1, "end_measure": 2, "key": "C"}]
    song_id = new_song(services, sections=sections)
    add(services, song_id, "C4 x8")
    here: dict[str, Any] = {"song_id": song_id}
    editor = services.editor
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
        before = services.run(whole_song(services, song_id))
        services.run(work())
        after = services.run(whole_song(services, song_id))
        assert after != before
        services.run(editor.undo(UndoLastAction(**here)))
        assert services.run(whole_song(services, song_id)) == before
        services.run(editor.redo(UndoLastAction(**here)))
        assert services.run(whole_song(services, song_id)) == after
        services.run(editor.undo(UndoLastAction(**here)))


async def whole_song(services: SongServices, song_id: str) -> tuple[Any, ...]:
    request = SongRequest(song_id=song_id)
    tracks = (await services.reader.tracks(request)).tracks
    sections = (await services.reader.sections(request)).sections
    notes = (await services.reader.notes(GetNotes(song_id=song_id, limit=2000))).notes
    midi = (await services.reader.midi_file(song_id)).content
    chords = (await services.reader.info(GetSongInfo(song_id=song_id))).chord_count
    return tracks, sections, notes, midi, chords


def test_expected_version_rejects_only_conflicting_changes(services: SongServices) -> None:
    """An edit with expected_version succeeds if others changed other places; otherwise it is rejected."""
    song_id = new_song(services)
    seen = add(services, song_id, "C4 x16")
    add(services, song_id, "C5 @40 1")
    assert add(services, song_id, "E4 @2 1", expected_version=seen) == seen + 2, "elsewhere in the track"
    add(services, song_id, "E4 @8 1")
    with pytest.raises(Conflict) as caught:
        services.run(
            services.editor.edit_notes(
                EditNotes(song_id=song_id, start_time=7, end_time=9, transpose=1, expected_version=seen)
            )
        )
    assert caught.value.body.code == "VERSION_CONFLICT" and "add_notes" in caught.value.body.message
    assert caught.value.body.details == {"version": seen + 3}
    with pytest.raises(Conflict):
        add(services, song_id, "E4 @90", expected_version=seen + 50)
    assert services.run(services.reader.info(GetSongInfo(song_id=song_id))).version == seen + 3
    assert add(services, song_id, "E4 @8 1", expected_version=seen + 3) == seen + 4


def test_rejected_requests_change_nothing(services: SongServices) -> None:
    song_id = new_song(services)
    add(services, song_id, "C4 x4")
    before = services.run(whole_song(services, song_id))
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
        with pytest.raises(MusicError) as caught:
            services.run(services.editor.edit_notes(request))
        assert caught.value.code and caught.value.message
    assert services.run(whole_song(services, song_id)) == before
    assert services.run(services.reader.info(GetSongInfo(song_id=song_id))).version == 2


def test_unreachable_states_and_chunks_are_deleted(services: SongServices) -> None:
    song_id = new_song(services)
    for step in range(40):
        add(services, song_id, f"C4 @{step} 1")
        if step % 3 == 0:
            services.run(services.editor.undo(UndoLastAction(song_id=song_id)))

    async def rows() -> tuple[int, int, int]:
        counts = []
        async with services.database.transaction() as connection:
            for table in ("note_chunks", "song_states", "song_changes"):
                query = f"select count(*) as n from {table} where song_id = %s"
                row = await (await connection.execute(query, (song_id,))).fetchone()
                assert row is not None
                counts.append(row["n"])
        return counts[0], counts[1], counts[2]

    chunks, states, changes = services.run(rows())
    assert chunks <= UNDO_STEPS + 2 and states <= UNDO_STEPS + 1 and changes == 54
    services.run(services.songs.delete(DeleteSong(song_id=song_id)))
    assert services.run(rows()) == (0, 0, 0)


def test_deleted_song_is_not_found(services: SongServices) -> None:
    one, other = new_song(services), new_song(services)
    services.run(services.songs.delete(DeleteSong(song_id=one)))
    with pytest.raises(NotFound):
        services.run(services.reader.tracks(SongRequest(song_id=one)))
    listed = services.run(services.reader.list_songs(ListSongs(limit=100))).items
    assert other in [song.song_id for song in listed] and one not in [song.song_id for song in listed]


def test_list_songs_pages(services: SongServices) -> None:
    made = [new_song(services, title=f"Page {number}") for number in range(5)]
    first = services.run(services.reader.list_songs(ListSongs(limit=2, title_contains="pAGE")))
    assert [song.song_id for song in first.items] == made[:2:-1]
    rest = services.run(services.reader.list_songs(ListSongs(limit=9, title_contains="page", cursor=first.next_cursor)))
    assert [song.song_id for song in rest.items] == made[2::-1] and rest.next_cursor is None


def test_concurrent_edits_are_all_kept(services: SongServices) -> None:
    song_id = new_song(services)

    async def client(number: int) -> list[int]:
        versions = []
        for step in range(10):
            request = AddNotes(song_id=song_id, track="Lead", notes=f"C4 @{number * 10 + step}")
            versions.append((await services.editor.add_notes(request)).version)
        return versions

    async def all_clients() -> list[list[int]]:
        return await asyncio.gather(*(client(number) for number in range(8)))

    answers = services.run(all_clients())
    assert sorted(version for each in answers for version in each) == list(range(2, 82))
    notes = services.run(services.reader.notes(GetNotes(song_id=song_id, format="objects", limit=200))).notes
    assert [note.start for note in notes] == list(range(80))  # type: ignore[union-attr]


def test_score_is_added_as_notes(services: SongServices) -> None:
    song_id = new_song(services)
    third = Fraction(1, 3)
    notes = [Note(third * step, third, Pitch.parse("Bb4"), 70) for step in range(6)]
    score_id = services.run(services.scores.keep(Score((Part.of("Lead", notes),))))
    added = services.add_notes(song_id, score_id=score_id, first_bar=3)
    assert (added.added, added.tracks[0].track, added.tracks[0].start_time) == (6, "Lead", 8)
    services.add_notes(song_id, score_id=score_id, track="Kit")
    assert services.notes_text(song_id)["Lead"] == "A#4 @8 1/3 v70; " + "; ".join(["A#4"] * 5)
    with pytest.raises(NotFound):
        services.run(services.editor.add_notes(AddNotes(score_id="score_" + "0" * 26)))


@pytest.mark.parametrize(
    ("measure", "start", "warnings"),
    [
        (3, 7, None),
        (2, 3, None),
        (1, 3, ["There is no room for the pickup before bar 1: the first full bar of the score is bar 2."]),
    ],
    ids=["later", "second", "first"],
)
def test_pickup_of_a_score_goes_before_the_bar(
    services: SongServices, measure: int, start: int, warnings: list[str] | None
) -> None:
    song_id = new_song(services)
    notes = [Note(Fraction(step), Fraction(1), Pitch.parse("C4")) for step in range(5)]
    score_id = services.run(services.scores.keep(Score((Part.of("Lead", notes),), pickup=Fraction(1))))
    added = services.add_notes(song_id, score_id=score_id, first_bar=measure)
    assert (added.tracks[0].start_time, added.tracks[0].end_time) == (start, start + 5)
    assert added.warnings == warnings


def test_edit_without_effect_keeps_version_and_redo(services: SongServices) -> None:
    song_id = new_song(services, sections=[{"name": "Verse", "start_measure": 1, "end_measure": 4, "key": "Dm"}])
    add(services, song_id, "C4")
    version = services.run(services.editor.undo(UndoLastAction(song_id=song_id))).version
    with pytest.raises(MusicError, match=r"Give what to change: new_name, instrument, volume or pan") as caught:
        services.run(services.editor.edit_track(EditTrack(song_id=song_id, name="Lead")))
    assert caught.value.suggestions
    with pytest.raises(MusicError, match=r"Give what to change: title, tempo, time_signature, key or tempo_changes"):
        services.run(services.editor.edit_song(EditSong(song_id=song_id)))
    with pytest.raises(MusicError, match=r"Give what to change: new_name, start_measure"):
        services.run(services.editor.edit_section(EditSection(song_id=song_id, name="Verse")))
    track = services.run(services.editor.edit_track(EditTrack(song_id=song_id, name="Lead", instrument="Flute")))
    section = services.run(services.editor.edit_section(EditSection(song_id=song_id, name="Verse", key="Dm", tempo=0)))
    assert track.warnings and section.warnings and (track.version, section.version) == (version, version)
    assert services.run(services.editor.redo(UndoLastAction(song_id=song_id))).note_count == 1


def test_errors_name_the_field_of_the_tool(services: SongServices) -> None:
    verse = {"name": "Verse", "start_measure": 1, "end_measure": 4}
    song_id = new_song(services, sections=[verse, {"name": "End", "start_measure": 5, "end_measure": 5}])
    calls: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "tracks.a": lambda: services.songs.create(CreateSong(tracks={"a": "zzz"})),
        "new_name": lambda: services.editor.copy_section(
            CopySection(song_id=song_id, name="Verse", to_measure=9, new_name="End")
        ),
        "to_measure": lambda: services.editor.copy_section(
            CopySection(song_id=song_id, name="Verse", to_measure=3, new_name="Two")
        ),
    }
    for field, call in calls.items():
        with pytest.raises(MusicError) as caught:
            services.run(call())
        assert caught.value.field == field
    with pytest.raises(MusicError) as caught:
        services.run(services.editor.edit_section(EditSection(song_id=song_id, name="Verse", new_name="End")))
    assert (caught.value.code, caught.value.field) == ("SECTION_EXISTS", "new_name")


def test_copy_beyond_the_end_of_a_song_is_rejected(services: SongServices) -> None:
    song_id = new_song(services, sections=[{"name": "Verse", "start_measure": 1, "end_measure": 4}])
    with pytest.raises(MusicError) as caught:
        services.run(
            services.editor.copy_section(
                CopySection(song_id=song_id, name="Verse", to_measure=MAX_MEASURE, new_name="Two")
            )
        )
    assert caught.value.field == "to_measure"
    last = int(caught.value.suggestions[0].removeprefix("to_measure: "))
    copied = services.run(
        services.editor.copy_section(CopySection(song_id=song_id, name="Verse", to_measure=last, new_name="Two"))
    )
    assert copied.section is not None and copied.section.end_measure == MAX_MEASURE


def test_copied_song_is_independent(services: SongServices) -> None:
    song_id = new_song(services, title="One")
    add(services, song_id, "C4 x4")
    copied = services.run(services.songs.create(CreateSong(from_song_id=song_id, tempo=70, tracks={"More": "cello"})))
    assert (copied.title, copied.tempo, copied.tracks, copied.note_count) == ("One", 70, ["Lead", "Kit", "More"], 4)
    services.run(services.editor.edit_notes(EditNotes(song_id=copied.song_id, transpose=12)))
    assert services.notes_text(song_id) != services.notes_text(copied.song_id)


def test_copied_chords_are_readable(services: SongServices) -> None:
    """check_song can read the copied chords, however they were written."""
    song_id = new_song(services, key="C", sections=[{"name": "A", "start_measure": 1, "end_measure": 2}])
    services.run(services.editor.set_chords(SetChords(song_id=song_id, chords="Eflat7 ConE | am7 B♭Δ7")))
    services.run(
        services.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=3, new_name="B", key="D"))
    )
    services.run(services.reader.check(CheckSong(song_id=song_id)))
    overview = services.run(services.reader.info(GetSongInfo(song_id=song_id, overview=True))).overview
    assert overview is not None
    assert [row.chords for row in overview] == ["Eflat7 ConE am7 B♭Δ7", "F7 D/F# Bm7 CΔ7"]


def test_copy_with_too_many_chords_is_rejected(services: SongServices) -> None:
    sections = [{"name": "A", "start_measure": 1, "end_measure": 300}]
    song_id = new_song(services, key="C", sections=sections)
    add(services, song_id, "C4")
    services.run(services.editor.set_chords(SetChords(song_id=song_id, chords="C Am F G | " * 300)))
    before = services.run(whole_song(services, song_id))
    with pytest.raises(MusicError) as caught:
        services.run(services.editor.copy_section(CopySection(song_id=song_id, name="A", to_measure=301, new_name="B")))
    assert (caught.value.code, caught.value.field) == ("TOO_MANY_CHORDS", "name")
    assert "2,400" in caught.value.message and "2,000" in caught.value.message
    assert services.run(whole_song(services, song_id)) == before
