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
    """Create (start, begin, write) a new song, piece or composition: set up an empty one with tempo (bpm), instruments
    and sections; open a MIDI file as a song; or copy (clone) a song to try another version.

    Example: {"title": "Rain", "key": "Dm", "tracks": {"Lead": "Flute", "Kit": "drums"}, "sections": [{"name": "Verse",
    "start_measure": 1, "end_measure": 8}]}
    """
    return await songs.create(body)


@tool(router, title="Describe a song", toolset="songs", effect="read", errors=(NotFound,))
async def get_song_info(body: GetSongInfo, reader: TheReader) -> SongInfo:
    """Describe (summarize) a song in an overview of its current state: tempo, metre (time signature), key, length (how
    many bars, how long), tracks, sections, undo steps.

    Example: {"overview": true}
    """
    return await reader.info(body)


@tool(router, title="Change a song", toolset="songs", effect="write", errors=CHANGE)
async def edit_song(body: EditSong, editor: TheEditor) -> SongChanged:
    """Change a whole song: title (rename), tempo (bpm, speed: faster, slower, ritardando at the end), metre (time
    signature, waltz) or key. Notes keep their beats.

    Example: {"tempo": 96}
    """
    return await editor.edit_song(body)


@tool(router, title="Add a section", toolset="songs", effect="write", errors=CHANGE)
async def add_section(body: AddSection, editor: TheEditor) -> SectionChanged:
    """Add a section: call (insert, label, define) a range of bars or measures intro, verse, chorus, bridge or outro,
    from where it starts to where it ends.

    Example: {"name": "Verse", "start_measure": 1, "end_measure": 8, "key": "Dm"}
    """
    return await editor.add_section(body)


@tool(router, title="Change a section", toolset="songs", effect="write", errors=CHANGE)
async def edit_section(body: EditSection, editor: TheEditor) -> SectionChanged:
    """Change a section: rename a verse or chorus, make it four bars longer (extend) or shorter, in another key, tempo
    or metre, or move it to begin later. Notes stay. "" or 0: the song's value.

    Example: {"name": "Verse", "end_measure": 16}
    """
    return await editor.edit_section(body)


@tool(router, title="Remove a section", toolset="songs", effect="write", errors=CHANGE)
async def remove_section(body: RemoveSection, editor: TheEditor) -> SectionRemoved:
    """Remove a section: delete, cut, drop or take out an intro, verse, solo or outro. Its notes stay unless with_notes
    is true.

    Example: {"name": "Bridge"}
    """
    return await editor.remove_section(body)


@tool(router, title="List sections", toolset="songs", effect="read", errors=(NotFound,))
async def get_sections(body: SongRequest, reader: TheReader) -> SectionList:
    """List the sections of a song: its form (structure, order of parts), which bars belong to the intro, each verse,
    chorus, bridge, outro, where they start and end, how long they are.

    Example: {}
    """
    return await reader.sections(body)


@tool(router, title="Repeat a section", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def copy_section(body: CopySection, editor: TheEditor) -> SectionCopied:
    """Repeat a section: copy (duplicate, reuse) the same verse, chorus or intro again (twice) at another bar or the
    end, also higher or in another key, such as a second verse.

    Example: {"name": "Verse", "to_measure": 9, "new_name": "Verse 2"}
    """
    return await editor.copy_section(body)


@tool(router, title="Add a track", toolset="songs", effect="write", errors=CHANGE)
async def add_track(body: AddTrack, editor: TheEditor) -> TrackChanged:
    """Add a track: create a new instrument or part (violin, cello, guitar, trumpet, drum) on a side (pan), with a
    volume.

    Example: {"name": "Bass", "instrument": "Acoustic Bass", "pan": 40}
    """
    return await editor.add_track(body)


@tool(router, title="Change a track", toolset="songs", effect="write", errors=CHANGE)
async def edit_track(body: EditTrack, editor: TheEditor) -> TrackChanged:
    """Change a track: its instrument (use another sound instead: piano, organ), volume (level, too loud, quieter, turn
    down), pan (left, right) or name.

    Example: {"name": "Lead", "instrument": "Oboe"}
    """
    return await editor.edit_track(body)


@tool(router, title="Remove a track", toolset="songs", effect="write", errors=CHANGE)
async def remove_track(body: RemoveTrack, editor: TheEditor) -> TrackRemoved:
    """Remove a track: delete an instrument or part (drums, strings, trumpet) with all its notes, drop it from the song.

    Example: {"name": "Strings"}
    """
    return await editor.remove_track(body)


@tool(router, title="List tracks", toolset="songs", effect="read", errors=(NotFound,))
async def get_tracks(body: SongRequest, reader: TheReader) -> TrackList:
    """List the tracks of a song: which instruments are in it, who plays what, volume (how loud) and panning, how many
    notes, range.

    Example: {}
    """
    return await reader.tracks(body)


@tool(router, title="Add notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def add_notes(body: AddNotes, editor: TheEditor) -> NotesAdded:
    """Put notes into a song: write (enter, insert, lay down) pitches, a melody, bass line, chords, riff or drum beat on
    a track, for a hand, under a verse, add a composed score, or fill bars and replace what they have.

    Beats are quarter notes, from 0 at first_bar. Text: items separated by ";", each a pitch (F#4, 60, kick), chord
    (C4,E4,G4), R (rest) or [ ] around items; then LENGTH, @START, vVELOCITY, xTIMES. Without @ an item starts where the
    one before ended; length and velocity repeat (first 1, v64). @ counts from the start of the text or its [ ].

    Example: {"notes": {"Lead": "C4 1/2; D4; E4 1; G4,B4 @9+1/3 1/3 v90", "Kit": "[kick 1; snare; @0 hat 1/2 x4] x8"}}
    """
    return await editor.add_notes(body)


@tool(router, title="Change notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def edit_notes(body: EditNotes, editor: TheEditor) -> NotesEdited:
    """Change notes of a song: move or shift (nudge) them earlier or later, transpose (lower, raise by an octave or
    third), make a bar or track louder (accent), softer, longer, shorter, double or stretch its length, swing, humanize
    (groove, feel), quantize (tighten the timing).

    Example: {"track": "Kit", "section": "Chorus", "swing": 60, "swing_grid": "1/16", "velocity": "+10"}
    """
    return await editor.edit_notes(body)


@tool(router, title="Remove notes", toolset="songs", effect="write", heavy=True, errors=CHANGE)
async def remove_notes_in_range(body: RemoveNotes, editor: TheEditor) -> NotesRemoved:
    """Remove notes: delete, clear, empty, wipe or silence all of a track (drums, bass) in measures, beats or a section,
    or a wrong note. Undo restores them.

    Example: {"track": "Lead", "first_bar": 5, "last_bar": 8}
    """
    return await editor.remove_notes(body)


@tool(router, title="Read notes", toolset="songs", effect="read", errors=(NotFound,))
async def get_notes(body: GetNotes, reader: TheReader) -> SongNotePage:
    """Read the notes of a song: show (display, print) what a track (melody, bass, drum, violin) plays in a bar,
    measure, verse or chorus, as text that add_notes accepts.

    Example: {"track": "Lead", "first_bar": 5, "last_bar": 8}
    """
    return await reader.notes(body)


@tool(router, title="Plan the chords", toolset="songs", effect="write", errors=CHANGE)
async def set_chords(body: SetChords, editor: TheEditor) -> ChordsSet:
    """Plan the chords of a song: set, enter, write or change a chord progression (symbols: Am | F | G7) for a verse or
    bar, without sound, for check_song and notation. Text replaces its bars, objects all.

    Example: {"chords": "Dm7 | G7 | Cmaj7 | %", "measure": 5}
    """
    return await editor.set_chords(body)


@tool(router, title="Check a song", toolset="songs", effect="read", heavy=True, errors=(NotFound,))
async def check_song(body: CheckSong, reader: TheReader) -> SongChecked:
    """Check a song for errors, mistakes, problems, anything wrong: does every note fit (belong to) the key and chords,
    can real instruments play it (too high or low)? Finds collisions, empty bars and tracks. To proofread an
    arrangement.

    Example: {"kinds": ["outside_key", "collision"]}
    """
    return await reader.check(body)


@tool(router, title="Undo", toolset="songs", effect="write", errors=CHANGE)
async def undo_last_action(body: UndoLastAction, editor: TheEditor) -> Undone:
    """Undo the last change (edit, mistake) of a song: take it back, reverse, cancel or revert it, go back one step to
    before. Up to 10.

    Example: {}
    """
    return await editor.undo(body)


@tool(router, title="Redo", toolset="songs", effect="write", errors=CHANGE)
async def redo_last_action(body: UndoLastAction, editor: TheEditor) -> Undone:
    """Redo an undone edit of a song: reapply it, bring it back (restore), step forward, unless the song changed since.

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
    """Save a song as a MIDI file: export, bounce or make a MIDI of all tracks, to share it or continue in a DAW
    (Ableton, Logic, GarageBand).

    Example: {"filepath": "rain.mid"}
    """
    return await songs.export(body)


@tool(router, title="List songs", toolset="songs", effect="read")
async def list_songs(body: ListSongs, reader: TheReader) -> SongList:
    """List all songs, newest first: which was edited (worked on) last, most recently? Find one by what it is called
    (title).

    Example: {"title_contains": "rain"}
    """
    return await reader.list_songs(body)


@tool(router, title="Delete a song", toolset="songs", effect="destroy", errors=(NotFound,))
async def delete_song(body: DeleteSong, songs: TheSongs) -> SongDeleted:
    """Delete a whole song and its history permanently: remove, erase, trash, bin it completely.

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
