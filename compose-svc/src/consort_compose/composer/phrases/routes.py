"""The tool that transforms phrases."""

from consort_compose.composer.models import Composed
from consort_compose.composer.phrases.models import TransformedPhrase, TransformPhrase
from consort_compose.composer.phrases.service import develop
from consort_compose.composer.service import TheComposer
from consort_kit.errors import NotFound
from consort_kit.tool import tool, tool_router

router = tool_router()


@tool(router, title="Transform a phrase", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def transform_phrase(body: TransformPhrase, composer: TheComposer) -> Composed[TransformedPhrase]:
    """Develop a phrase by the classical means: repeat it, sequence it, turn it round or upside down, stretch or squeeze
    it, keep a fragment of it, or several of these in order.

    Use it to build on a motif; generate_melody makes new ones. Rests count as part of the phrase. Answers note_list and
    score_id: the phrase and the result in a row, or with append false the result alone.

    Example: {"input_stream": "C4:q D4:q E4:h", "transformation": "sequence", "interval": "M2", "repetitions": 2}
    """
    source = await composer.read(body.input_stream, body.input_format, "input_stream")
    data, result, warnings = await composer.compose(develop, source.score, body)
    return await composer.answer(data, result, [*source.warnings, *warnings])
