"""The tools for synthesis."""

from consort_kit.tools.tool_decorator import tool_router

router = tool_router()
