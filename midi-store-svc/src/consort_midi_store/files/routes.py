"""The file tools, and the routes for bytes."""

from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from consort_kit.client import MUSIC_ID, attachment
from consort_kit.errors import AlreadyExists, NotFound, TooLarge
from consort_kit.tool import ERRORS, binary, tool, tool_router
from consort_midi_store.files.models import (
    MIDI_FILE_ID,
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
from consort_midi_store.files.service import FileService, IfTaken

router = tool_router()

MIDI_TYPE = "audio/midi"


def _files(request: Request) -> FileService:
    service: FileService = request.app.state.files
    return service


Files = Annotated[FileService, Depends(_files)]
MIDI_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
Taken = Annotated[IfTaken, Query(description="What to do if another file has this name.")]
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
    """Keep a MIDI file (up to 10 MB) in the studio and get its midi_file_id, by which every other tool finds it.

    Give base64, a path in the data folder, or upload_link. The file is checked; what is odd in it comes back as
    warnings. A file of that name is replaced only if overwrite is true.

    Example: {"base64": "TVRoZA…", "name": "song.mid"}
    """
    return await files.store(body)


@tool(router, title="Describe a stored MIDI file", toolset="midi", effect="read", errors=(NotFound,))
async def get_midi(body: GetMidi, files: Files) -> MidiFileInfo:
    """Tell what is in a MIDI file, song or score: duration, tracks, instruments, note counts, tempos, metres, keys,
    range. Also where the file is, and a download link.

    Example: {"midi_file_id": "midi_4r0c…"}
    """
    return await files.get(body)


@tool(router, title="List stored MIDI files", toolset="midi", effect="read")
async def list_midi(body: ListMidi, files: Files) -> MidiList:
    """List the stored MIDI files, newest first, a page at a time: id, name, size, date, duration.

    Example: {"limit": 50}
    """
    return await files.page(body)


@tool(router, title="Export a MIDI file", toolset="midi", effect="write", errors=(AlreadyExists, NotFound))
async def export_midi(body: ExportMidi, files: Files) -> ExportedMidi:
    """Copy a MIDI file, song or score to the export/ folder of the data folder, for a DAW. Answers its full_path.

    A file of that name is replaced only if overwrite is true.

    Example: {"song_id": "song_4r0c…", "export_name": "final.mid"}
    """
    return await files.export(body)


@tool(router, title="Delete a MIDI file", toolset="midi", effect="destroy", errors=(NotFound,))
async def delete_midi(body: DeleteMidi, files: Files) -> DeletedMidi:
    """Delete a stored MIDI file for good; be sure that the user wants it. Copies in the export/ folder stay.

    Example: {"midi_file_id": "midi_4r0c…"}
    """
    return await files.delete(body)


@router.get(
    "/files/{midi_file_id}",
    summary="The bytes of a file",
    response_class=Response,
    responses=binary(MIDI_TYPE),
)
async def download(midi_file_id: FileId, files: Files) -> Response:
    row, content = await files.content(midi_file_id)
    return Response(content, media_type=MIDI_TYPE, headers=attachment(row.name))


@router.get("/manifest", summary="All files, as manifest.json lists them", responses=ERRORS)
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
    files: Files,
    name: Annotated[str | None, Query(description="Unique file name. Default: untitled.mid.")] = None,
    if_taken: Taken = "refuse",
    made_from: Annotated[
        str | None, Query(pattern=MUSIC_ID, description="The song or score whose own file this is: replaced if there.")
    ] = None,
) -> StoredMidi:
    return await files.save(await request.body(), name, if_taken=if_taken, made_from=made_from)


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
    files: Files,
    name: Annotated[str, Query(description="Unique file name.", examples=["song.mid"])],
    if_taken: Taken = "refuse",
    replaces: Annotated[str | None, Query(description="Only replace this version of it.")] = None,
) -> StoredMidi:
    content = await request.body()
    return await files.save(content, name, if_taken=if_taken, file_id=midi_file_id, replaces=replaces)
