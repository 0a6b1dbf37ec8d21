"""The transform tool."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import AlreadyExists, NotFound
from consort_kit.tool import tool, tool_router
from consort_midi_store.transforms.requests import TransformedMidi, TransformMidi
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
    """Change a MIDI file by operations in order and store the result as a new file; the source stays.

    trim keeps bars; cut takes bars out and closes the gap. Answers the new midi_file_id and what each operation did.

    Example: {"midi_file_id": "midi_4r0c…", "operations": [{"type": "transpose", "to_key": "D major"}]}
    """
    return await transforms.transform(body)
