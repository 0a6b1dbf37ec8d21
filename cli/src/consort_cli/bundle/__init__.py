"""The MCP bundle (`.mcpb`): one file that a desktop assistant installs with a click.

- `contents`: the files of a bundle, and the reproducible zip archive
- `manifest`: what the bundle says of itself, and the entry for a registry of MCP servers
- `extras`: what the first start installs besides packages
- `start`: the program inside the bundle, which installs Consort beside itself and becomes `consort mcp`

A bundle of type `uv` has no packages in it. The assistant runs `start.py` with uv, which provides Python; the start
program installs the hashed locks with Consort's own installer, so a bundle has exactly the packages of a checkout.
"""
