"""The tool get_function_info, and a list of all names."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.knowledge.functions.models import FunctionInfo, FunctionNames, GetFunctionInfo, ListedFunction
from consort_strudel.knowledge.functions.service import FunctionKnowledge

router = tool_router()


def _knowledge(request: Request) -> FunctionKnowledge:
    knowledge: FunctionKnowledge = request.app.state.function_knowledge
    return knowledge


TheFunctions = Annotated[FunctionKnowledge, Depends(_knowledge)]


@tool(
    router,
    title="Look up a Strudel function",
    toolset="strudel_library",
    effect="read",
    errors=(NotFound, ServiceDown),
)
async def get_function_info(body: GetFunctionInfo, functions: TheFunctions) -> FunctionInfo:
    """Explain a Strudel function (jux, lpf, chunk): what it does, usage, parameters (arguments), range, documentation
    (reference), examples; or find functions by their effect.

    Example: {"function_name": "lpf"}
    """
    return await functions.info(body)


@router.get("/functions", summary="The names of all functions")
async def list_functions(functions: TheFunctions) -> FunctionNames:
    """List every function with its category, for the gateway's resources."""
    entries = (await functions.catalogue()).entries.values()
    return FunctionNames(items=[ListedFunction(name=entry.name, category=entry.category) for entry in entries])
