"""The rules of the MCP registry for `server.json` (format 2025-12-11), for the fields that we use.

They are written after the published schema, which is not in any package. Unlike there, a field without a rule here is
rejected, so that a new field gets its rule. A version must be an exact one, and a bundle (`mcpb`) needs its hash:
the published schema only says so in its descriptions.
"""

from typing import Any

SCHEMA_ADDRESS = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_EXACT_VERSION = r"^(?!latest$)[^\^~<>=*]+$"

_PACKAGE = {
    "type": "object",
    "required": ["registryType", "identifier", "transport", "fileSha256"],
    "additionalProperties": False,
    "properties": {
        "registryType": {"const": "mcpb"},
        "identifier": {"type": "string", "pattern": r"^https://\S+$"},
        "fileSha256": {"type": "string", "pattern": "^[a-f0-9]{64}$"},
        "transport": {
            "type": "object",
            "required": ["type"],
            "additionalProperties": False,
            "properties": {"type": {"const": "stdio"}},
        },
    },
}

ENTRY_SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["$schema", "name", "description", "version"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": SCHEMA_ADDRESS},
        "name": {"type": "string", "minLength": 3, "maxLength": 200, "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "maxLength": 255, "pattern": _EXACT_VERSION},
        "packages": {"type": "array", "items": _PACKAGE},
    },
}
