"""Tool search: an assistant sees two tools, one that searches the others by keywords (BM25) and one that calls them."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from consort_gateway.tools.catalogue import JsonSchema, ToolDefinition
from consort_gateway.tools.tool_search_words import synonyms, words
from consort_kit.errors import InvalidInput
from consort_kit.tools.validation import format_value

_K1, _B = 1.2, 0.75  # the usual constants of BM25
_NAME_WEIGHT, _DESCRIPTION_WEIGHT, _PARAMETER_WEIGHT = 2.0, 1.0, 0.1
"""How often a word counts in a tool's name or title, in its description, and in its parameters."""

_SYNONYM_WEIGHT = 0.4
"""How much a word of the query counts that the tool does not have, but a word that means the same."""

_SHOWN_COMPLETELY = 2
"""How many of the tools found are shown with parameters. The others show only name and first sentence."""

META_TOOLS: list[dict[str, Any]] = [
    {
        "name": "search_tools",
        "title": "Find tools of the studio",
        "description": (
            "Find tools for a task. Returns the best matches first; the first two include their parameters. Search for "
            "a tool's name to see its parameters. "
            'Example: {"query": "store a midi file"}'
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "A few words."},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 20,
                    "default": 5,
                    "description": "How many tools to return.",
                },
            },
            "required": ["query"],
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    },
    {
        "name": "call_tool",
        "title": "Call a tool of the studio",
        "description": 'Call a tool that search_tools found. Example: {"name": "list_midi", "arguments": {"limit": 5}}',
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Name of the tool."},
                "arguments": {"type": "object", "description": "Its parameters.", "default": {}},
            },
            "required": ["name"],
        },
        "annotations": {"openWorldHint": False},
    },
]


def check_known_arguments(name: str, arguments: dict[str, Any]) -> None:
    """Raise InvalidInput if search_tools or call_tool gets an unknown argument. Services check their own tools."""
    known = next(list(tool["inputSchema"]["properties"]) for tool in META_TOOLS if tool["name"] == name)
    unknown = next((each for each in arguments if each not in known), None)
    if unknown is not None:
        message = f"{name} has no field {unknown[:80]!r}. It has {' and '.join(known)}."
        raise InvalidInput(message, field=unknown[:80], suggestions=known)


class ToolSearch:
    """BM25 index of the tools, by the stems of words, with weights for the parts of a tool."""

    def __init__(self, catalogue: list[ToolDefinition]) -> None:
        self._tools = catalogue
        self._weights = [_weights_of_words(tool) for tool in catalogue]
        self._lengths = [sum(weights.values()) for weights in self._weights]
        self._mean_length = sum(self._lengths) / max(len(catalogue), 1)
        self._containing = Counter(word for weights in self._weights for word in weights)

    def find(self, arguments: dict[str, Any]) -> dict[str, Any]:
        check_known_arguments("search_tools", arguments)
        query, limit = arguments.get("query"), arguments.get("limit", 5)
        wanted = words(query) if isinstance(query, str) else []
        if not wanted:
            raise InvalidInput(
                "'query' is missing. Say in a few words what you want to do, for example: transpose a file.",
                field="query",
            )
        if not isinstance(limit, int) or not 1 <= limit <= 20:
            raise InvalidInput(
                f"'limit' must be a whole number from 1 to 20, not {format_value(limit)}.", field="limit"
            )
        scores = [(self._score(index, wanted), index) for index in range(len(self._tools))]
        best = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))[:limit]
        found = [self._tools[index] for _, index in best]
        whole = [tool.as_mcp() for tool in found[:_SHOWN_COMPLETELY]]
        return {
            "tools": whole + [_short_form(tool) for tool in found[_SHOWN_COMPLETELY:]],
            "total_tools": len(self._tools),
        }

    def _score(self, index: int, wanted: list[str]) -> float:
        score = 0.0
        for word in set(wanted):
            by_synonym = max((self._score_of_word(index, each) for each in synonyms(word)), default=0.0)
            score += max(self._score_of_word(index, word), _SYNONYM_WEIGHT * by_synonym)
        return score

    def _score_of_word(self, index: int, word: str) -> float:
        weight, containing = self._weights[index].get(word, 0.0), self._containing[word]
        rarity = math.log(1 + (len(self._tools) - containing + 0.5) / (containing + 0.5))
        length = 1 - _B + _B * self._lengths[index] / self._mean_length
        return rarity * weight * (_K1 + 1) / (weight + _K1 * length)


def _short_form(tool: ToolDefinition) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.summary}


def _weights_of_words(tool: ToolDefinition) -> dict[str, float]:
    """Return how much each word counts for a tool."""
    weights: dict[str, float] = {}
    for text, weight in (
        (f"{tool.name} {tool.title}", _NAME_WEIGHT),
        (f"{tool.description} {tool.toolset}", _DESCRIPTION_WEIGHT),
        (" ".join(_texts_of_fields(tool.input_schema)), _PARAMETER_WEIGHT),
    ):
        for word in words(text):
            weights[word] = weights.get(word, 0) + weight
    return weights


def _texts_of_fields(schema: JsonSchema) -> Iterator[str]:
    """Yield the names and descriptions of the fields of a schema, those of inner objects too."""
    for name, field in schema.get("properties", {}).items():
        yield f"{name} {field.get('description', '')}"
        yield from _texts_of_fields(field)
        yield from _texts_of_fields(field.get("items", {}))
