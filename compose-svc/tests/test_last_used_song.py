"""The song that a call without song_id means: the one that the same client used last, and never another client's."""

import random
from collections.abc import Coroutine
from typing import Any

import pytest

from consort_compose.songs.models import (
    AddTrack,
    CheckSong,
    CreateSong,
    DeleteSong,
    EditSong,
    GetSongInfo,
    ListSongs,
    SongExportMidi,
    SongRequest,
    UndoLastAction,
)
from consort_compose.songs.note_models import AddNotes, GetNotes
from consort_kit.errors import ConsortError
from tests.song_desk import Desk


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Begins without songs."""
    execute(desk, "delete from songs")
    return desk


def execute(desk: Desk, statement: Any) -> None:
    async def work() -> None:
        async with desk.database.transaction() as connection:
            await connection.execute(statement)

    desk.run(work())


def refusal(desk: Desk, work: Coroutine[Any, Any, Any]) -> ConsortError:
    with pytest.raises(ConsortError) as refused:
        desk.run(work)
    return refused.value


def new_song(desk: Desk, title: str) -> str:
    return desk.run(desk.songs.create(CreateSong(title=title, tracks={"Lead": "Flute"}))).song_id


def song_meant(desk: Desk) -> str:
    """The song of the next call without song_id; asking is itself a read."""
    return desk.run(desk.editor.tracks(SongRequest())).song_id


def test_two_clients_in_turns(desk: Desk) -> None:
    one, other = desk.of("one"), desk.of("other")
    first, second = new_song(one, "First"), new_song(other, "Second")
    for _ in range(3):
        for client, song in ((one, first), (other, second)):
            added = client.run(client.editor.add_notes(AddNotes(track="Lead", notes="C4")))
            assert added.song_id == song
    one.run(one.editor.sections(SongRequest(song_id=second)))
    assert song_meant(one) == second, "reading by id counts as use"
    assert song_meant(other) == second


def test_what_is_not_a_song_tool_counts_as_no_use(desk: Desk) -> None:
    client = desk.of("one")
    looping, mine = new_song(client, "Looping"), new_song(client, "Mine")
    client.run(client.songs.midi_file(looping))
    client.run(client.songs.page(ListSongs()))
    assert song_meant(client) == mine
    copy = client.run(client.songs.create(CreateSong(from_song_id=looping))).song_id
    assert song_meant(client) == copy, "the new song, not the one that it was copied from"


def test_a_refused_call_counts_as_no_use(desk: Desk) -> None:
    client = desk.of("one")
    other, mine = new_song(client, "Other"), new_song(client, "Mine")
    with pytest.raises(Exception, match="Lute"):
        client.run(client.editor.add_notes(AddNotes(song_id=other, track="Lute", notes="C4")))
    assert song_meant(client) == mine


@pytest.mark.parametrize("client", [None, "new"])
def test_who_has_used_no_song_means_the_only_one(desk: Desk, client: str | None) -> None:
    made, caller = desk.of("maker"), desk.of(client)
    none = refusal(caller, caller.editor.tracks(SongRequest()))
    assert (none.body.code, none.body.field) == ("NO_SONG", "song_id") and "create_song" in none.body.message
    only = new_song(made, "Only")
    assert song_meant(caller) == only


def test_who_has_used_no_song_must_choose_among_several(desk: Desk) -> None:
    maker, caller = desk.of("maker"), desk.of(None)
    songs = [new_song(maker, title) for title in ("Rain", "Snow", "Hail", "Fog")]
    maker.run(maker.editor.edit_song(EditSong(song_id=songs[0], tempo=99)))
    for work in (caller.editor.tracks(SongRequest()), caller.editor.add_notes(AddNotes(track="Lead", notes="C4"))):
        error = refusal(caller, work).body
        assert (error.code, error.field) == ("SONG_ID_NEEDED", "song_id")
        assert error.suggestions == [f"{songs[0]} (Rain)", f"{songs[3]} (Fog)", f"{songs[2]} (Hail)"]
        assert songs[0] in error.message
    caller.run(caller.editor.tracks(SongRequest(song_id=songs[1])))
    assert refusal(caller, caller.editor.tracks(SongRequest())).body.code == "SONG_ID_NEEDED", "nobody to remember"


def test_a_deleted_song_is_nobodys_last_used(desk: Desk) -> None:
    one, other = desk.of("one"), desk.of("other")
    for title in ("A", "B"):
        new_song(desk, title)
    gone = new_song(one, "Gone")
    other.run(other.editor.tracks(SongRequest(song_id=gone)))
    deleted = other.run(other.songs.delete(DeleteSong(song_id=gone)))
    assert (deleted.song_id, deleted.title, deleted.version) == (gone, "Gone", 1)
    for client in (one, other):
        assert refusal(client, client.editor.tracks(SongRequest())).body.code == "SONG_ID_NEEDED"


def test_thirty_days_later(desk: Desk) -> None:
    away, here = desk.of("away"), desk.of("here")
    for client in (away, here):
        new_song(client, "Song")
    execute(desk, "update last_used_songs set used_at = used_at - interval '31 days' where client = 'away'")
    assert refusal(away, away.editor.tracks(SongRequest())).body.code == "SONG_ID_NEEDED"
    execute(desk, "update last_used_songs set used_at = used_at - interval '29 days' where client = 'here'")
    mine = song_meant(here)
    execute(desk, "update last_used_songs set used_at = used_at - interval '29 days' where client = 'here'")
    assert song_meant(here) == mine, "each use starts the thirty days again"

    async def clients() -> list[str]:
        return [row["client"] for row in await desk.database.run("select client from last_used_songs", ())]

    assert desk.run(clients()) == ["here"], "what has expired is deleted"


def test_random_calls_of_three_clients(desk: Desk) -> None:
    """Against a dictionary from client to song."""
    chance = random.Random(11)
    clients = {name: desk.of(name) for name in ("a", "b", None)}
    used: dict[str | None, str] = {}
    songs: list[str] = []
    for step in range(150):
        name, client = chance.choice(list(clients.items()))
        kind = chance.choice(["create", "read", "change", "copy", "play", "delete", "meant", "meant", "meant"])
        song = chance.choice(songs) if songs else None
        if kind == "create" or song is None:
            songs.append(new_song(client, f"Song {step}"))
            used[name] = songs[-1]
        elif kind == "read":
            client.run(client.editor.notes(GetNotes(song_id=song)))
            used[name] = song
        elif kind == "change":
            client.run(client.editor.add_notes(AddNotes(song_id=song, track="Lead", notes="C4")))
            used[name] = song
        elif kind == "copy":
            songs.append(client.run(client.songs.create(CreateSong(from_song_id=song))).song_id)
            used[name] = songs[-1]
        elif kind == "play":
            client.run(client.songs.midi_file(song))
        elif kind == "delete" and len(songs) > 3:
            client.run(client.songs.delete(DeleteSong(song_id=song)))
            songs.remove(song)
            used = {each: at for each, at in used.items() if at != song}
        used.pop(None, None)
        if kind == "meant":
            expected = used.get(name) or (songs[0] if len(songs) == 1 else None)
            if expected:
                assert song_meant(client) == expected, f"step {step}"
                used[name] = expected
            else:
                assert refusal(client, client.editor.tracks(SongRequest())).body.code == "SONG_ID_NEEDED"
        used.pop(None, None)


def test_every_answer_names_the_song(desk: Desk) -> None:
    client = desk.of("one")
    made = client.run(client.songs.create(CreateSong(title="Rain", tracks={"Lead": "Flute"})))
    assert "song_id" in made.next
    here = SongRequest(song_id=made.song_id)
    done = [
        made,
        client.run(client.editor.add_notes(AddNotes(track="Lead", notes="C4"))),
        client.run(client.editor.add_track(AddTrack(name="Bass", instrument="bass"))),
        client.run(client.editor.undo(UndoLastAction())),
        client.run(client.editor.redo(UndoLastAction())),
        client.run(client.editor.tracks(here)),
        client.run(client.editor.notes(GetNotes())),
        client.run(client.songs.info(GetSongInfo())),
        client.run(client.songs.check(CheckSong())),
    ]
    assert [(each.song_id, each.title) for each in done] == [(made.song_id, "Rain")] * len(done)
    assert [each.version for each in done] == [1, 2, 3, 4, 5, 5, 5, 5, 5]
    renamed = client.run(client.editor.edit_song(EditSong(title="Snow")))
    assert (renamed.title, renamed.version) == ("Snow", 6)
    undone = client.run(client.editor.undo(UndoLastAction()))
    assert (undone.title, undone.version) == ("Rain", 7)
    assert refusal(client, client.songs.export(SongExportMidi())).body.code == "SERVICE_DOWN"  # midi-store is away
