"""A call without song_id uses the song that the same client used last."""

import random
from collections.abc import Coroutine
from typing import Any

import pytest

from consort_compose.songs.models.checks import CheckSong
from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.notes import AddNotes, GetNotes
from consort_compose.songs.models.songs import (
    CreateSong,
    DeleteSong,
    EditSong,
    GetSongInfo,
    ListSongs,
    SongExportMidi,
    UndoLastAction,
)
from consort_compose.songs.models.tracks import AddTrack
from consort_kit.errors import ConsortError
from tests.support.song_services import SongServices


@pytest.fixture
def services(services: SongServices) -> SongServices:
    """Yield services without any songs."""
    execute(services, "delete from songs")
    return services


def execute(services: SongServices, statement: Any) -> None:
    async def work() -> None:
        async with services.database.transaction() as connection:
            await connection.execute(statement)

    services.run(work())


def error_of(services: SongServices, work: Coroutine[Any, Any, Any]) -> ConsortError:
    with pytest.raises(ConsortError) as caught:
        services.run(work)
    return caught.value


def new_song(services: SongServices, title: str) -> str:
    return services.run(services.songs.create(CreateSong(title=title, tracks={"Lead": "Flute"}))).song_id


def default_song(services: SongServices) -> str:
    """Return the song of a call without song_id. The call itself is a read."""
    return services.run(services.reader.tracks(SongRequest())).song_id


def test_two_clients_have_different_last_used_songs(services: SongServices) -> None:
    one, other = services.for_client("one"), services.for_client("other")
    first, second = new_song(one, "First"), new_song(other, "Second")
    for _ in range(3):
        for client, song in ((one, first), (other, second)):
            added = client.run(client.editor.add_notes(AddNotes(track="Lead", notes="C4")))
            assert added.song_id == song
    one.run(one.reader.sections(SongRequest(song_id=second)))
    assert default_song(one) == second, "reading by id counts as use"
    assert default_song(other) == second


def test_playback_and_lists_do_not_count_as_use(services: SongServices) -> None:
    client = services.for_client("one")
    looping, mine = new_song(client, "Looping"), new_song(client, "Mine")
    client.run(client.reader.midi_file(looping))
    client.run(client.reader.list_songs(ListSongs()))
    assert default_song(client) == mine
    copy = client.run(client.songs.create(CreateSong(from_song_id=looping))).song_id
    assert default_song(client) == copy, "the new song, not the one that it was copied from"


def test_rejected_call_does_not_count_as_use(services: SongServices) -> None:
    client = services.for_client("one")
    other, mine = new_song(client, "Other"), new_song(client, "Mine")
    with pytest.raises(Exception, match="Lute"):
        client.run(client.editor.add_notes(AddNotes(song_id=other, track="Lute", notes="C4")))
    assert default_song(client) == mine


@pytest.mark.parametrize("client", [None, "new"])
def test_only_song_is_the_default(services: SongServices, client: str | None) -> None:
    made, caller = services.for_client("maker"), services.for_client(client)
    none = error_of(caller, caller.reader.tracks(SongRequest()))
    assert (none.body.code, none.body.field) == ("NO_SONG", "song_id") and "create_song" in none.body.message
    only = new_song(made, "Only")
    assert default_song(caller) == only


def test_new_client_must_choose_among_several_songs(services: SongServices) -> None:
    maker, caller = services.for_client("maker"), services.for_client(None)
    songs = [new_song(maker, title) for title in ("Rain", "Snow", "Hail", "Fog")]
    maker.run(maker.editor.edit_song(EditSong(song_id=songs[0], tempo=99)))
    for work in (caller.reader.tracks(SongRequest()), caller.editor.add_notes(AddNotes(track="Lead", notes="C4"))):
        error = error_of(caller, work).body
        assert (error.code, error.field) == ("SONG_ID_NEEDED", "song_id")
        assert error.suggestions == [f"{songs[0]} (Rain)", f"{songs[3]} (Fog)", f"{songs[2]} (Hail)"]
        assert songs[0] in error.message
    caller.run(caller.reader.tracks(SongRequest(song_id=songs[1])))
    assert error_of(caller, caller.reader.tracks(SongRequest())).body.code == "SONG_ID_NEEDED", (
        "nothing is remembered for a client without an id"
    )


def test_deleted_song_is_forgotten(services: SongServices) -> None:
    one, other = services.for_client("one"), services.for_client("other")
    for title in ("A", "B"):
        new_song(services, title)
    gone = new_song(one, "Gone")
    other.run(other.reader.tracks(SongRequest(song_id=gone)))
    deleted = other.run(other.songs.delete(DeleteSong(song_id=gone)))
    assert (deleted.song_id, deleted.title, deleted.version) == (gone, "Gone", 1)
    for client in (one, other):
        assert error_of(client, client.reader.tracks(SongRequest())).body.code == "SONG_ID_NEEDED"


def test_last_used_song_expires_after_thirty_days(services: SongServices) -> None:
    away, here = services.for_client("away"), services.for_client("here")
    for client in (away, here):
        new_song(client, "Song")
    execute(services, "update last_used_songs set used_at = used_at - interval '31 days' where client = 'away'")
    assert error_of(away, away.reader.tracks(SongRequest())).body.code == "SONG_ID_NEEDED"
    execute(services, "update last_used_songs set used_at = used_at - interval '29 days' where client = 'here'")
    mine = default_song(here)
    execute(services, "update last_used_songs set used_at = used_at - interval '29 days' where client = 'here'")
    assert default_song(here) == mine, "each use starts the thirty days again"

    async def clients() -> list[str]:
        return [row["client"] for row in await services.database.run("select client from last_used_songs", ())]

    assert services.run(clients()) == ["here"], "what has expired is deleted"


def test_random_calls_of_three_clients(services: SongServices) -> None:
    """Compare with a dictionary from client to song."""
    chance = random.Random(11)
    clients = {name: services.for_client(name) for name in ("a", "b", None)}
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
            client.run(client.reader.notes(GetNotes(song_id=song)))
            used[name] = song
        elif kind == "change":
            client.run(client.editor.add_notes(AddNotes(song_id=song, track="Lead", notes="C4")))
            used[name] = song
        elif kind == "copy":
            songs.append(client.run(client.songs.create(CreateSong(from_song_id=song))).song_id)
            used[name] = songs[-1]
        elif kind == "play":
            client.run(client.reader.midi_file(song))
        elif kind == "delete" and len(songs) > 3:
            client.run(client.songs.delete(DeleteSong(song_id=song)))
            songs.remove(song)
            used = {each: at for each, at in used.items() if at != song}
        used.pop(None, None)
        if kind == "meant":
            expected = used.get(name) or (songs[0] if len(songs) == 1 else None)
            if expected:
                assert default_song(client) == expected, f"step {step}"
                used[name] = expected
            else:
                assert error_of(client, client.reader.tracks(SongRequest())).body.code == "SONG_ID_NEEDED"
        used.pop(None, None)


def test_every_answer_has_the_song_id(services: SongServices) -> None:
    client = services.for_client("one")
    made = client.run(client.songs.create(CreateSong(title="Rain", tracks={"Lead": "Flute"})))
    assert "song_id" in made.next
    here = SongRequest(song_id=made.song_id)
    done = [
        made,
        client.run(client.editor.add_notes(AddNotes(track="Lead", notes="C4"))),
        client.run(client.editor.add_track(AddTrack(name="Bass", instrument="bass"))),
        client.run(client.editor.undo(UndoLastAction())),
        client.run(client.editor.redo(UndoLastAction())),
        client.run(client.reader.tracks(here)),
        client.run(client.reader.notes(GetNotes())),
        client.run(client.reader.info(GetSongInfo())),
        client.run(client.reader.check(CheckSong())),
    ]
    assert [(each.song_id, each.title) for each in done] == [(made.song_id, "Rain")] * len(done)
    assert [each.version for each in done] == [1, 2, 3, 4, 5, 5, 5, 5, 5]
    renamed = client.run(client.editor.edit_song(EditSong(title="Snow")))
    assert (renamed.title, renamed.version) == ("Snow", 6)
    undone = client.run(client.editor.undo(UndoLastAction()))
    assert (undone.title, undone.version) == ("Rain", 7)
    assert (
        error_of(client, client.songs.export(SongExportMidi())).body.code == "SERVICE_DOWN"
    )  # midi-store does not run
