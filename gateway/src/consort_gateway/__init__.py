"""The one door to the studio: MCP tools, signed links and docs."""
