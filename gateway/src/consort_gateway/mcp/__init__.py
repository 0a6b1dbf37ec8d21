"""Serve tools, resources and prompts over MCP.

- `server`: lists the tools and forwards calls
- `reference_handlers`: handles resources, prompts and completion
- `instructions`: the text about the studio that an assistant gets when it connects
- `results`: turns the answer of a service into an MCP result
- `stdio`: MCP over stdin and stdout
- `client_sessions`: finds out which client an HTTP request comes from
- `transport_errors`: gives our form to errors of the MCP transport
"""
