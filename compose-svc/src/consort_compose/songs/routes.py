"""The song tools, and the route to a song's bytes."""

from typing import Annotated

from fastapi import Depends, Header, Path, Request, Response

from consort_compose.songs.editor import SongEditor
from consort_compose.songs.fields import SONG_ID
from consort_compose.songs.models import (
    AddSection,
    AddTrack,
    CheckSong,
    ChordsSet,
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
    SectionChanged,
    SectionCopied,
    SectionRemoved,
    Sections,
    SetChords,
    SongChanged,
    SongChecked,
    SongCreated,
    SongDeleted,
    SongExported,
    SongExportMidi,
    SongInfo,
    SongList,
    SongRequest,
    TrackChanged,
    TrackRemoved,
    Tracks,
    UndoLastAction,
    Undone,
)
from consort_compose.songs.note_models import (
    AddNotes,
    EditNotes,
    GetNotes,
    NotePage,
    NotesAdded,
    NotesEdited,
    NotesRemoved,
    RemoveNotes,
)
from consort_compose.songs.service import SongService
from consort_kit.client import attachment
from consort_kit.errors import AlreadyExists, Conflict, NotFound, ServiceDown
from consort_kit.tool import ClientId, binary, tool, tool_router

router = tool_router()

MIDI_TYPE = "audio/midi"


def _songs(request: Request, client: ClientId) -> SongService:
    return SongService(request.app.state.song_store.of(client), request.app.state.client)


def _editor(request: Request, client: ClientId) -> SongEditor:
    return SongEditor(request.app.state.song_store.of(client), request.app.state.scores)


Editor = Annotated[SongEditor, Depends(_editor)]
Songs = Annotated[SongService, Depends(_songs)]
CHANGE = (NotFound, Conflict)


@tool(router, title="Create a song", toolset="songs", effect="write", errors=(NotFound,))
async def create_song(body: CreateSong, songs: Songs) -> SongCreated:
    """Begin a multi-track song. Pass its song_id on: add_notes, then song_export_midi.

    Example: {"title": "Rain", "key": "Dm", "tracks": {"Lead": "Flute", "Kit": "drums"}, "sections": [{"name": "Verse",
    "start_measure": 1, "end_measure": 8}]}
    """
    return await songs.create(body)


@tool(router, title="Describe a song", toolset="songs", effect="read", errors=(NotFound,))
async def get_song_info(body: GetSongInfo, songs: Songs) -> SongInfo:
    """Tell a song's tempo, metre, key, length, tracks, sections and what can be undone.

    Example: {"overview": true}
    """
    return await songs.info(body)


@tool(router, title="Change a song", toolset="songs", effect="write", errors=CHANGE)
async def edit_song(body: EditSong, editor: Editor) -> SongChanged:
    """Change a song's title, tempo, metre or key. Notes keep their beats, sections their bars.

    Example: {"tempo": 96}
    """
    return await editor.edit_song(body)


@tool(router, title="Add a section", toolset="songs", effect="write", errors=CHANGE)
async def add_section(body: AddSection, editor: Editor) -> SectionChanged:
    """Name some bars, with their own key, tempo and metre. Sections may not overlap. Answers its beats.

    Example: {"name": "Verse", "start_measure": 1, "end_measure": 8, "key": "Dm"}
    """
    return await editor.add_section(body)


@tool(router, title="Change a section", toolset="songs", effect="write", errors=CHANGE)
async def edit_section(body: EditSection, editor: Editor) -> SectionChanged:
    """Rename a section, or change its bars, key, tempo, metre or text; notes stay. "" or 0: as in the song.

    Example: {"name": "Verse", "end_measure": 16}
    """
    return await editor.edit_section(body)


@tool(router, title="Remove a section", toolset="songs", effect="write", errors=CHANGE)
async def remove_section(body: RemoveSection, editor: Editor) -> SectionRemoved:
    """Remove a section; its notes stay unless with_notes is true. Undo restores it.

    Example: {"name": "Bridge"}
    """
    return await editor.remove_section(body)


@tool(router, title="List sections", toolset="songs", effect="read", errors=(NotFound,))
async def get_sections(body: SongRequest, editor: Editor) -> Sections:
    """List a song's sections in order: bars, beats, key, tempo, metre and description.

    Example: {}
    """
    return await editor.sections(body)


@tool(router, title="Repeat a section", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def copy_section(body: CopySection, editor: Editor) -> SectionCopied:
    """Copy a section's notes and chords to another bar, into the key there. Warns if notes are there.

    Example: {"name": "Verse", "to_measure": 17, "new_name": "Verse 2", "key": "Em"}
    """
    return await editor.copy_section(body)


@tool(router, title="Add a track", toolset="songs", effect="write", errors=CHANGE)
async def add_track(body: AddTrack, editor: Editor) -> TrackChanged:
    """Add a track for one instrument. A song has up to 15 different ones, and drums.

    Example: {"name": "Bass", "instrument": "Acoustic Bass", "pan": 40}
    """
    return await editor.add_track(body)


@tool(router, title="Change a track", toolset="songs", effect="write", errors=CHANGE)
async def edit_track(body: EditTrack, editor: Editor) -> TrackChanged:
    """Rename a track, or change its instrument, volume or pan. Its notes stay.

    Example: {"name": "Lead", "instrument": "Oboe"}
    """
    return await editor.edit_track(body)


@tool(router, title="Remove a track", toolset="songs", effect="write", errors=CHANGE)
async def remove_track(body: RemoveTrack, editor: Editor) -> TrackRemoved:
    """Remove a track with all its notes; undo restores both.

    Example: {"name": "Strings"}
    """
    return await editor.remove_track(body)


@tool(router, title="List tracks", toolset="songs", effect="read", errors=(NotFound,))
async def get_tracks(body: SongRequest, editor: Editor) -> Tracks:
    """List a song's tracks: instrument, volume, pan, number of notes, range and end.

    Example: {}
    """
    return await editor.tracks(body)


@tool(router, title="Add notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def add_notes(body: AddNotes, editor: Editor) -> NotesAdded:
    """Add notes to one or more tracks, or replace them. Beats are quarter notes, from 0 at first_bar.

    Text: items separated by ";", each a pitch (F#4, 60, kick), chord (C4,E4,G4), R (rest) or [ ] around items; then
    LENGTH, @START, vVELOCITY, xTIMES. Without @ it starts where the item before ended; length and velocity stay (first
    1, v64). @ counts from the beginning of the text or of its [ ].

    Example: {"notes": {"Lead": "C4 1/2; D4; E4 1; G4,B4 @9+1/3 1/3 v90", "Kit": "[kick 1; snare; @0 hat 1/2 x4] x8"}}
    """
    return await editor.add_notes(body)


@tool(router, title="Change notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def edit_notes(body: EditNotes, editor: Editor) -> NotesEdited:
    """Move, transpose, stretch, quantize, swing, humanize, or change length and velocity of the notes in a range.

    Example: {"track": "Kit", "section": "Chorus", "swing": 60, "swing_grid": "1/16", "velocity": "+10"}
    """
    return await editor.edit_notes(body)


@tool(router, title="Remove notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def remove_notes_in_range(body: RemoveNotes, editor: Editor) -> NotesRemoved:
    """Remove the notes that start in some bars, a section or some beats. Undo restores them.

    Example: {"track": "Lead", "first_bar": 5, "last_bar": 8}
    """
    return await editor.remove_notes(body)


@tool(router, title="Read notes", toolset="songs", effect="read", errors=(NotFound,))
async def get_notes(body: GetNotes, editor: Editor) -> NotePage:
    """Read notes as text that add_notes takes back. With first_bar, beats count from that bar in both.

    Example: {"track": "Lead", "first_bar": 5, "last_bar": 8}
    """
    return await editor.notes(body)


@tool(router, title="Plan the chords", toolset="songs", effect="write", errors=CHANGE)
async def set_chords(body: SetChords, editor: Editor) -> ChordsSet:
    """Plan chords for check_song and notation; they make no sound. Text replaces its bars, objects the plan.

    Example: {"chords": "Dm7 | G7 | Cmaj7 | %", "measure": 5}
    """
    return await editor.set_chords(body)


@tool(router, title="Check a song", toolset="songs", effect="read", heavy=True, errors=(NotFound,))
async def check_song(body: CheckSong, songs: Songs) -> SongChecked:
    """Find notes outside key or planned chord, out of range, colliding; empty bars and tracks. Equal problems are
    one; passing notes come last.

    Example: {"kinds": ["outside_key", "collision"]}
    """
    return await songs.check(body)


@tool(router, title="Undo", toolset="songs", effect="write", errors=CHANGE)
async def undo_last_action(body: UndoLastAction, editor: Editor) -> Undone:
    """Take back the last change of a song, by anyone; up to 10, one a call.

    Example: {}
    """
    return await editor.undo(body)


@tool(router, title="Redo", toolset="songs", effect="write", errors=CHANGE)
async def redo_last_action(body: UndoLastAction, editor: Editor) -> Undone:
    """Redo what undo_last_action took back, unless the song was changed since.

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
async def song_export_midi(body: SongExportMidi, songs: Songs) -> SongExported:
    """Store a song as a MIDI file, for pictures, sound and playback. Again: same midi_file_id, new bytes.

    Example: {"filepath": "rain.mid"}
    """
    return await songs.export(body)


@tool(router, title="List songs", toolset="songs", effect="read")
async def list_songs(body: ListSongs, songs: Songs) -> SongList:
    """List the songs, the one changed last first: id, title, version, number of notes.

    Example: {"title_contains": "rain"}
    """
    return await songs.page(body)


@tool(router, title="Delete a song", toolset="songs", effect="destroy", errors=(NotFound,))
async def delete_song(body: DeleteSong, songs: Songs) -> SongDeleted:
    """Delete a song with its history, for good. Exported MIDI files stay.

    Example: {"song_id": "song_4r0c…"}
    """
    return await songs.delete(body)


@router.get(
    "/songs/{song_id}.mid",
    summary="A song as a MIDI file",
    response_class=Response,
    responses=binary(MIDI_TYPE),
)
async def song_as_midi(
    song_id: Annotated[str, Path(pattern=SONG_ID, description="Id from create_song.")],
    songs: Songs,
    if_none_match: Annotated[str | None, Header(description="ETag of the version that is known.")] = None,
) -> Response:
    file = await songs.midi_file(song_id, if_none_match)
    headers = {"ETag": file.version, **attachment(f"{file.title}.mid")}
    if file.content is None:
        return Response(status_code=304, headers=headers)
    return Response(file.content, 200, headers, MIDI_TYPE)
