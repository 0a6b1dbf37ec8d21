"""Create, export and delete songs."""

import asyncio
from typing import Any, Literal

from consort_compose.songs.document.names import rename_fields
from consort_compose.songs.document.song import UNTITLED, Song
from consort_compose.songs.edits import sections, tracks
from consort_compose.songs.edits.properties import tempo_warnings, with_properties
from consort_compose.songs.midi.export_midi import song_to_midi
from consort_compose.songs.midi.import_midi import ImportedSong, song_from_midi
from consort_compose.songs.models.songs import (
    CreateSong,
    DeleteSong,
    SongCreated,
    SongDeleted,
    SongExported,
    SongExportMidi,
)
from consort_compose.songs.notes.stored_notes import all_notes
from consort_compose.songs.storage.chunks import make_chunks
from consort_compose.songs.storage.requested_song import no_such_song, open_for_reading, song_identity
from consort_compose.songs.storage.store import SongStore
from consort_kit import logs
from consort_kit.http.midi_files import store_midi_file
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import new_id
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import IMPORT_SONG
from consort_kit.storage.file_names import check_name, name_from_title
from consort_music.errors import MusicError, below_field, in_field


class SongService:
    """Creates, exports and deletes songs for one client."""

    def __init__(self, store: SongStore, client: ServiceClient) -> None:
        self._store = store
        self._client = client

    async def create(self, request: CreateSong) -> SongCreated:
        source = await self._source(request)
        song = with_properties(source.song, request)
        for name, instrument in request.tracks.items():
            field = f"tracks.{name[:80]}"
            with rename_fields({"name": field, "instrument": field}):
                song = tracks.add(song, name, instrument)
        for number, given in enumerate(request.sections):
            with below_field(f"sections.{number}"):
                song, _ = sections.add(song, given)
        song_id = new_id("song")
        logs.add_ids(song_id=song_id)
        chunks = [chunk for track, notes in source.notes.items() for chunk in make_chunks(track, notes)]
        row = await self._store.create(song_id, song, chunks)
        return SongCreated(
            **song_identity(row),
            warnings=[*source.warnings, *tempo_warnings(song, request.tempo)] or None,
            tempo=song.tempo,
            time_signature=song.time_signature,
            key=song.key,
            tracks=[track.name for track in song.tracks],
            sections=[section.name for section in song.sections],
            note_count=row.note_count,
            next="Use this song_id in the other song tools.",
        )

    async def _source(self, request: CreateSong) -> ImportedSong:
        """Return the music that the new song starts with: an imported MIDI file, another song, or an empty song."""
        if request.midi_file_id and request.from_song_id:
            raise MusicError(
                "INVALID_INPUT", "Give midi_file_id or from_song_id, not both.", ["midi_file_id"], "from_song_id"
            )
        if request.midi_file_id:
            content = (await self._client.fetch(request.midi_file_id)).content
            with in_field("midi_file_id"):
                return await run_within_limits(len(content), IMPORT_SONG, song_from_midi, content)
        if request.from_song_id:
            async with self._store.open_for_reading(request.from_song_id) as opened:
                if opened is None:
                    raise no_such_song(request.from_song_id, "from_song_id")
                return ImportedSong(opened.song, await all_notes(opened), [])
        return ImportedSong(Song(UNTITLED), {}, [])

    async def delete(self, request: DeleteSong) -> SongDeleted:
        row = await self._store.delete(request.song_id)
        if row is None:
            raise no_such_song(request.song_id)
        return SongDeleted(**song_identity(row))

    async def export(self, request: SongExportMidi) -> SongExported:
        async with open_for_reading(self._store, request) as opened:
            song, row = opened.song, opened.row
            notes = await all_notes(opened)
        content, warnings = await asyncio.to_thread(song_to_midi, song, notes)
        name = check_name(request.name, "name") if request.name is not None else None
        path = (
            check_name(request.filepath.removeprefix("export/"), "filepath") if request.filepath is not None else None
        )
        if name is not None:
            if_taken: Literal["replace", "refuse"] = "replace" if request.overwrite else "refuse"
            stored = await store_midi_file(self._client, content, name, if_taken)
        else:  # the file of this song, which each export replaces
            file_name = name_from_title(song.title, ".mid")
            made_from = row.id if request.overwrite else None
            stored = await store_midi_file(self._client, content, file_name, "number", made_from)
        exported: dict[str, Any] = {}
        if path is not None:
            copy = {"midi_file_id": stored["midi_file_id"], "export_name": path, "overwrite": request.overwrite}
            exported = await self._client.call("midi-store", "POST", "/tools/export_midi", json=copy)
        return SongExported(
            **song_identity(row),
            warnings=warnings or None,
            midi_file_id=stored["midi_file_id"],
            name=stored["name"],
            bytes=stored["bytes"],
            note_count=stored["note_count"],
            duration_ms=stored["duration_ms"],
            download_url=stored["download_url"],
            path=stored["path"],
            export_path=exported.get("export_path"),
            full_path=exported.get("full_path") or stored.get("full_path"),
        )
