"""The tool render_waveform, and the route that draws the picture again for a browser."""

import json
from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request, Response
from pydantic import Json

from consort_audio.files.library import AudioLibrary
from consort_audio.files.transfer_routes import AudioFileId
from consort_audio.pictures.models import RenderWaveform, WaveformOptions
from consort_audio.pictures.service import PictureService
from consort_kit.errors import NotFound
from consort_kit.http.signed_links import Links
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from consort_kit.tools.tool_decorator import binary_responses, tool, tool_router

router = tool_router()

MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


def _pictures(request: Request) -> PictureService:
    service: PictureService = request.app.state.pictures
    return service


Pictures = Annotated[PictureService, Depends(_pictures)]


@tool(
    router,
    title="Draw a waveform and spectrogram",
    toolset="audio",
    effect="read",
    heavy=True,
    errors=(NotFound,),
    media_types=tuple(MEDIA_TYPES.values()),
)
async def render_waveform(body: RenderWaveform, request: Request, pictures: Pictures) -> Response:
    """Draw a picture of a sound: see (visualize, plot) the waveform, spectrum (spectrogram) and loud places of a
    recording or other audio over time, with known notes, beats, chords and faults.

    Example: {"audio_file_id": "audio_4r0c…", "start_time": 10, "end_time": 20}
    """
    drawn = await pictures.draw(body)
    links: Links = request.app.state.links
    library: AudioLibrary = request.app.state.library
    options = body.model_dump_json(exclude={"audio_file_id", "format"}, exclude_defaults=True)
    link = links.make("audio", f"/pictures/{drawn.row.id}.{body.format}", {"options": options})
    details = {
        "download_url": link.url,
        "listen_url": library.links(drawn.row).listen_url,
        "layers": drawn.layers,
        **({"drawn_from": drawn.drawn_from} if drawn.drawn_from else {}),
        **({"warnings": drawn.warnings} if drawn.warnings else {}),
    }
    return Response(
        drawn.content, media_type=MEDIA_TYPES[body.format], headers={MEDIA_DETAILS_HEADER: json.dumps(details)}
    )


@router.get(
    "/pictures/{audio_file_id}.{format}",
    summary="Draw the waveform and spectrogram of an audio file",
    response_class=Response,
    responses=binary_responses(*MEDIA_TYPES.values()),
)
async def waveform(
    audio_file_id: AudioFileId,
    format: Annotated[Literal["png", "svg"], Path(description="Kind of picture.")],
    pictures: Pictures,
    options: Annotated[Json[WaveformOptions], Query(description="Fields of render_waveform, as JSON.")],
) -> Response:
    body = RenderWaveform(audio_file_id=audio_file_id, format=format, **options.model_dump())
    drawn = await pictures.draw(body)
    return Response(drawn.content, media_type=MEDIA_TYPES[format])
