"""What the tests of the gateway share: real servers, and a service that stands in for midi-store."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import pytest
import uvicorn
from fastapi import APIRouter, FastAPI, Header, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse
from starlette.types import ASGIApp

from consort_gateway.settings import GatewaySettings
from consort_kit import logs
from consort_kit.app import create_app
from consort_kit.errors import AlreadyExists
from consort_kit.models import ToolInput, ToolOutput
from consort_kit.services import SERVICES
from consort_kit.settings import Settings
from consort_kit.tool import ClientId, tool, tool_router

TOKEN = "secret-token"


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serves an app on a port of this machine (a free one, or the one given) and answers its address."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def serve(app: ASGIApp, port: int = 0) -> str:
        listener = socket.create_server(("127.0.0.1", port))  # takes connections before the server looks at them
        config = uvicorn.Config(
            app, log_config=None, lifespan="on", ws="none", access_log=False, timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield serve
    for server, thread in reversed(running):  # those that ask before those that are asked
        server.should_exit = True
        thread.join()


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class ListMidi(ToolInput):
    limit: int = Field(20, ge=1, le=100)
    cursor: str | None = None


class Listed(ToolOutput):
    items: list[str]
    request_id: str | None
    client: str | None = None


class GetMidi(ToolInput):
    path: str
    include_base64: bool = False


class StoreMidi(ToolInput):
    name: str
    base64: str | None = None


@dataclass
class StandIn:
    """A service with the names of midi-store's tools, which does what a test needs."""

    go_on: threading.Event = field(default_factory=threading.Event)
    reader_left: threading.Event = field(default_factory=threading.Event)
    uploads: list[tuple[str, bytes, str | None]] = field(default_factory=list)
    answers: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """For get_midi, by path: media type and bytes."""

    def app(self, data: Path) -> FastAPI:
        return create_app("midi-store", "Stands in.", [self._router()], settings=Settings(data=data, token=TOKEN))

    def _router(self) -> APIRouter:
        router = tool_router()

        @tool(router, title="List", toolset="midi", effect="read")
        async def list_midi(body: ListMidi, client: ClientId) -> Listed:
            """Lists, and says who asked."""
            return Listed(items=["♪"] * body.limit, request_id=logs.request_id(), client=client)

        @tool(router, title="Get", toolset="midi", effect="read")
        async def get_midi(body: GetMidi) -> Response:
            """Answers whatever the test prepared."""
            kind, content = self.answers[body.path]
            return Response(content, media_type=kind)

        @tool(router, title="Store", toolset="midi", effect="write")
        async def store_midi(body: StoreMidi) -> Listed:
            """Refuses."""
            raise AlreadyExists(
                f"a file named {body.name!r} is stored already",
                field="name",
                suggestions=["another name"],
                details={"midi_file_id": "midi_7"},
                partial_result={"bytes": 3},
            )

        @router.get("/files/{name:path}")
        async def download(name: str, part: Annotated[str | None, Header(alias="range")] = None) -> Response:
            if name == "endless":
                return StreamingResponse(self._endless(), media_type="audio/midi", headers={"X-Inner": "1"})
            headers = {"Content-Disposition": "attachment", "ETag": '"7"', "X-Inner": "1"}
            if part:
                return Response(part.encode(), 206, {**headers, "Content-Range": "bytes 0-1/9"}, "audio/midi")
            return Response(name.encode(), headers=headers, media_type="audio/midi")

        @router.put("/files/{name:path}")
        async def upload(request: Request, name: str) -> Listed:
            content = b"".join([part async for part in request.stream()])
            self.uploads.append((f"{name}?{request.url.query}", content, request.headers.get("content-type")))
            return Listed(items=[name], request_id=None)

        return router

    async def _endless(self) -> AsyncIterator[bytes]:
        try:
            yield b"first part"
            await asyncio.to_thread(self.go_on.wait, 20)
            while True:
                yield bytes(100_000)
                await asyncio.sleep(0.001)  # as one that reads a disk would: the server must see the reader go
        finally:
            self.reader_left.set()


@pytest.fixture
def stand_in() -> StandIn:
    return StandIn()


@pytest.fixture
def settings(tmp_path: Path, stand_in: StandIn, serve: Callable[..., str]) -> GatewaySettings:
    """Of a gateway whose midi-store is the one that stands in, and whose other services are down."""
    down = dict.fromkeys(SERVICES, "http://127.0.0.1:9")  # nothing listens there
    urls = {**down, "midi-store": serve(stand_in.app(tmp_path / "midi-store"))}
    return GatewaySettings(data=tmp_path / "data", token=TOKEN, service_urls=urls, start_wait_s=20)
