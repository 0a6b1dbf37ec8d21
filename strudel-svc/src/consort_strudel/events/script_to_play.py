"""The script that a tool plays: that of a project, or the code that it was given."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from consort_kit.errors import InvalidInput
from consort_strudel.engine import Evaluation
from consort_strudel.events.models import ScriptSource
from consort_strudel.validation import Validator

UNTITLED = "strudel"
"""Names files of code that belongs to no project."""
_MOST_ERRORS = 5


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


async def invalid_script(validator: Validator, script: str, failed: str, evaluation: Evaluation) -> InvalidInput:
    """Return the error for a script that cannot be played, with the place and the suggestion of the first error.

    `failed` says what cannot be done with it: `rendered`. `evaluation` has the error, which is used as it is if the
    validator finds none.
    """
    errors = (await validator.explain(script, evaluation)).errors[:_MOST_ERRORS]
    why = errors[0].sentence if errors else (evaluation.error or "").rstrip(".") + "."
    return InvalidInput(
        f"The script cannot be {failed}. {why}",
        code="INVALID_SCRIPT",
        suggestions=[error.suggestion for error in errors if error.suggestion] or ["validate_script"],
        details={"errors": [error.model_dump(exclude_none=True) for error in errors]} if errors else None,
    )
