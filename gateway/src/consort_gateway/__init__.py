"""The gateway: the studio's tools over MCP, signed links for browsers, and the documentation pages.

It uses the low-level server of the official `mcp` package. Each of our tools is one POST with a JSON body, so a general
translator from OpenAPI is not needed, and importing one takes a second longer (`consort bench gateway` compares with
fastmcp). Over HTTP the gateway keeps no sessions, so clients do not notice a restart.

- `settings`: the gateway's settings
- `tools/`: the definitions of all tools
- `service_calls`: sends a call to its service, and waits while the service starts
- `guides`: loads the guides of the folder `skills`
- `resources/`: what can be attached to a conversation, read through the services
- `prompts/`: jobs that a user starts by name, made from the guides
- `mcp/`: serves tools, resources and prompts, over HTTP or stdio
- `routes/`: pages, signed links and documentation for a browser
- `host_check`: checks the headers Host and Origin
- `app`: MCP over HTTP, and the routes
"""
