"""The song tools, and the route that returns a song as a MIDI file."""

from typing import Annotated

from fastapi import Depends, Header, Path, Request, Response

from consort_compose.songs.editor import SongEditor
from consort_compose.songs.models.checks import CheckSong, SongChecked
from consort_compose.songs.models.chords import ChordsSet, SetChords
from consort_compose.songs.models.common import SongRequest
from consort_compose.songs.models.fields import SONG_ID
from consort_compose.songs.models.notes import (
    AddNotes,
    EditNotes,
    GetNotes,
    NotesAdded,
    NotesEdited,
    NotesRemoved,
    RemoveNotes,
    SongNotePage,
)
from consort_compose.songs.models.sections import (
    AddSection,
    CopySection,
    EditSection,
    RemoveSection,
    SectionChanged,
    SectionCopied,
    SectionList,
    SectionRemoved,
)
from consort_compose.songs.models.songs import (
    CreateSong,
    DeleteSong,
    EditSong,
    GetSongInfo,
    ListSongs,
    SongChanged,
    SongCreated,
    SongDeleted,
    SongExported,
    SongExportMidi,
    SongInfo,
    SongList,
    UndoLastAction,
    Undone,
)
from consort_compose.songs.models.tracks import AddTrack, EditTrack, RemoveTrack, TrackChanged, TrackList, TrackRemoved
from consort_compose.songs.reader import SongReader
from consort_compose.songs.service import SongService
from consort_kit.errors import AlreadyExists, Conflict, NotFound, ServiceDown
from consort_kit.http.service_client import attachment
from consort_kit.tools.tool_decorator import ClientId, binary_responses, tool, tool_router
from consort_music.midi.file_names import MIDI_MEDIA_TYPE

router = tool_router()


def _reader(request: Request, client: ClientId) -> SongReader:
    return SongReader(request.app.state.song_store.for_client(client))


def _songs(request: Request, client: ClientId) -> SongService:
    return SongService(request.app.state.song_store.for_client(client), request.app.state.client)


def _editor(request: Request, client: ClientId) -> SongEditor:
    return SongEditor(request.app.state.song_store.for_client(client), request.app.state.scores)


TheReader = Annotated[SongReader, Depends(_reader)]
TheEditor = Annotated[SongEditor, Depends(_editor)]
TheSongs = Annotated[SongService, Depends(_songs)]
CHANGE = (NotFound, Conflict)


@tool(router, title="Create a song", toolset="songs", effect="write", errors=(NotFound,))
async def create_song(body: CreateSong, songs: TheSongs) -> SongCreated:
    """Make a new song to edit: empty, or from a MIDI file or another song. Next: add_notes, song_export_midi.

    Example: {"title": "Rain", "key": "Dm", "tracks": {"Lead": "Flute", "Kit": "drums"}, "sections": [{"name": "Verse",
    "start_measure": 1, "end_measure": 8}]}
    """
    return await songs.create(body)


@tool(router, title="Describe a song", toolset="songs", effect="read", errors=(NotFound,))
async def get_song_info(body: GetSongInfo, reader: TheReader) -> SongInfo:
    """Show a song's tempo, metre, key, length, tracks, sections and what can be undone.

    Example: {"overview": true}
    """
    return await reader.info(body)


@tool(router, title="Change a song", toolset="songs", effect="write", errors=CHANGE)
async def edit_song(body: EditSong, editor: TheEditor) -> SongChanged:
    """Rename a song or change its tempo, key or metre (time signature). Notes keep their beats, sections their bars.

    Example: {"tempo": 96}
    """
    return await editor.edit_song(body)


@tool(router, title="Add a section", toolset="songs", effect="write", errors=CHANGE)
async def add_section(body: AddSection, editor: TheEditor) -> SectionChanged:
    """Call a range of bars a section (verse, chorus, bridge), with its own key, tempo and metre. No overlaps.

    Example: {"name": "Verse", "start_measure": 1, "end_measure": 8, "key": "Dm"}
    """
    return await editor.add_section(body)


@tool(router, title="Change a section", toolset="songs", effect="write", errors=CHANGE)
async def edit_section(body: EditSection, editor: TheEditor) -> SectionChanged:
    """Rename a section, or change its bars, key, tempo, metre or text; notes stay. "" or 0: the song's value.

    Example: {"name": "Verse", "end_measure": 16}
    """
    return await editor.edit_section(body)


@tool(router, title="Remove a section", toolset="songs", effect="write", errors=CHANGE)
async def remove_section(body: RemoveSection, editor: TheEditor) -> SectionRemoved:
    """Delete a section of a song; its notes stay unless with_notes is true. Undo restores it.

    Example: {"name": "Bridge"}
    """
    return await editor.remove_section(body)


@tool(router, title="List sections", toolset="songs", effect="read", errors=(NotFound,))
async def get_sections(body: SongRequest, reader: TheReader) -> SectionList:
    """List a song's sections: where each (verse, bridge) begins and ends, its key, tempo, metre and description.

    Example: {}
    """
    return await reader.sections(body)


@tool(router, title="Repeat a section", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def copy_section(body: CopySection, editor: TheEditor) -> SectionCopied:
    """Repeat or duplicate a section of a song: copy its notes and chords to another bar, in the key there.

    Example: {"name": "Verse", "to_measure": 17, "new_name": "Verse 2", "key": "Em"}
    """
    return await editor.copy_section(body)


@tool(router, title="Add a track", toolset="songs", effect="write", errors=CHANGE)
async def add_track(body: AddTrack, editor: TheEditor) -> TrackChanged:
    """Give a song another track with an instrument, volume and pan: up to 15, plus drums.

    Example: {"name": "Bass", "instrument": "Acoustic Bass", "pan": 40}
    """
    return await editor.add_track(body)


@tool(router, title="Change a track", toolset="songs", effect="write", errors=CHANGE)
async def edit_track(body: EditTrack, editor: TheEditor) -> TrackChanged:
    """Rename a track, or change its instrument, volume or pan. Its notes stay.

    Example: {"name": "Lead", "instrument": "Oboe"}
    """
    return await editor.edit_track(body)


@tool(router, title="Remove a track", toolset="songs", effect="write", errors=CHANGE)
async def remove_track(body: RemoveTrack, editor: TheEditor) -> TrackRemoved:
    """Take a track with its notes out of a song. Undo restores both.

    Example: {"name": "Strings"}
    """
    return await editor.remove_track(body)


@tool(router, title="List tracks", toolset="songs", effect="read", errors=(NotFound,))
async def get_tracks(body: SongRequest, reader: TheReader) -> TrackList:
    """List which tracks a song has: instrument, how loud (volume), pan, number of notes, range and end.

    Example: {}
    """
    return await reader.tracks(body)


@tool(router, title="Add notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def add_notes(body: AddNotes, editor: TheEditor) -> NotesAdded:
    """Put notes on tracks, such as a bass line or a drum beat, or replace those that are there. Beats are quarter
    notes, from 0 at first_bar.

    Text: items separated by ";", each a pitch (F#4, 60, kick), chord (C4,E4,G4), R (rest) or [ ] around items; then
    LENGTH, @START, vVELOCITY, xTIMES. Without @ an item starts where the one before ended; length and velocity repeat
    (first 1, v64). @ counts from the start of the text or its [ ].

    Example: {"notes": {"Lead": "C4 1/2; D4; E4 1; G4,B4 @9+1/3 1/3 v90", "Kit": "[kick 1; snare; @0 hat 1/2 x4] x8"}}
    """
    return await editor.add_notes(body)


@tool(router, title="Change notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def edit_notes(body: EditNotes, editor: TheEditor) -> NotesEdited:
    """Move, transpose, stretch, quantize, swing or humanize notes of a song, or make them shorter, longer, louder or
    softer.

    Example: {"track": "Kit", "section": "Chorus", "swing": 60, "swing_grid": "1/16", "velocity": "+10"}
    """
    return await editor.edit_notes(body)


@tool(router, title="Remove notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def remove_notes_in_range(body: RemoveNotes, editor: TheEditor) -> NotesRemoved:
    """Remove the notes that start in a range of bars or beats, or in a section. Undo restores them.

    Example: {"track": "Lead", "first_bar": 5, "last_bar": 8}
    """
    return await editor.remove_notes(body)


@tool(router, title="Read notes", toolset="songs", effect="read", errors=(NotFound,))
async def get_notes(body: GetNotes, reader: TheReader) -> SongNotePage:
    """Read which notes are on a song's tracks, as text that add_notes accepts. With first_bar, beats count from that
    bar in both.

    Example: {"track": "Lead", "first_bar": 5, "last_bar": 8}
    """
    return await reader.notes(body)


@tool(router, title="Plan the chords", toolset="songs", effect="write", errors=CHANGE)
async def set_chords(body: SetChords, editor: TheEditor) -> ChordsSet:
    """Plan the chords of a song for check_song and notation, without sound. Text replaces its bars, objects all.

    Example: {"chords": "Dm7 | G7 | Cmaj7 | %", "measure": 5}
    """
    return await editor.set_chords(body)


@tool(router, title="Check a song", toolset="songs", effect="read", heavy=True, errors=(NotFound,))
async def check_song(body: CheckSong, reader: TheReader) -> SongChecked:
    """Find likely mistakes: notes outside key, chord or range, collisions, empty bars and tracks.

    Example: {"kinds": ["outside_key", "collision"]}
    """
    return await reader.check(body)


@tool(router, title="Undo", toolset="songs", effect="write", errors=CHANGE)
async def undo_last_action(body: UndoLastAction, editor: TheEditor) -> Undone:
    """Undo the last change of a song, by any client; one change per call, up to 10.

    Example: {}
    """
    return await editor.undo(body)


@tool(router, title="Redo", toolset="songs", effect="write", errors=CHANGE)
async def redo_last_action(body: UndoLastAction, editor: TheEditor) -> Undone:
    """Redo a change that was undone: put it back, unless the song was changed since.

    Example: {}
    """
    return await editor.redo(body)


@tool(
    router,
    title="Export a song",
    toolset="songs",
    effect="write",
    heavy=True,
    errors=(NotFound, AlreadyExists, ServiceDown),
)
async def song_export_midi(body: SongExportMidi, songs: TheSongs) -> SongExported:
    """Save a song as a MIDI file, for pictures and playback. Exporting again without a name keeps its midi_file_id.

    To hear it in a browser use midi_to_audio.

    Example: {"filepath": "rain.mid"}
    """
    return await songs.export(body)


@tool(router, title="List songs", toolset="songs", effect="read")
async def list_songs(body: ListSongs, reader: TheReader) -> SongList:
    """List all songs, newest change first: id, title, version and note count.

    Example: {"title_contains": "rain"}
    """
    return await reader.list_songs(body)


@tool(router, title="Delete a song", toolset="songs", effect="destroy", errors=(NotFound,))
async def delete_song(body: DeleteSong, songs: TheSongs) -> SongDeleted:
    """Delete a song and its history permanently. Exported MIDI files stay.

    Example: {"song_id": "song_4r0c…"}
    """
    return await songs.delete(body)


@router.get(
    "/songs/{song_id}.mid",
    summary="A song as a MIDI file",
    response_class=Response,
    responses=binary_responses(MIDI_MEDIA_TYPE),
)
async def song_as_midi(
    song_id: Annotated[str, Path(pattern=SONG_ID, description="Id from create_song.")],
    reader: TheReader,
    if_none_match: Annotated[str | None, Header(description="ETag of a known version.")] = None,
) -> Response:
    file = await reader.midi_file(song_id, if_none_match)
    headers = {"ETag": file.version, **attachment(f"{file.title}.mid")}
    if file.content is None:
        return Response(status_code=304, headers=headers)
    return Response(file.content, 200, headers, MIDI_MEDIA_TYPE)
