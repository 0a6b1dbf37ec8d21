"""The verdict on a script, as the tools answer it."""

from pydantic import Field

from consort_kit.tools.models import ToolOutput


class ScriptWarning(ToolOutput):
    line: int = Field(description="From 1.")
    column: int = Field(description="From 1.")
    message: str
    suggestion: str | None = None

    @property
    def sentence(self) -> str:
        """Place, message and suggestion, for the text of an error."""
        hint = f" {self.suggestion}" if self.suggestion else ""
        end = "." if hint and not hint.endswith(("?", ".")) else ""
        return f"Line {self.line}, column {self.column}: {self.message}{hint}{end}"


class ScriptError(ScriptWarning):
    code_context: str = Field(description="The line and its neighbours, with a mark below the place.")


class ScriptVerdict(ToolOutput):
    valid: bool = Field(description="Whether there is no error. Warnings do not count.")
    errors: list[ScriptError]
    warnings: list[ScriptWarning]
