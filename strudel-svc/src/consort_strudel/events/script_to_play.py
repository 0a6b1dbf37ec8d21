"""The script that a tool plays: that of a project, or the code that it was given."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from consort_kit.errors import InvalidInput
from consort_strudel.events.models import ScriptSource

UNTITLED = "strudel"
"""Names files of code that belongs to no project."""


@dataclass(frozen=True)
class ScriptToPlay:
    """A script, and what its project says about it."""

    script: str
    name: str | None = None
    version: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


FindProject = Callable[[str, int | None], Awaitable[ScriptToPlay]]
"""Returns the script of a project, by name and version. Raises NotFound."""


async def find_script(request: ScriptSource, find_project: FindProject) -> ScriptToPlay:
    """Return the script that a request names or contains. Raise NotFound if there is no such project."""
    if request.project_name is not None:
        return await find_project(request.project_name, None)
    return ScriptToPlay(request.script_content or "")


def invalid_script(failed: str, reason: str) -> InvalidInput:
    """Return the error for a script that cannot be played. `failed` says what cannot be done with it: `rendered`."""
    return InvalidInput(
        f"The script cannot be {failed}: {reason.rstrip('.')}. validate_script says where it fails.",
        code="INVALID_SCRIPT",
        suggestions=["validate_script"],
    )
