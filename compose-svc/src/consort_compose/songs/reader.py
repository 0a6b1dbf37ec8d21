"""Read songs: list, description, sections, tracks, notes, problems, MIDI bytes and planned chords."""

import asyncio
from collections import Counter
from typing import NamedTuple

from consort_compose.songs.checks.problem_groups import describe_problems, group_problems
from consort_compose.songs.checks.problems import find_problems
from consort_compose.songs.descriptions.overview import song_overview
from consort_compose.songs.descriptions.sections_and_tracks import describe_sections, describe_track
from consort_compose.songs.document.chord_plan import (
    ChordPlan,
    planned_chords,
)
from consort_compose.songs.document.tempos import format_tempo_changes, tempo_map
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.midi.export_midi import song_to_midi
from consort_compose.songs.models.checks import CheckSong, SongChecked
from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.notes import (
    GetNotes,
    SongNotePage,
)
from consort_compose.songs.models.sections import (
    SectionList,
)
from consort_compose.songs.models.songs import (
    GetSongInfo,
    ListSongs,
    SongInfo,
    SongList,
    SongListItem,
)
from consort_compose.songs.models.tracks import TrackList
from consort_compose.songs.notes.pages import note_page
from consort_compose.songs.notes.stored_notes import all_notes, end_of_notes
from consort_compose.songs.storage.requested_song import (
    no_such_song,
    open_for_reading,
    song_identity,
)
from consort_compose.songs.storage.store import SongStore
from consort_kit.tools.cursor import first_page, read_cursor
from consort_music.beats import format_beats
from consort_music.score import seconds


class SongFile(NamedTuple):
    """A song as a MIDI file. `content` is None if the caller already has this version."""

    title: str
    version: str
    """As an HTTP ETag."""
    content: bytes | None


class SongReader:
    """Reads songs for one client. It changes nothing except which song that client used last."""

    def __init__(self, store: SongStore) -> None:
        self._store = store

    async def list_songs(self, request: ListSongs) -> SongList:
        before = read_cursor(request.cursor, "list_songs") if request.cursor else None
        rows = await self._store.newest(request.limit + 1, before, request.title_contains)
        page, next_cursor = first_page(rows, request.limit, lambda row: (row.updated_at, row.id))
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
        return SongList(items=items, next_cursor=next_cursor)

    async def info(self, request: GetSongInfo) -> SongInfo:
        async with open_for_reading(self._store, request) as opened:
            song, row = opened.song, opened.row
            timeline = Timeline(song)
            end = await end_of_notes(opened)
            can_undo, can_redo = await opened.steps()
            rows = None
            if request.overview:
                rows = await asyncio.to_thread(song_overview, song, await all_notes(opened))
            return SongInfo(
                **song_identity(row),
                tempo=song.tempo,
                time_signature=song.time_signature,
                key=song.key,
                total_measures=timeline.last_measure(end),
                total_beats=format_beats(end),
                duration_s=round(seconds(tempo_map(song, timeline, end), end), 3),
                note_count=row.note_count,
                tracks=[f"{track.name}: {track.instrument.name}" for track in song.tracks],
                sections=[
                    f"{section.name}: {section.start_measure}-{section.end_measure}" for section in song.sections
                ],
                chord_count=len(song.chords),
                tempo_changes=format_tempo_changes(song.tempo_changes),
                can_undo=[step.action for step in can_undo] or None,
                can_redo=[step.action for step in can_redo] or None,
                overview=rows,
                created_at=row.created_at,
                updated_at=row.updated_at,
            )

    async def sections(self, request: SongRequest) -> SectionList:
        async with open_for_reading(self._store, request) as opened:
            return SectionList(**song_identity(opened.row), sections=describe_sections(opened.song))

    async def tracks(self, request: SongRequest) -> TrackList:
        async with open_for_reading(self._store, request) as opened:
            tracks = [describe_track(track, opened.chunks.of_track(track.id)) for track in opened.song.tracks]
            return TrackList(**song_identity(opened.row), tracks=tracks)

    async def notes(self, request: GetNotes) -> SongNotePage:
        async with open_for_reading(self._store, request) as opened:
            notes, note_count = await note_page(opened, request)
            end = request.cursor + request.limit
            return SongNotePage(
                **song_identity(opened.row),
                notes=notes,
                beat_0_is_bar=request.first_bar,
                note_count=note_count,
                next_cursor=end if end < note_count else None,
            )

    async def check(self, request: CheckSong) -> SongChecked:
        async with open_for_reading(self._store, request) as opened:
            song, row, notes = opened.song, opened.row, await all_notes(opened)
        found = await asyncio.to_thread(find_problems, song, notes)
        wanted = [problem for problem in found if not request.kinds or problem.kind in request.kinds]
        groups = group_problems(wanted)
        page = groups[request.cursor : request.cursor + request.limit]
        end = request.cursor + len(page)
        return SongChecked(
            **song_identity(row),
            ok=all(problem.kind == "passing" for problem in wanted),
            counts=dict(Counter(problem.kind for problem in wanted)),
            problems=describe_problems(song, page, request.places),
            next_cursor=end if end < len(groups) else None,
        )

    async def midi_file(self, song_id: str, known: str | None = None) -> SongFile:
        """Return the song as a MIDI file, without bytes if `known` is the ETag of its version.

        Raise NotFound if there is no such song. The last used song of the client does not change.
        """
        async with self._store.open_for_reading(song_id) as opened:
            if opened is None:
                raise no_such_song(song_id)
            song, version = opened.song, f'"{opened.row.version}"'
            if version == known:
                return SongFile(song.title, version, None)
            notes = await all_notes(opened)
        content, _ = await asyncio.to_thread(song_to_midi, song, notes)
        return SongFile(song.title, version, content)

    async def chord_plan(self, song_id: str, section: str | None) -> ChordPlan:
        """Return the planned chords of a section or, if `section` is None, of the whole song.

        Raise NotFound, UNKNOWN_SECTION, or EMPTY_INPUT if no chords are planned there.
        """
        async with self._store.open_for_reading(song_id) as opened:
            if opened is None:
                raise no_such_song(song_id)
            song = opened.song
        return planned_chords(song, section)
