"""The tool render_piano_roll, and the route that draws the picture again for a browser."""

import json
from typing import Annotated, Literal

from fastapi import Path, Query, Request, Response
from pydantic import Json

from consort_kit.errors import NotFound
from consort_kit.http.signed_links import Links
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import DRAW_MIDI
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from consort_kit.tools.tool_decorator import binary_responses, tool, tool_router
from consort_midi_store.files.models import MUSIC_ID
from consort_midi_store.files.routes import Files
from consort_midi_store.files.sources import FoundMusic
from consort_midi_store.pictures.models import PictureOptions, RenderPianoRoll
from consort_midi_store.pictures.piano_roll import draw_picture
from consort_music.errors import in_field
from consort_music.midi.file_names import title_from_name

router = tool_router()

MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}
_SOURCE = {"midi_file_id", "path", "base64"}


@tool(
    router,
    title="Draw a piano roll",
    toolset="midi",
    effect="read",
    heavy=True,
    errors=(NotFound,),
    media_types=tuple(MEDIA_TYPES.values()),
)
async def render_piano_roll(body: RenderPianoRoll, request: Request, files: Files) -> Response:
    """Draw a piano roll: a picture (image, graphic, overview) of a MIDI file or song, to see its notes as coloured
    blocks, with bars, sections, keys and a colour for each track.

    Example: {"song_id": "song_4r0c…", "first_bar": 1, "last_bar": 8}
    """
    found = await files.find_stored(body)
    picture = await _draw(body, found, request)
    if found.row is None:  # the file is not stored, so a link could not draw it again
        return picture
    links: Links = request.app.state.links
    options = body.model_dump_json(exclude=_SOURCE | {"format"}, exclude_defaults=True)
    link = links.make("midi-store", f"/pictures/{found.made_from or found.row.id}.{body.format}", {"options": options})
    exported = {"midi_file_id": found.row.id} if found.made_from else {}
    picture.headers[MEDIA_DETAILS_HEADER] = json.dumps({"download_url": link.url, **exported})
    return picture


@router.get(
    "/pictures/{music_id}.{format}",
    summary="Draw the piano roll of the current music",
    response_class=Response,
    responses=binary_responses(*MEDIA_TYPES.values()),
)
async def piano_roll(
    music_id: Annotated[str, Path(pattern=MUSIC_ID, description="Id of a file, song or score.")],
    format: Annotated[Literal["png", "svg"], Path(description="Kind of picture.")],
    request: Request,
    files: Files,
    options: Annotated[Json[PictureOptions], Query(description="Fields of render_piano_roll, as JSON.")],
) -> Response:
    body = RenderPianoRoll(midi_file_id=music_id, format=format, **options.model_dump())
    return await _draw(body, await files.find(body), request)


async def _draw(body: RenderPianoRoll, found: FoundMusic, request: Request) -> Response:
    options = body.model_dump(exclude=_SOURCE)
    options["title"] = body.title or (title_from_name(found.name) if found.name else None)
    options["skips_title"] = found.made_from is not None
    max_bytes = request.app.state.settings.midi_max_bytes
    with in_field(body.given):
        picture = await run_within_limits(
            len(found.content), DRAW_MIDI, draw_picture, found.content, max_bytes, **options
        )
    return Response(picture, media_type=MEDIA_TYPES[body.format])
