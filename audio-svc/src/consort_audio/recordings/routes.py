"""The tools for recordings, and the routes that the recording page calls."""

from typing import Annotated

from fastapi import Depends, Path, Query, Request

from consort_audio.recordings.models import (
    RECORDING_ID,
    GetRecording,
    RecordingReport,
    ReferenceState,
    RequestAudioRecording,
    RequestedRecording,
    TakeDetails,
    TakeUpload,
)
from consort_audio.recordings.service import RecordingService
from consort_kit.errors import NotFound
from consort_kit.tools.tool_decorator import ERRORS, tool, tool_router

router = tool_router()


def _recordings(request: Request) -> RecordingService:
    service: RecordingService = request.app.state.recordings
    return service


Recordings = Annotated[RecordingService, Depends(_recordings)]
RecordingId = Annotated[str, Path(pattern=RECORDING_ID, description="Id from request_audio_recording.")]
RecordingToken = Annotated[str, Query(max_length=100, description="The token in record_url.")]


@tool(router, title="Ask for a recording", toolset="audio", effect="write", errors=(NotFound,))
async def request_audio_recording(body: RequestAudioRecording, recordings: Recordings) -> RequestedRecording:
    """Ask the user (student) to record something: start the microphone to sing, hum or play (a scale).

    Returns record_url: give it to the user. The page has a tuner and a metronome click. Then call get_recording.

    Example: {"prompt": "Please play the C major scale", "tempo": 80, "count_in": 1}
    """
    return await recordings.request(body)


@tool(router, title="Get a recording", toolset="audio", effect="read", errors=(NotFound,))
async def get_recording(body: GetRecording, recordings: Recordings) -> RecordingReport:
    """Fetch a requested recording: did it arrive, is it there, is it ready, has the user finished (recorded it)?
    Returns its audio_file_id.

    Example: {"recording_id": "rec_4r0c…"}
    """
    return await recordings.get(body)


@router.put("/recordings/{recording_id}/take", summary="Get a link to upload one take", responses=ERRORS)
async def open_take(
    recording_id: RecordingId, token: RecordingToken, details: TakeDetails, recordings: Recordings
) -> TakeUpload:
    return await recordings.open_upload(recording_id, token, details)


@router.get("/recordings/{recording_id}/reference", summary="Get the sound of the reference", responses=ERRORS)
async def hear_reference(recording_id: RecordingId, token: RecordingToken, recordings: Recordings) -> ReferenceState:
    return await recordings.reference(recording_id, token)
