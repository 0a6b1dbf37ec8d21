"""The baseline of `consort bench gateway`: fastmcp's OpenAPI provider, used as in its documentation.

Run it as `plain_provider.py stdio|http`. The environment gives the service, its OpenAPI specification and its token. It
checks no token, keeps no metrics and logs no calls, which makes it faster.
"""

import json
import os
import sys
from pathlib import Path

import httpx2
from fastmcp import FastMCP
from fastmcp.server.providers.openapi import OpenAPIProvider

from consort_kit.processes.run_service import end_with_launcher


def main(transport: str) -> None:
    client = httpx2.AsyncClient(
        base_url=os.environ["SERVICE_URL"],
        headers={"Authorization": f"Bearer {os.environ['CONSORT_TOKEN']}"},
        # uvicorn closes idle connections after 5 s: a connection reused at that moment would fail between two rounds.
        limits=httpx2.Limits(keepalive_expiry=3.0),
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
