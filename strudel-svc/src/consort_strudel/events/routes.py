"""The tools preview_events and strudel_export_midi, and the picture that a preview names."""

from typing import Annotated

from fastapi import Depends, Query, Request, Response

from consort_kit.errors import AlreadyExists, NotFound, ServiceDown
from consort_kit.tools.answer_headers import PICTURE_HEADER
from consort_kit.tools.tool_decorator import binary_responses, tool, tool_router
from consort_strudel.events.models import MOST_CYCLES, EventsPreview, PreviewEvents, StrudelExportMidi, StrudelMidi
from consort_strudel.events.script_to_play import ScriptToPlay
from consort_strudel.events.service import PICTURE_PATH, EventService, unpacked
from consort_strudel.projects.models.fields import MAX_SCRIPT_BYTES

router = tool_router()


def _events(request: Request) -> EventService:
    service: EventService = request.app.state.events
    return service


TheEvents = Annotated[EventService, Depends(_events)]


@tool(router, title="See what a script plays", toolset="strudel", effect="read", heavy=True, errors=(NotFound,))
async def preview_events(body: PreviewEvents, events: TheEvents, response: Response) -> EventsPreview:
    """See which notes a Strudel pattern plays, without sound: print, inspect or draw (visualize) the hits of each cycle
    and when (at what time) they come, in a snippet or project.

    Rows are folded: `0-3: 0,1/2 bd 1/4` means that cycles 0 to 3 play bd at 0 and 1/2, each 1/4 cycle long. With
    picture: a drum grid.

    Example: {"script_content": "$: s(\\"bd*4, ~ sd\\")", "cycles": 2}
    """
    answer, picture = await events.preview(body)
    if picture is not None:
        response.headers[PICTURE_HEADER] = picture
    return answer


@tool(
    router,
    title="Export a script as MIDI",
    toolset="strudel",
    effect="write",
    heavy=True,
    errors=(NotFound, AlreadyExists, ServiceDown),
)
async def strudel_export_midi(body: StrudelExportMidi, events: TheEvents) -> StrudelMidi:
    """Export a Strudel pattern or script as a MIDI file: save the notes that live code plays in some cycles, with a
    track per voice, to get a beat into a DAW (Ableton, Logic).

    Example: {"project_name": "rain", "cycles": 16}
    """
    return await events.export(body)


@router.get(
    PICTURE_PATH,
    summary="A picture of what a script plays",
    response_class=Response,
    responses=binary_responses("image/png"),
)
async def events_picture(
    events: TheEvents,
    begin: Annotated[int, Query(ge=0, le=100_000, description="First cycle.")] = 0,
    cycles: Annotated[int, Query(ge=1, le=MOST_CYCLES, description="How many.")] = 4,
    width: Annotated[int, Query(ge=320, le=3000, description="Pixels.")] = 1200,
    height: Annotated[int, Query(ge=200, le=2000, description="Pixels.")] = 600,
    project_name: Annotated[str | None, Query(max_length=200, description="A project.")] = None,
    version: Annotated[int | None, Query(ge=1, description="Its version.")] = None,
    script: Annotated[str | None, Query(max_length=20_000, description="Or code, packed.")] = None,
) -> Response:
    if project_name is not None:
        source = await events.project(project_name, version)
    else:
        source = ScriptToPlay(unpacked(script or "", MAX_SCRIPT_BYTES))
    return Response(await events.draw(source, begin, begin + cycles, width, height), media_type="image/png")
