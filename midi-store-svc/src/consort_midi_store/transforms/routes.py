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
    """Transpose, quantize, swing, humanize, trim, cut, merge or split music, and store it as a new file.

    Operations are done in order, and the source stays. trim keeps bars; cut removes bars and closes the gap.

    Example: {"midi_file_id": "midi_4r0c…", "operations": [{"type": "transpose", "to_key": "D major"}]}
    """
    return await transforms.transform(body)
