"""The description of a function."""

import re
from dataclasses import dataclass

_PARAMETER = re.compile(
    r"(?P<rest>\.\.\.)?(?P<name>\w+)(?P<optional>\?)? (?P<type>[a-z ]+?)(?: = (?P<default>[^:]+))?: (?P<about>.+)"
)


@dataclass(frozen=True)
class FunctionParameter:
    name: str
    type: str
    about: str
    default: str | None = None
    """What counts if it is left out, or if the function is not called at all."""
    is_optional: bool = False
    is_rest: bool = False
    """Whether it may be given several times."""


@dataclass(frozen=True)
class FunctionEntry:
    name: str
    category: str
    description: str
    parameters: tuple[FunctionParameter, ...] = ()
    returns: str = "Pattern"
    examples: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    words: str = ""
    """Other words that people use for it, for the search."""
    aliases: tuple[str, ...] = ()
    """Other names of the same function that its source does not show."""


def parameter_of(text: str) -> FunctionParameter:
    """Read a parameter: `name type = default: what it means`. `name?` may be left out, `...name` may be repeated."""
    found = _PARAMETER.fullmatch(text)
    if found is None:
        raise ValueError(f"Not a description of a parameter: {text}")
    return FunctionParameter(
        found["name"],
        found["type"],
        found["about"],
        found["default"],
        is_optional=found["optional"] is not None,
        is_rest=found["rest"] is not None,
    )
