"""Input and output of get_function_info. An assistant reads every description here."""

from typing import ClassVar

from pydantic import Field

from consort_kit.tools.models import ToolInput, ToolOutput

MOST_MATCHES = 20


class GetFunctionInfo(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(("name", "function", "query", "description"), "function_name")

    function_name: str | None = Field(
        None, min_length=1, max_length=200, description="Name, or words: 'repeat each event'."
    )
    category: str | None = Field(None, max_length=40, description="Or list a category, such as filters.")
    limit: int = Field(5, ge=1, le=MOST_MATCHES, description="Matches at most, for words.")


class FunctionParameterInfo(ToolOutput):
    name: str
    type: str
    description: str
    required: bool
    default: float | str | None = Field(None, description="What counts if it is not given.")
    range: str | None = Field(None, description="Useful values, with the unit.")


class FunctionMatch(ToolOutput):
    usage: str
    description: str


class FunctionCategory(ToolOutput):
    category: str
    about: str
    function_count: int


class FunctionInfo(ToolOutput):
    name: str | None = None
    description: str | None = None
    category: str | None = None
    aliases: list[str] | None = None
    parameters: list[FunctionParameterInfo] | None = None
    return_type: str | None = None
    examples: list[str] | None = None
    related_functions: list[str] | None = None
    defined_in: str | None = Field(None, description="Package and file.")
    message: str | None = None
    matches: list[FunctionMatch] | None = Field(None, description="Functions for words, the best first.")
    functions: list[str] | None = Field(None, description="The functions of a category.")
    categories: list[FunctionCategory] | None = Field(None, description="If nothing was asked.")


class ListedFunction(ToolOutput):
    name: str
    category: str


class FunctionNames(ToolOutput):
    items: list[ListedFunction]
