"""The tool query_packs."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.knowledge.packs.models import FoundPacks, QueryPacks
from consort_strudel.knowledge.packs.service import PackKnowledge

router = tool_router()


def _knowledge(request: Request) -> PackKnowledge:
    knowledge: PackKnowledge = request.app.state.pack_knowledge
    return knowledge


@tool(router, title="Find sample packs", toolset="strudel_library", effect="read")
async def query_packs(body: QueryPacks, knowledge: Annotated[PackKnowledge, Depends(_knowledge)]) -> FoundPacks:
    """Find sample packs for Strudel: drum machine, vocal, piano, lo-fi or 808 sounds (samples, banks), their licence
    (free), how to load or import one, names for s(), which work offline (without internet).

    Example: {"query": {"text": "dusty lo-fi drums", "licensed": true}}
    """
    return knowledge.query(body)
