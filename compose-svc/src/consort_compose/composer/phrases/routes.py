"""The tool transform_phrase."""

from consort_compose.composer.models import Composed
from consort_compose.composer.phrases.models import TransformedPhrase, TransformPhrase
from consort_compose.composer.phrases.service import run_transform_phrase
from consort_compose.composer.service import TheComposer
from consort_kit.errors import NotFound
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Transform a phrase", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def transform_phrase(body: TransformPhrase, composer: TheComposer) -> Composed[TransformedPhrase]:
    """Develop a motif, theme or little idea: repeat it three times, each a step higher (sequence), play it backwards
    (reverse), upside down (mirror, invert), twice as slow, halve, extend or shorten it, or several in order. Returns a
    score_id.

    Example: {"input_stream": "C4:q D4:q E4:h", "transformation": "sequence", "interval": "M2", "repetitions": 2}
    """
    source = await composer.read(body.input_stream, body.input_format, "input_stream")
    data, result, warnings = await composer.compose(run_transform_phrase, source.score, body)
    return await composer.answer(data, result, [*source.warnings, *warnings])
