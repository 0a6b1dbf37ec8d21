"""The tool transform_midi."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import AlreadyExists, NotFound
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_midi_store.transforms.models import TransformedMidi, TransformMidi
from consort_midi_store.transforms.service import TransformService

router = tool_router()


def _transforms(request: Request) -> TransformService:
    service: TransformService = request.app.state.transforms
    return service


Transforms = Annotated[TransformService, Depends(_transforms)]


@tool(
    router,
    title="Transform a MIDI file",
    toolset="midi",
    effect="write",
    heavy=True,
    errors=(AlreadyExists, NotFound),
)
async def transform_midi(body: TransformMidi, transforms: Transforms) -> TransformedMidi:
    """Transform a MIDI file into a new one: transpose, quantize, swing, humanize, trim, cut, merge or split it.

    Move (shift, put) it up, down or in another key, clean up sloppy, uneven timing, loosen stiff or robotic playing,
    change speed (tempo) and even out velocities, remove bars or silence, join files, extract tracks or channels. trim
    keeps bars; cut closes the gap.

    Example: {"midi_file_id": "midi_4r0c…", "operations": [{"type": "transpose", "to_key": "D major"}]}
    """
    return await transforms.transform(body)
