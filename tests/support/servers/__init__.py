"""Servers and programs that tests start.

- `studio`: a whole studio with its own data folder and ports, used through the command line and over MCP.
- `storage_servers`: an external Postgres and S3 that can be stopped.
- `mcp_clients`: clients of the official MCP package, connected to a studio.
- `app_servers`: ASGI apps on real ports.
- `fake_midi_store`: a service in place of midi-store, for the tests of the gateway.
- `npm_programs`, `token_proxy`: programs from npm, and a proxy that adds the token for one that cannot send it.
"""
