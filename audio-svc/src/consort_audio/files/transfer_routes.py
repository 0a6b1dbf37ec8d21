"""The routes that download and upload the bytes of audio files. A browser reaches them by signed links."""

import re
from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Path, Request, Response

from consort_audio.codecs.formats import FORMATS
from consort_audio.files.derived import DerivedFiles
from consort_audio.files.library import EXAMPLE_NAME, AudioLibrary, name_with_format
from consort_audio.files.models import AUDIO_FILE_ID, CompletedUpload, DownloadFormat, UploadProgress
from consort_audio.files.service import AudioFileService
from consort_audio.files.store import AudioRow
from consort_audio.files.uploads import UploadRequest, Uploads
from consort_kit.errors import InvalidInput
from consort_kit.http.blob_responses import blob_response
from consort_kit.http.service_client import attachment
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.file_names import check_name
from consort_kit.tools.tool_decorator import ERRORS, binary_responses
from consort_music.texts.visible_text import visible_line

UPLOAD_PATH = "/uploads/"
router = APIRouter()

_SENDER_LENGTH = 200
_FILE_NAME = re.compile(r"filename\*=UTF-8''([^;]*)", re.IGNORECASE)
_AUDIO_TYPES = tuple(dict.fromkeys(each.media_type for each in FORMATS.values()))
AudioFileId = Annotated[str, Path(pattern=AUDIO_FILE_ID, description="Id of an audio file.")]


@router.head("/files/{audio_file_id}/peaks", include_in_schema=False)
@router.get(
    "/files/{audio_file_id}/peaks",
    summary="The outline of the waveform",
    response_class=Response,
    responses=binary_responses("application/json"),
)
async def peaks(request: Request, audio_file_id: AudioFileId) -> Response:
    """Return {duration, peaks}: the lowest and highest sample of about 1000 equal stretches of time."""
    library, derived = _library(request), _derived(request)
    row = await library.row(audio_file_id)
    return await _send(request, await derived.peaks(row), f"{row.sha256}-peaks", "application/json", {})


@router.head("/files/{audio_file_id}.{download_format}", include_in_schema=False)
@router.get(
    "/files/{audio_file_id}.{download_format}",
    summary="Download a file in another format",
    response_class=Response,
    responses=binary_responses(*_AUDIO_TYPES),
)
async def download_converted(request: Request, audio_file_id: AudioFileId, download_format: DownloadFormat) -> Response:
    row = await _library(request).row(audio_file_id)
    return await _send_audio(request, row, await _derived(request).converted(row, download_format), download_format)


@router.head("/files/{audio_file_id}", include_in_schema=False)
@router.get(
    "/files/{audio_file_id}",
    summary="Download a file",
    response_class=Response,
    responses=binary_responses(*_AUDIO_TYPES),
)
async def download(request: Request, audio_file_id: AudioFileId) -> Response:
    row = await _library(request).row(audio_file_id)
    return await _send_audio(request, row, row.blob_key, row.format)


async def _send_audio(request: Request, row: AudioRow, key: str, audio_format: str) -> Response:
    headers = attachment(name_with_format(row.name, audio_format))
    return await _send(request, key, f"{row.sha256}-{audio_format}", FORMATS[audio_format].media_type, headers)


async def _send(request: Request, key: str, etag: str, media_type: str, headers: dict[str, str]) -> Response:
    blobs: Blobs = request.app.state.blobs
    return await blob_response(request, blobs, key, etag=etag, media_type=media_type, headers=headers)


@router.put(
    UPLOAD_PATH + "{audio_file_id}",
    summary="Upload a file, or a piece of it",
    responses={**ERRORS, 201: {"model": CompletedUpload}, 202: {"model": UploadProgress}},
    openapi_extra={
        "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def upload(request: Request, audio_file_id: AudioFileId) -> Response:
    """Receive a whole file, or with the header Content-Range a piece of it (`bytes FIRST-LAST/TOTAL`).

    `bytes */TOTAL` with an empty body asks how many bytes have arrived. The answer is 202 until the file is complete.
    If several clients may use the same link, each sends its own text in the header Consort-Upload.
    """
    uploads: Uploads = request.app.state.uploads
    files: AudioFileService = request.app.state.files
    length = request.headers.get("content-length")
    state = await uploads.receive(
        audio_file_id,
        UploadRequest(
            content_range=request.headers.get("content-range"),
            content_length=int(length) if length is not None and length.isdecimal() else None,
            file_name=_file_name(request),
            sender=request.headers.get("consort-upload", "")[:_SENDER_LENGTH] or None,
            body=request.stream(),
        ),
    )
    if state.row is None:
        return _json(202, UploadProgress(received=state.received))
    return _json(201, CompletedUpload(**files.describe(state.row).model_dump()))


def _json(status: int, answer: UploadProgress | CompletedUpload) -> Response:
    return Response(answer.model_dump_json(exclude_none=True), status, media_type="application/json")


def _file_name(request: Request) -> str | None:
    """Return the name of the uploaded file that the browser sends, or None if it sends none or an unsafe one."""
    found = _FILE_NAME.search(request.headers.get("content-disposition", ""))
    if found is None:
        return None
    try:
        return check_name(visible_line(unquote(found[1])), "name", EXAMPLE_NAME)
    except InvalidInput:
        return None


def _library(request: Request) -> AudioLibrary:
    library: AudioLibrary = request.app.state.library
    return library


def _derived(request: Request) -> DerivedFiles:
    derived: DerivedFiles = request.app.state.derived
    return derived
