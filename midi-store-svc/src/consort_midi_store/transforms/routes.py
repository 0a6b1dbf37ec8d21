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
    """Change a MIDI file by operations in order and store the result as a new file; the source stays as it is.

    transpose, quantize (grids, triplets, swing, strength), swing, humanize, velocity, tempo, trim, merge (with other
    files, in parallel or in sequence), split (by track or channel, into several files), extract_tracks. Answers the
    new midi_file_id and, for each operation, how many notes were changed and how.

    Example: {"midi_file_id": "midi_4r0c…", "operations": [{"type": "quantize", "grid": "1/16", "strength": 0.8}]}
    """
    return await transforms.transform(body)
