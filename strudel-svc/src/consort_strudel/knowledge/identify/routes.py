"""The tool identify_pattern."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import ServiceDown
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.knowledge.identify.models import IdentifiedPatterns, IdentifyPattern
from consort_strudel.knowledge.identify.service import PatternKnowledge

router = tool_router()


def _knowledge(request: Request) -> PatternKnowledge:
    knowledge: PatternKnowledge = request.app.state.pattern_knowledge
    return knowledge


@tool(router, title="Say what Strudel code does", toolset="strudel_library", effect="read", errors=(ServiceDown,))
async def identify_pattern(
    body: IdentifyPattern, knowledge: Annotated[PatternKnowledge, Depends(_knowledge)]
) -> IdentifiedPatterns:
    """Explain a snippet of Strudel code: identify, name or describe in words its technique or kind of rhythm, and what
    it does.

    Example: {"code_snippet": ".late(\\"[0 .01]*4\\")"}
    """
    return await knowledge.identify(body)
