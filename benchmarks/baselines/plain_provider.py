"""The baseline of `consort bench gateway`: fastmcp's OpenAPI provider over a spec, as its documentation shows it.

Run as `plain_provider.py stdio|http`; the service, its spec and its token are named in the environment. It checks no
token, keeps no metrics and logs nothing a call: it has every advantage.
"""

import json
import os
import sys
from pathlib import Path

import httpx2
from fastmcp import FastMCP
from fastmcp.server.providers.openapi import OpenAPIProvider

from consort_kit.serve import end_with_launcher


def main(transport: str) -> None:
    client = httpx2.AsyncClient(
        base_url=os.environ["SERVICE_URL"], headers={"Authorization": f"Bearer {os.environ['CONSORT_TOKEN']}"}
    )
    spec = json.loads(Path(os.environ["SPEC"]).read_text(encoding="utf-8"))
    server = FastMCP[None]("plain")
    server.add_provider(OpenAPIProvider(spec, client))
    if transport == "stdio":
        server.run("stdio", show_banner=False, log_level="WARNING")
    else:
        end_with_launcher()
        port = int(os.environ["CONSORT_PORT"])
        server.run("http", show_banner=False, log_level="WARNING", port=port)


if __name__ == "__main__":
    main(sys.argv[1])
