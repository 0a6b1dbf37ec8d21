"""One instruction of update_song."""

import difflib
import json
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.tools.models import ToolInput
from consort_strudel.projects.models.fields import Code, ProjectText, SearchPattern

Action = Literal[
    "replace_line",
    "insert_after_line",
    "insert_before_line",
    "delete_line",
    "replace_pattern",
    "insert_after_pattern",
    "insert_before_pattern",
    "append",
    "prepend",
    "insert_after_section",
    "replace_section",
]
MAX_INSTRUCTIONS = 50

_PLACES = ("line_number", "pattern", "section")
_PLACE_OF = {"line": "line_number", "pattern": "pattern", "section": "section"}
"""By the last word of an action: the field that says where."""


def _known_action(value: Any) -> Any:
    """Return an action. Raise an error that suggests the nearest ones for an unknown one."""
    known = get_args(Action)
    if not isinstance(value, str) or value in known:
        return value
    near = difflib.get_close_matches(value.lower(), known, n=3, cutoff=0.4)
    raise _wrong(
        f"'action' must be one of {', '.join(known)}, not {value[:40]!r}.", *(near or ["append", "replace_line"])
    )


# Models inside an input have no docstring: it would be sent with every tool listing.
class PatchInstruction(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        "type": "action",
        "line": "line_number",
        "regex": "pattern",
        "content": "new_content",
        "code": "new_content",
    }
    hints: ClassVar[dict[str, str]] = dict.fromkeys(
        ("voice", "voice_name", "voice_id"),
        "Name a voice in 'section' to replace it; a new one has its name in 'new_content': `lead: s(\"saw\")`.",
    )

    action: Annotated[Action, BeforeValidator(_known_action)] = Field(description="What to do.")
    line_number: int | None = Field(None, description="From 1, before this call.")
    pattern: SearchPattern | None = Field(None, description="RE2; case matters; ^ $ match at lines.")
    occurrence: Literal["first", "last", "all"] = Field("first", description="Which matches.")
    section: ProjectText | None = Field(None, description="setup, voices, or a section or voice of the song.")
    new_content: Code | None = Field(None, description="Code, literal.")

    @model_validator(mode="after")
    def _fields_fit_the_action(self) -> Self:
        place = _PLACE_OF.get(self.action.rpartition("_")[2])
        for name in _PLACES:
            if name == place and getattr(self, name) is None:
                raise _wrong(f"'{self.action}' needs '{name}'.", name)
            if name != place and getattr(self, name) is not None:
                hint = f"It needs '{place}'." if place else "It needs only 'new_content'."
                raise _wrong(f"'{self.action}' does not take '{name}'. {hint}", place or "new_content")
        if self.action == "delete_line":
            if self.new_content is not None:
                raise _wrong("'delete_line' does not take 'new_content'. Use replace_line instead.", "replace_line")
        elif self.new_content is None:
            raise _wrong(f"'{self.action}' needs 'new_content', the code to write.", "new_content")
        return self


def _wrong(message: str, *suggestions: str) -> PydanticCustomError:
    return PydanticCustomError("INVALID_PATCH", "{message}", {"message": message, "suggestions": list(suggestions)})


def _as_list(value: Any) -> Any:
    """Return one instruction as a list. Some clients send JSON as text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict | list):
            raise _wrong(
                "'patch_instructions' must be an object or a list of objects, not text. Example:"
                ' {"action": "append", "new_content": "$: s(\\"bd*4\\")"}.',
                "append",
            )
    return [value] if isinstance(value, dict | PatchInstruction) else value


def _one_or_a_list(schema: dict[str, Any]) -> None:
    """Shorten the schema. The service checks how many there are."""
    schema["type"] = ["object", "array"]
    del schema["minItems"], schema["maxItems"]


PatchInstructions = Annotated[
    list[PatchInstruction],
    Field(min_length=1, max_length=MAX_INSTRUCTIONS, json_schema_extra=_one_or_a_list),
    BeforeValidator(_as_list),
]
"""One instruction or a list."""
