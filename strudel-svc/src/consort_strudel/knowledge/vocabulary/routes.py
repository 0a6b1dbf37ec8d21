"""The tool query_vocab."""

from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.knowledge.vocabulary.models import QueryVocab, VocabMatches
from consort_strudel.knowledge.vocabulary.service import query_vocabulary

router = tool_router()


@tool(router, title="Find Strudel code for a word", toolset="strudel_library", effect="read")
async def query_vocab(body: QueryVocab) -> VocabMatches:
    """Find how to write something in Strudel: code for a technique (swing, sidechain, build-up, polyrhythm, stutter), a
    genre or a feel ("darker", "punchier"), in five languages.

    Code that starts with a dot is chained to a pattern.

    Example: {"concept": "darker"}
    """
    return query_vocabulary(body)
