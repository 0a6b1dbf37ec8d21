"""The tools for audio files."""

from typing import Annotated

from fastapi import Depends, Request

from consort_audio.files.models import (
    AudioInfo,
    AudioList,
    AudioSegment,
    DeleteAudio,
    DeletedAudio,
    GetAudioInfo,
    ListAudio,
    SegmentAudio,
    StoreAudio,
    StoredAudio,
)
from consort_audio.files.segments import AudioSegments
from consort_audio.files.service import AudioFileService
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


def _files(request: Request) -> AudioFileService:
    service: AudioFileService = request.app.state.files
    return service


def _segments(request: Request) -> AudioSegments:
    segments: AudioSegments = request.app.state.segments
    return segments


AudioFiles = Annotated[AudioFileService, Depends(_files)]
Segments = Annotated[AudioSegments, Depends(_segments)]


@tool(router, title="Store an audio file", toolset="audio", effect="write", errors=(NotFound, TooLarge))
async def store_audio(body: StoreAudio, files: AudioFiles) -> StoredAudio | JobTicket:
    """Store an audio file in the studio and get the audio_file_id that other tools take.

    Give a path in the data folder, base64, or upload_link for a page where the user uploads a file, up to 2 hours long.
    To record new audio, use request_audio_recording.

    Example: {"path": "import/take.wav"}
    """
    return await files.store(body)


@tool(router, title="Describe an audio file", toolset="audio", effect="read", errors=(NotFound,))
async def get_audio_info(body: GetAudioInfo, files: AudioFiles) -> AudioInfo:
    """Describe an audio file: duration, sample rate, channels, format, size and what it was made from.

    Also returns loudness (LUFS), peak (dB), a link to a page that plays it, a download link in any format, and
    analyses that are ready.

    Example: {"audio_file_id": "audio_4r0c…", "download_format": "mp3"}
    """
    return await files.get(body)


@tool(router, title="List audio files", toolset="audio", effect="read")
async def list_audio(body: ListAudio, files: AudioFiles) -> AudioList:
    """List which audio files and recordings there are, newest first, in pages: id, name, kind, duration, size and date.

    Example: {"kind": "recording", "limit": 50}
    """
    return await files.page(body)


@tool(router, title="Delete an audio file", toolset="audio", effect="destroy", errors=(NotFound,))
async def delete_audio(body: DeleteAudio, files: AudioFiles) -> DeletedAudio:
    """Delete a recording or other audio file for good. Make sure that the user wants this.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await files.delete(body)


@tool(router, title="Cut a segment", toolset="audio", effect="write", errors=(NotFound,))
async def segment_audio(body: SegmentAudio, segments: Segments) -> AudioSegment | JobTicket:
    """Cut a part out of an audio file, exact to the sample, and store it as a new lossless file. The original stays.

    Example: {"audio_file_id": "audio_4r0c…", "start_time": 2, "end_time": 5, "fade_out": 0.1}
    """
    return await segments.cut(body)
