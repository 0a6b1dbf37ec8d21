"""The picture tool."""

from fastapi import Request, Response

from consort_kit.child import ChildLimits, with_care
from consort_kit.errors import NotFound
from consort_kit.tool import tool, tool_router
from consort_midi_store.files.routes import Files
from consort_midi_store.pictures.drawing import picture_of
from consort_midi_store.pictures.models import RenderPianoRoll
from consort_music.errors import in_field

router = tool_router()

DRAWING = ChildLimits(cpu_s=15, memory_bytes=1536 * 1024 * 1024)
MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


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
    """Draw a MIDI file as a picture: bars and beats, pitches with names, each track in its colour, drums in rows.

    Answers the picture itself. Show it to the user, or look at it to see the form of the music; first_bar and last_bar
    zoom in. Use read_midi_notes for exact notes.

    Example: {"midi_file_id": "midi_4r0c…", "first_bar": 1, "last_bar": 8}
    """
    found = await files.find(body)
    plain = body.model_dump(exclude={"midi_file_id", "path", "base64"})
    max_bytes = request.app.state.settings.midi_max_bytes
    with in_field(body.given):
        picture = await with_care(len(found.content), DRAWING, picture_of, found.content, max_bytes, plain, found.name)
    return Response(picture, media_type=MEDIA_TYPES[body.format])
