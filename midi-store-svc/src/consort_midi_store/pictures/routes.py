"""The picture tool, and the route by which a browser sees the picture again."""

import json
from typing import Annotated, Literal

from fastapi import Path, Query, Request, Response
from pydantic import Json

from consort_kit.child import ChildLimits, with_care
from consort_kit.client import BESIDE_MEDIA, MUSIC_ID
from consort_kit.errors import NotFound
from consort_kit.links import Links
from consort_kit.sandbox import title_from_name
from consort_kit.tool import binary, tool, tool_router
from consort_midi_store.files.routes import Files
from consort_midi_store.files.sources import Found
from consort_midi_store.pictures.drawing import picture_of
from consort_midi_store.pictures.models import PictureOptions, RenderPianoRoll
from consort_music.errors import in_field

router = tool_router()

DRAWING = ChildLimits(cpu_s=15, memory_bytes=1536 * 1024 * 1024)
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
    """Draw a file, song or score as a picture: bars, sections, keys, pitches with names, each track in its colour.

    Answers the picture and a link to it. Show it to the user, or look at it to see the form of the music. Use
    read_midi_notes for exact notes.

    Example: {"song_id": "song_4r0c…", "first_bar": 1, "last_bar": 8}
    """
    found = await files.find_kept(body)
    picture = await _drawn(body, found, request)
    if found.row is None:  # bytes that nobody keeps
        return picture
    links: Links = request.app.state.links
    options = body.model_dump_json(exclude=_SOURCE | {"format"}, exclude_defaults=True)
    link = links.make("midi-store", f"/pictures/{found.made_from or found.row.id}.{body.format}", {"options": options})
    exported = {"midi_file_id": found.row.id} if found.made_from else {}
    picture.headers[BESIDE_MEDIA] = json.dumps({"download_url": link.url, **exported})
    return picture


@router.get(
    "/pictures/{music_id}.{format}",
    summary="A piano roll of music as it is now",
    response_class=Response,
    responses=binary(*MEDIA_TYPES.values()),
)
async def piano_roll(
    music_id: Annotated[str, Path(pattern=MUSIC_ID, description="Id of a file, song or score.")],
    format: Annotated[Literal["png", "svg"], Path(description="Kind of picture.")],
    request: Request,
    files: Files,
    options: Annotated[
        Json[PictureOptions], Query(description="How to draw it: fields of render_piano_roll, as JSON.")
    ],
) -> Response:
    body = RenderPianoRoll(midi_file_id=music_id, format=format, **options.model_dump())
    return await _drawn(body, await files.find(body), request)


async def _drawn(body: RenderPianoRoll, found: Found, request: Request) -> Response:
    plain = body.model_dump(exclude=_SOURCE)
    title = title_from_name(found.name) if found.name else None
    max_bytes = request.app.state.settings.midi_max_bytes
    with in_field(body.given):
        picture = await with_care(len(found.content), DRAWING, picture_of, found.content, max_bytes, plain, title)
    return Response(picture, media_type=MEDIA_TYPES[body.format])
