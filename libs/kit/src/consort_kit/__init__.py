"""The frame that every Consort service stands on. It knows HTTP, errors, ids and storage, and not one note of music."""

API_VERSION = "0.2.0"
"""The version of the whole surface: in `X-API-Version`, in MCP results, in every spec. As in every pyproject.toml."""
