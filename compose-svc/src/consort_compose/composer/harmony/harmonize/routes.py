"""The tool `reharmonize`."""

from consort_compose.composer.harmony.harmonize.models import Reharmonize, Reharmonized
from consort_compose.composer.harmony.harmonize.service import describe_harmonizations, find_harmonizations, warnings_of
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.errors import NotFound
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Harmonize a melody", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def reharmonize(body: Reharmonize, composer: TheComposer) -> Composed[Reharmonized]:
    """Find chords that fit a melody: harmonize it, write an accompaniment, suggest other, jazzier harmonies for a tune
    that has no chords yet, in classical (four parts), jazz, pop or modal style. Several ways, best first, each with a
    score_id.

    Example: {"melody": "score_4r0c…", "style": "jazz", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.melody, body.input_format, "melody")
    found = await composer.compose(find_harmonizations, source.score, body)
    options = found.options
    ids = [await composer.keep(option.score) for option in options[1:]]
    data = await composer.compose(describe_harmonizations, found, body)
    answer = await composer.answer(data, options[0].score, [*source.warnings, *warnings_of(found)])
    for shown, score_id in zip(data.harmonizations, [answer.score_id, *ids], strict=True):
        shown.score_id = score_id
    return answer
