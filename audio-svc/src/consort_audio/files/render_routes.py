"""The route by which another service stores a sound that it has rendered. It is no tool, and no link leads to it."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from consort_audio.codecs.child_calls import convert_in_child
from consort_audio.files.children import AudioChildren
from consort_audio.files.library import AudioLibrary, too_many_bytes
from consort_audio.files.models import DownloadFormat, StoredAudio
from consort_audio.files.service import AudioFileService
from consort_audio.files.transfer_routes import AudioFileId
from consort_audio.settings import AudioSettings
from consort_kit.errors import InvalidInput
from consort_kit.storage.disk_errors import disk_errors
from consort_kit.tools.tool_decorator import ERRORS

RENDERS_PATH = "/renders/"
router = APIRouter()


@router.put(
    RENDERS_PATH + "{audio_file_id}",
    summary="Store a rendered sound",
    responses=ERRORS,
    include_in_schema=False,  # for strudel-svc only
)
async def store_render(
    request: Request,
    audio_file_id: AudioFileId,
    name: Annotated[str, Query(max_length=200, description="Name of the file.")],
    instrument: Annotated[str, Query(max_length=200, description="What plays, as the player page says it.")],
    audio_format: Annotated[DownloadFormat, Query(alias="format", description="Format to store it in.")] = "flac",
    origin: Annotated[str, Query(max_length=4000, description="Options shown to users: a JSON object.")] = "{}",
) -> StoredAudio:
    """Store a WAV file as a render under a new id. If the id is stored already, return that file."""
    library: AudioLibrary = request.app.state.library
    files: AudioFileService = request.app.state.files
    settings: AudioSettings = request.app.state.settings
    children: AudioChildren = request.app.state.children
    row = await library.row_if_exists(audio_file_id)
    if row is None:
        received, converted = library.temporary_path(".wav"), library.temporary_path(f".{audio_format}")
        try:
            await _receive(request, received, settings.audio_max_bytes)
            if audio_format != "wav":
                await children.run(convert_in_child, received, converted, audio_format)
            stored = {"instrument": instrument, "shown": _shown(origin)}
            kept = received if audio_format == "wav" else converted
            row = await library.add(kept, name, "render", stored, file_id=audio_file_id)
        finally:
            received.unlink(missing_ok=True)
            converted.unlink(missing_ok=True)
    return files.describe(row)


async def _receive(request: Request, path: Path, most: int) -> None:
    """Write the body to a file. Raise TooLarge if it has more than `most` bytes."""
    size = 0
    with disk_errors(), path.open("wb") as file:
        async for piece in request.stream():
            size += len(piece)
            if size > most:
                raise too_many_bytes(most)
            await asyncio.to_thread(file.write, piece)


def _shown(origin: str) -> dict[str, Any]:
    try:
        shown = json.loads(origin)
    except ValueError as error:
        raise InvalidInput("'origin' is not JSON.", field="origin") from error
    if not isinstance(shown, dict):
        raise InvalidInput("'origin' is not a JSON object.", field="origin")
    return shown
