"""The tool add_voice."""

from consort_compose.composer.counterpoint.models import AddedVoice, AddVoice
from consort_compose.composer.counterpoint.service import run_add_voice
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.errors import NotFound
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Add a voice", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def add_voice(body: AddVoice, composer: TheComposer) -> Composed[AddedVoice]:
    """Write a second voice or harmony part to a melody or soprano: an alto, tenor or bass line below, a descant above,
    a countermelody, a duet in parallel thirds, or species counterpoint against a cantus firmus. Marks each fault.

    Example: {"existing_voice": "D4:w F4:w E4:w D4:w", "new_voice_type": "soprano", "species": 1, "key": "D dorian"}
    """
    source = await composer.read(body.existing_voice, body.input_format, "existing_voice")
    data, score, warnings = await composer.compose(run_add_voice, source.score, body)
    return await composer.answer(data, score, [*source.warnings, *warnings])
