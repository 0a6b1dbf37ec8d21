"""The addresses of the pages."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from consort_audio.files.library import AudioLibrary
from consort_audio.files.transfer_routes import AudioFileId
from consort_audio.pages.player import player_page
from consort_audio.pages.recorder import recorder_page
from consort_audio.recordings.routes import RecordingId, Recordings, RecordingToken
from consort_kit.tools.tool_decorator import binary_responses

router = APIRouter()


@router.get(
    "/player/{audio_file_id}",
    summary="The player page",
    response_class=Response,
    responses=binary_responses("text/html"),
)
async def player(request: Request, audio_file_id: AudioFileId) -> Response:
    library: AudioLibrary = request.app.state.library
    row = await library.row(audio_file_id)
    original = await library.row_if_exists(row.origin["audio_file_id"]) if row.kind == "segment" else None
    return player_page(row, original, request.app.state.links)


@router.get(
    "/recordings/{recording_id}/page",
    summary="The recording page",
    response_class=Response,
    responses=binary_responses("text/html"),
)
async def recorder(recording_id: RecordingId, token: RecordingToken, recordings: Recordings) -> Response:
    row = await recordings.open(recording_id, token)
    return recorder_page(row, recordings.page_links(row, token))
