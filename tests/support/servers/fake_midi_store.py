"""A service with the names of midi-store's tools, for tests of the gateway. It returns what a test has prepared."""

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Header, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse

from consort_kit import logs
from consort_kit.errors import AlreadyExists
from consort_kit.http.app import create_app
from consort_kit.settings import Settings
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import ClientId, tool, tool_router

TOKEN = "secret-token-of-tests"


class FakeListInput(ToolInput):
    limit: int = Field(20, ge=1, le=100)
    cursor: str | None = None


class FakeListing(ToolOutput):
    items: list[str]
    request_id: str | None
    client: str | None = None


class FakeGetInput(ToolInput):
    path: str
    include_base64: bool = False


class FakeStoreInput(ToolInput):
    name: str
    base64: str | None = None


@dataclass
class FakeMidiStore:
    """Tools and routes with the names of midi-store's, controlled by the test."""

    go_on: threading.Event = field(default_factory=threading.Event)
    """Set by the test: the download `endless` continues after its first part."""
    reader_left: threading.Event = field(default_factory=threading.Event)
    """Set when the reader of the download `endless` has disconnected."""
    uploads: list[tuple[str, bytes, str | None]] = field(default_factory=list)
    answers: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """The media type and the bytes that get_midi returns, by path."""

    def app(self, data: Path) -> FastAPI:
        return create_app("midi-store", "For tests.", [self._router()], settings=Settings(data=data, token=TOKEN))

    def _router(self) -> APIRouter:
        router = tool_router()

        @tool(router, title="List", toolset="midi", effect="read")
        async def list_midi(body: FakeListInput, client: ClientId) -> FakeListing:
            """Return a list and the id of the calling client."""
            return FakeListing(items=["♪"] * body.limit, request_id=logs.request_id(), client=client)

        @tool(router, title="Get", toolset="midi", effect="read")
        async def get_midi(body: FakeGetInput) -> Response:
            """Return what the test has prepared."""
            kind, content = self.answers[body.path]
            return Response(content, media_type=kind)

        @tool(router, title="Store", toolset="midi", effect="write")
        async def store_midi(body: FakeStoreInput) -> FakeListing:
            """Fail with ALREADY_EXISTS."""
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
        async def upload(request: Request, name: str) -> FakeListing:
            content = b"".join([part async for part in request.stream()])
            self.uploads.append((f"{name}?{request.url.query}", content, request.headers.get("content-type")))
            return FakeListing(items=[name], request_id=None)

        return router

    async def _endless(self) -> AsyncIterator[bytes]:
        try:
            yield b"first part"
            await asyncio.to_thread(self.go_on.wait, 20)
            while True:
                yield bytes(100_000)
                await asyncio.sleep(
                    0.001
                )  # like reading a disk: the server must notice that the reader has disconnected
        finally:
            self.reader_left.set()
