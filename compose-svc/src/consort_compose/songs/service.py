"""Songs as a whole: making, describing, checking, exporting, listing and deleting them."""

import asyncio
from collections import Counter
from typing import Any, NamedTuple

from consort_compose.songs import note_changes, sections, tracks
from consort_compose.songs.checks import check
from consort_compose.songs.chord_plan import ChordPlan, planned_chords
from consort_compose.songs.chunks import chunks_of
from consort_compose.songs.export import midi_bytes
from consort_compose.songs.heading import tempo_warnings, with_heading
from consort_compose.songs.importing import READING, ImportedSong, song_of
from consort_compose.songs.models import (
    CheckSong,
    CreateSong,
    DeleteSong,
    GetSongInfo,
    ListSongs,
    SongChecked,
    SongCreated,
    SongDeleted,
    SongExported,
    SongExportMidi,
    SongInfo,
    SongList,
    SongListItem,
)
from consort_compose.songs.opening import no_such_song, reading, which_row
from consort_compose.songs.overview import overview
from consort_compose.songs.problem_groups import grouped, problems_info
from consort_compose.songs.song import UNTITLED, Song
from consort_compose.songs.store import SongStore
from consort_compose.songs.tempos import described, tempo_map
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.words import fields_called
from consort_kit import logs
from consort_kit.child import with_care
from consort_kit.client import ServiceClient, error_of
from consort_kit.cursor import read_cursor, write_cursor
from consort_kit.ids import new_id
from consort_kit.sandbox import check_name, name_from_title
from consort_music.beats import shown_beats
from consort_music.errors import MusicError, below_field, in_field
from consort_music.score import seconds


class SongFile(NamedTuple):
    title: str
    version: str
    """As an ETag."""
    content: bytes | None


class SongService:
    def __init__(self, store: SongStore, client: ServiceClient) -> None:
        self._store = store
        self._client = client

    async def create(self, request: CreateSong) -> SongCreated:
        source = await self._source(request)
        song = with_heading(source.song, request)
        for name, instrument in request.tracks.items():
            field = f"tracks.{name[:80]}"
            with fields_called({"name": field, "instrument": field}):
                song = tracks.add(song, name, instrument)
        for number, given in enumerate(request.sections):
            with below_field(f"sections.{number}"):
                song, _ = sections.add(song, given)
        song_id = new_id("song")
        logs.note(song_id=song_id)
        chunks = [chunk for track, notes in source.notes.items() for chunk in chunks_of(track, notes)]
        row = await self._store.create(song_id, song, chunks)
        return SongCreated(
            **which_row(row),
            warnings=[*source.warnings, *tempo_warnings(song, request.tempo)] or None,
            tempo=song.tempo,
            time_signature=song.time_signature,
            key=song.key,
            tracks=[track.name for track in song.tracks],
            sections=[section.name for section in song.sections],
            note_count=row.note_count,
            next="Pass this song_id on to the other song tools.",
        )

    async def _source(self, request: CreateSong) -> ImportedSong:
        """What the song begins as: nothing, a stored file, or another song."""
        if request.midi_file_id and request.from_song_id:
            raise MusicError(
                "INVALID_INPUT", "Give midi_file_id or from_song_id, not both.", ["midi_file_id"], "from_song_id"
            )
        if request.midi_file_id:
            content = await self._client.fetch_music(request.midi_file_id)
            with in_field("midi_file_id"):
                return await with_care(len(content), READING, song_of, content)
        if request.from_song_id:
            async with self._store.reading(request.from_song_id) as opened:
                if opened is None:
                    raise no_such_song(request.from_song_id, "from_song_id")
                return ImportedSong(opened.song, await note_changes.all_notes(opened), [])
        return ImportedSong(Song(UNTITLED), {}, [])

    async def info(self, request: GetSongInfo) -> SongInfo:
        async with reading(self._store, request) as opened:
            song, row = opened.song, opened.row
            timeline = Timeline(song)
            end = await note_changes.end_of(opened)
            can_undo, can_redo = await opened.steps()
            rows = None
            if request.overview:
                rows = await asyncio.to_thread(overview, song, await note_changes.all_notes(opened))
            return SongInfo(
                **which_row(row),
                tempo=song.tempo,
                time_signature=song.time_signature,
                key=song.key,
                total_measures=timeline.last_measure(end),
                total_beats=shown_beats(end),
                duration_s=round(seconds(tempo_map(song, timeline, end), end), 3),
                note_count=row.note_count,
                tracks=[f"{track.name}: {track.instrument.name}" for track in song.tracks],
                sections=[
                    f"{section.name}: {section.start_measure}-{section.end_measure}" for section in song.sections
                ],
                chord_count=len(song.chords),
                tempo_changes=described(song.tempo_changes),
                can_undo=[step.action for step in can_undo] or None,
                can_redo=[step.action for step in can_redo] or None,
                overview=rows,
                created_at=row.created_at,
                updated_at=row.updated_at,
            )

    async def check(self, request: CheckSong) -> SongChecked:
        async with reading(self._store, request) as opened:
            song, row, notes = opened.song, opened.row, await note_changes.all_notes(opened)
        found = await asyncio.to_thread(check, song, notes)
        wanted = [problem for problem in found if not request.kinds or problem.kind in request.kinds]
        groups = grouped(wanted)
        page = groups[request.cursor : request.cursor + request.limit]
        end = request.cursor + len(page)
        return SongChecked(
            **which_row(row),
            ok=all(problem.kind == "passing" for problem in wanted),
            counts=dict(Counter(problem.kind for problem in wanted)),
            problems=problems_info(song, page, request.places),
            next_cursor=end if end < len(groups) else None,
        )

    async def page(self, request: ListSongs) -> SongList:
        before = read_cursor(request.cursor, "list_songs") if request.cursor else None
        rows = await self._store.newest(request.limit + 1, before, request.title_contains)
        page = rows[: request.limit]
        items = [
            SongListItem(
                song_id=row.id,
                title=row.title,
                version=row.version,
                note_count=row.note_count,
                updated_at=row.updated_at,
            )
            for row in page
        ]
        last = page[-1] if len(rows) > len(page) else None
        return SongList(items=items, next_cursor=write_cursor(last.updated_at, last.id) if last else None)

    async def delete(self, request: DeleteSong) -> SongDeleted:
        row = await self._store.delete(request.song_id)
        if row is None:
            raise no_such_song(request.song_id)
        return SongDeleted(**which_row(row))

    async def export(self, request: SongExportMidi) -> SongExported:
        async with reading(self._store, request) as opened:
            song, row = opened.song, opened.row
            notes = await note_changes.all_notes(opened)
        content, warnings = await asyncio.to_thread(midi_bytes, song, notes)
        name = check_name(request.name, "name") if request.name is not None else None
        path = (
            check_name(request.filepath.removeprefix("export/"), "filepath") if request.filepath is not None else None
        )
        if name is not None:
            query = {"name": name, "if_taken": "replace" if request.overwrite else "refuse"}
        else:  # the song's own file, which each export replaces
            query = {"name": name_from_title(song.title, ".mid"), "if_taken": "number"}
            query |= {"made_from": row.id} if request.overwrite else {}
        stored = await self._ask("POST", "/files", params=query, content=content)
        exported: dict[str, Any] = {}
        if path is not None:
            wanted = {
                "midi_file_id": stored["midi_file_id"],
                "export_name": path,
                "overwrite": request.overwrite,
            }
            exported = await self._ask("POST", "/tools/export_midi", json=wanted)
        return SongExported(
            **which_row(row),
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

    async def midi_file(self, song_id: str, known: str | None = None) -> SongFile:
        """The song as a file, without its bytes if its version is the one known."""
        async with self._store.reading(song_id) as opened:
            if opened is None:
                raise no_such_song(song_id)
            song, version = opened.song, f'"{opened.row.version}"'
            if version == known:
                return SongFile(song.title, version, None)
            notes = await note_changes.all_notes(opened)
        content, _ = await asyncio.to_thread(midi_bytes, song, notes)
        return SongFile(song.title, version, content)

    async def chord_plan(self, song_id: str, section: str | None) -> ChordPlan:
        """Return the chords planned in a song or section; raises NotFound, EMPTY_INPUT, UNKNOWN_SECTION."""
        async with self._store.reading(song_id) as opened:
            if opened is None:
                raise no_such_song(song_id)
            song = opened.song
        return planned_chords(song, section)

    async def _ask(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        answer = await self._client.request("midi-store", method, path, **options)
        if answer.status_code not in (200, 201):
            raise error_of(answer)
        body: dict[str, Any] = answer.json()
        return body
