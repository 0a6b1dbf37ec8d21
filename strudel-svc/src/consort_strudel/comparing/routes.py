"""The tool compare_strudel."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.comparing.models import ComparedStrudel, CompareStrudel
from consort_strudel.comparing.service import Comparing

router = tool_router()


def _comparing(request: Request) -> Comparing:
    service: Comparing = request.app.state.comparing
    return service


TheComparing = Annotated[Comparing, Depends(_comparing)]


@tool(router, title="Compare how two scripts sound", toolset="strudel", effect="write", errors=(NotFound, ServiceDown))
async def compare_strudel(body: CompareStrudel, comparing: TheComparing) -> ComparedStrudel | JobTicket:
    """Compare (measure) how two versions of a script (or a version and a patch) sound: what changed for the ear, is the
    mix darker, brighter or punchier than the old one?

    Example: {"project_name": "rain", "before_version": 3}
    """
    return await comparing.compare(body)
