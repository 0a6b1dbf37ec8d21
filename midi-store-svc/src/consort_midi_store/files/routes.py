"""The tools for files, and the routes that download and upload bytes."""

from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from consort_kit.errors import AlreadyExists, NotFound, TooLarge
from consort_kit.http.service_client import attachment
from consort_kit.tools.tool_decorator import ERRORS, binary_responses, tool, tool_router
from consort_midi_store.files.models import (
    MIDI_FILE_ID,
    MUSIC_ID,
    DeletedMidi,
    DeleteMidi,
    ExportedMidi,
    ExportMidi,
    GetMidi,
    ListMidi,
    ManifestEntry,
    MidiFileInfo,
    MidiList,
    StoredMidi,
    StoreMidi,
)
from consort_midi_store.files.service import FileService
from consort_midi_store.files.writer import FileWriter, IfTaken
from consort_music.midi.file_names import MIDI_MEDIA_TYPE

router = tool_router()


def _files(request: Request) -> FileService:
    service: FileService = request.app.state.files
    return service


def _writer(request: Request) -> FileWriter:
    writer: FileWriter = request.app.state.writer
    return writer


Files = Annotated[FileService, Depends(_files)]
Writer = Annotated[FileWriter, Depends(_writer)]
MIDI_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
IfTakenQuery = Annotated[IfTaken, Query(description="What to do if another file has this name.")]
FileId = Annotated[str, Path(pattern=MIDI_FILE_ID, description="Id from store_midi.")]


@tool(
    router,
    title="Store a MIDI file",
    toolset="midi",
    effect="write",
    heavy=True,
    errors=(AlreadyExists, NotFound, TooLarge),
)
async def store_midi(body: StoreMidi, files: Files) -> StoredMidi:
    """Save a MIDI file in the studio: upload, import, load, receive or keep a .mid (up to 10 MB) from base64, a path in
    the data folder, or upload_link. Returns its midi_file_id.

    Example: {"base64": "TVRoZA…", "name": "song.mid"}
    """
    return await files.store(body)


@tool(router, title="Describe a stored MIDI file", toolset="midi", effect="read", errors=(NotFound,))
async def get_midi(body: GetMidi, files: Files) -> MidiFileInfo:
    """Describe a MIDI file (summary, metadata): what is inside, how many tracks, notes and bars, which instruments,
    duration (how long, seconds), size, tempo, time signature, key, pitch range, path, download link.

    Example: {"midi_file_id": "midi_4r0c…"}
    """
    return await files.get(body)


@tool(router, title="List stored MIDI files", toolset="midi", effect="read")
async def list_midi(body: ListMidi, files: Files) -> MidiList:
    """List which MIDI files are already stored in the folder (a catalogue, newest first), or find one (search) by its
    name.

    Example: {"limit": 50}
    """
    return await files.page(body)


@tool(router, title="Export a MIDI file", toolset="midi", effect="write", errors=(AlreadyExists, NotFound))
async def export_midi(body: ExportMidi, files: Files) -> ExportedMidi:
    """Copy a MIDI file to the export/ folder on the user's computer, where a program (a DAW: Ableton, Cubase, Reaper)
    finds it; also to download it.

    Example: {"song_id": "song_4r0c…", "export_name": "final.mid"}
    """
    return await files.export(body)


@tool(router, title="Delete a MIDI file", toolset="midi", effect="destroy", errors=(NotFound,))
async def delete_midi(body: DeleteMidi, files: Files) -> DeletedMidi:
    """Delete a stored MIDI file permanently: remove, erase, clear, wipe, trash, get rid of it. Ask the user first.

    Example: {"midi_file_id": "midi_4r0c…"}
    """
    return await files.delete(body)


@router.get(
    "/files/{midi_file_id}",
    summary="Download a file",
    response_class=Response,
    responses=binary_responses(MIDI_MEDIA_TYPE),
)
async def download(midi_file_id: FileId, files: Files) -> Response:
    row, content = await files.content(midi_file_id)
    return Response(content, media_type=MIDI_MEDIA_TYPE, headers=attachment(row.name))


@router.get("/manifest", summary="List all files, as in manifest.json", responses=ERRORS)
async def manifest(files: Files) -> list[ManifestEntry]:
    return await files.manifest()


@router.post(
    "/files",
    status_code=201,
    summary="Upload a file under a new id",
    responses=ERRORS,
    openapi_extra=MIDI_BODY,
    response_model_exclude_none=True,
)
async def upload_new(
    request: Request,
    writer: Writer,
    name: Annotated[str | None, Query(description="Unique file name. Default: untitled.mid.")] = None,
    if_taken: IfTakenQuery = "refuse",
    made_from: Annotated[
        str | None,
        Query(
            pattern=MUSIC_ID,
            description="The song or score that this file is made from. If it already has a file, that is replaced.",
        ),
    ] = None,
) -> StoredMidi:
    return await writer.save(await request.body(), name, if_taken=if_taken, made_from=made_from)


@router.put(
    "/files/{midi_file_id}",
    summary="Upload a file",
    responses=ERRORS,
    openapi_extra=MIDI_BODY,
    response_model_exclude_none=True,
)
async def upload(
    request: Request,
    midi_file_id: FileId,
    writer: Writer,
    name: Annotated[str, Query(description="Unique file name.", examples=["song.mid"])],
    if_taken: IfTakenQuery = "refuse",
    replaces: Annotated[str | None, Query(description="Replace the file only if this is its current version.")] = None,
) -> StoredMidi:
    content = await request.body()
    return await writer.save(content, name, if_taken=if_taken, file_id=midi_file_id, replaces=replaces)
