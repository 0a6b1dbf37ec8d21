"""The frame that every Consort service stands on. It knows HTTP, errors, ids and storage, and not one note of music."""

from importlib.metadata import version

API_VERSION = version("consort-kit")
"""The version of the whole surface: in `X-API-Version`, in MCP results, in every spec."""
