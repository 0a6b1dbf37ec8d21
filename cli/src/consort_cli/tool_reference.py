"""Write the documentation of the tools that is generated: the README's table of toolsets, and `docs/reference.md`."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from consort_gateway.mcp.instructions import TOOLSETS
from consort_gateway.tools.catalogue import ToolDefinition

REFERENCE_HEAD = """\
# Tool reference

All tools with all parameters, as an assistant sees them. `consort specs` writes this page.
Every tool rejects unknown parameters, and answers with JSON. `./consort call NAME parameter=value` calls one from
the command line.
"""


def toolset_table(tools: Iterable[ToolDefinition]) -> str:
    """Return a Markdown table with the purpose and the tools of each toolset."""
    rows = []
    for toolset in TOOLSETS:
        names = ", ".join(f"`{tool.name}`" for tool in tools if tool.toolset == toolset)
        rows.append(f"| [{toolset}](docs/toolsets/{toolset}.md) | {purpose(toolset)} | {names} |\n")
    return f"| toolset | what it is for | tools |\n|---|---|---|\n{''.join(rows)}"


def reference(tools: Iterable[ToolDefinition]) -> str:
    """Return the text of `docs/reference.md`."""
    parts = [REFERENCE_HEAD]
    for toolset in TOOLSETS:
        parts.append(f"\n## {toolset}\n\nTo {purpose(toolset)}: see [the page with examples](toolsets/{toolset}.md).\n")
        parts += [tool_section(tool) for tool in tools if tool.toolset == toolset]
    return "".join(parts)


def purpose(toolset: str) -> str:
    return TOOLSETS[toolset].partition(". ")[0].removeprefix(f"{toolset}: ")


def tool_section(tool: ToolDefinition) -> str:
    described, _, example = tool.description.partition("Example: ")
    rows = "".join(parameter_rows(tool.input_schema))
    table = f"\n| parameter | type | meaning |\n|---|---|---|\n{rows}" if rows else "\nNo parameters.\n"
    return f"\n### `{tool.name}`\n\n{described.strip()}\n{table}\nExample: `{example.strip()}`\n"


def parameter_rows(schema: dict[str, Any]) -> Iterator[str]:
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        target = schema.get("$defs", {}).get(field.get("$ref", "").removeprefix("#/$defs/"), {})
        field = {**target, **field}
        meaning = [field.get("description", "")]
        if values := field.get("enum"):
            meaning.append("One of " + ", ".join(f"`{value}`" for value in values) + ".")
        if "default" in field:
            meaning.append(f"Default: `{json.dumps(field['default'])}`.")
        limits = [f"{word} {field[key]}" for key, word in _LIMITS.items() if key in field]
        if limits:
            meaning.append(f"{' and '.join(limits).capitalize()}.")
        mark = " (required)" if name in required else ""
        text = " ".join(meaning).replace("|", "\\|").replace("\n", " ").strip()
        yield f"| `{name}`{mark} | {kind_of(field)} | {text} |\n"


_LIMITS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most"}


def kind_of(field: dict[str, Any]) -> str:
    """Return the type of a parameter in words, such as `integer or string` or `list of string`."""
    if options := field.get("anyOf"):
        return " or ".join(dict.fromkeys(kind_of(each) for each in options))
    kind = field.get("type", "any")
    kinds = [kind] if isinstance(kind, str) else kind
    inner = kind_of(field["items"]) if "items" in field else "any"
    return " or ".join(f"list of {inner}" if each == "array" else str(each) for each in kinds)
