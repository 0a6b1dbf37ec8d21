"""The tools validate_script and analyze_song_structure."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound, ServiceDown, TooLarge
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.script_tools.models import AnalyzeSongStructure, ValidateScript
from consort_strudel.script_tools.service import ScriptTools
from consort_strudel.structure import SongStructure
from consort_strudel.validation import ScriptVerdict

router = tool_router()


def _tools(request: Request) -> ScriptTools:
    tools: ScriptTools = request.app.state.script_tools
    return tools


TheScriptTools = Annotated[ScriptTools, Depends(_tools)]


@tool(
    router, title="Check a Strudel script", toolset="strudel", effect="read", errors=(NotFound, TooLarge, ServiceDown)
)
async def validate_script(body: ValidateScript, tools: TheScriptTools) -> ScriptVerdict:
    """Check (test, lint) Strudel code for mistakes before it is saved: is the script valid, does it run, are its sounds
    known, or why not (syntax error, bug)?

    Example: {"script_content": "setcpm(120/4)\\n$: s(\\"bd*4\\").bank(\\"tr909\\")"}
    """
    return await tools.validate(body)


@tool(router, title="Analyze a Strudel song", toolset="strudel", effect="read", errors=(NotFound, ServiceDown))
async def analyze_song_structure(body: AnalyzeSongStructure, tools: TheScriptTools) -> SongStructure:
    """See how a Strudel script is organised: which lines belong to which voices (drums, snare, bass) and parts, their
    instruments and effects, setup, sections.

    Example: {"project_name": "night-drive"}
    """
    return await tools.structure(body)
