"""Put what is known about a function into the tool's answer."""

from consort_strudel.knowledge.functions.catalogue import KnownFunction
from consort_strudel.knowledge.functions.entry import FunctionEntry, FunctionParameter
from consort_strudel.knowledge.functions.models import FunctionInfo, FunctionMatch, FunctionParameterInfo
from consort_strudel.validation.parameter_table import PARAMETERS

_TAKES_PATTERNS = frozenset(("control", "method"))
_MAY_BE_PATTERN = ("number", "text")


def info_of(known: KnownFunction, asked: str) -> FunctionInfo:
    """Return everything about a function."""
    if known.entry is None:
        return _undescribed(known)
    entry = known.entry
    takes_patterns = known.source is not None and known.source.kind in _TAKES_PATTERNS
    message = known.difference
    if message is None and asked not in (known.name, *known.aliases):
        message = f"The name is written '{known.name}'."
    return FunctionInfo(
        name=entry.name,
        description=entry.description,
        category=entry.category,
        aliases=list(known.aliases) or None,
        parameters=[
            _parameter(parameter, takes_patterns, _range(known) if place == 0 else None)
            for place, parameter in enumerate(entry.parameters)
        ],
        return_type=entry.returns,
        examples=[example.strip() for example in entry.examples],
        related_functions=list(entry.related),
        defined_in=known.source.file if known.source else None,
        message=message,
    )


def match_of(entry: FunctionEntry) -> FunctionMatch:
    """Return a function in one line."""
    names = ", ".join(f"...{each.name}" if each.is_rest else each.name for each in entry.parameters)
    return FunctionMatch(usage=f"{entry.name}({names})", description=entry.description)


def _parameter(parameter: FunctionParameter, takes_patterns: bool, usual: str | None) -> FunctionParameterInfo:
    kind = parameter.type
    if takes_patterns and kind.startswith(_MAY_BE_PATTERN) and "pattern" not in kind:
        kind += " or pattern"
    return FunctionParameterInfo(
        name=parameter.name,
        type=f"{kind}, repeatable" if parameter.is_rest else kind,
        description=parameter.about,
        required=not parameter.is_optional,
        default=_value(parameter.default),
        range=usual,
    )


def _value(text: str | None) -> float | str | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _range(known: KnownFunction) -> str | None:
    """Return the useful values as text, from the table that validate_script judges by."""
    row = next((PARAMETERS[name] for name in (known.name, *known.aliases) if name in PARAMETERS), None)
    if row is None:
        return None
    return f"{row.least:g} to {row.most:g}" + (f" ({row.unit})" if row.unit else "")


def _undescribed(known: KnownFunction) -> FunctionInfo:
    source = known.source
    given = source.parameters if source else ()
    return FunctionInfo(
        name=known.name,
        description="Not described: it is internal to the engine and not meant for songs.",
        category="undescribed",
        parameters=[
            FunctionParameterInfo(
                name=name.strip("=."),
                type="unknown",
                description="Not described.",
                required=not name.endswith("=") and not name.startswith("..."),
            )
            for name in given
        ],
        return_type="unknown",
        examples=[],
        related_functions=[],
        defined_in=source.file if source else None,
    )
