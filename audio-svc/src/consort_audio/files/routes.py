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
    """Upload an audio file (recording, voice memo, mp3, wav, from a phone) to the studio: import, add or save it from a
    path in the data folder, base64, or upload_link, a page where the user can send a file (up to 2 hours). Returns its
    audio_file_id.

    Example: {"path": "import/take.wav"}
    """
    return await files.store(body)


@tool(router, title="Describe an audio file", toolset="audio", effect="read", errors=(NotFound,))
async def get_audio_info(body: GetAudioInfo, files: AudioFiles) -> AudioInfo:
    """Give information about an audio file: duration (length, how long it is), sample rate, channels (stereo), format,
    size, properties, what it was made from, LUFS, peak. With a link to play it and one to download it as wav, flac, ogg
    or mp3.

    Example: {"audio_file_id": "audio_4r0c…", "download_format": "mp3"}
    """
    return await files.get(body)


@tool(router, title="List audio files", toolset="audio", effect="read")
async def list_audio(body: ListAudio, files: AudioFiles) -> AudioList:
    """List all audio files: show which recordings, takes and uploads exist (uploaded, recorded, rendered), or find one
    by name.

    Example: {"kind": "recording", "limit": 50}
    """
    return await files.page(body)


@tool(router, title="Delete an audio file", toolset="audio", effect="destroy", errors=(NotFound,))
async def delete_audio(body: DeleteAudio, files: AudioFiles) -> DeletedAudio:
    """Delete a recording, take or other audio file (wav) for good: remove, erase, trash, throw away. Ask the user
    first.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await files.delete(body)


@tool(router, title="Cut a segment", toolset="audio", effect="write", errors=(NotFound,))
async def segment_audio(body: SegmentAudio, segments: Segments) -> AudioSegment | JobTicket:
    """Cut a part out of an audio file: trim, crop or chop off silence, or extract some seconds of a recording (a solo),
    as a new file, with fades.

    Example: {"audio_file_id": "audio_4r0c…", "start_time": 2, "end_time": 5, "fade_out": 0.1}
    """
    return await segments.cut(body)
