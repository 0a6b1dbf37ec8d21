"""The parts of the audio service that store files, in the process of the test."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from consort_audio.files.children import AudioChildren
from consort_audio.files.derived import DerivedFiles
from consort_audio.files.library import AudioLibrary
from consort_audio.files.segments import AudioSegments
from consort_audio.files.service import AudioFileService
from consort_audio.files.store import AudioRow, AudioStore
from consort_audio.files.uploads import UploadRequest, Uploads
from consort_audio.settings import AudioSettings
from consort_kit.http.signed_links import Links
from consort_kit.jobs.service import JobService
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.postgres import Database


class FileParts:
    """The parts of the service that store files, with a list of the takes that they announce."""

    def __init__(self, settings: AudioSettings, database: Database) -> None:
        self.settings, self.data, self.store = settings, settings.data, AudioStore(database)
        self.announced: list[str] = []
        self.blobs, self.converters = Blobs(settings), AudioChildren(1)
        store, links, children, jobs = self.store, Links(settings), AudioChildren(1), JobService(database, 1)
        self.library = AudioLibrary(store, self.blobs, links, children, settings)
        self.derived = DerivedFiles(self.library, self.blobs, children, self.converters)
        self.uploads = Uploads(store, self.library, links, settings, self._on_new_take)
        self.segments = AudioSegments(self.library, children, jobs)
        self.files = AudioFileService(
            store, self.library, self.uploads, jobs, settings, self._on_new_take, self._no_analyses
        )

    async def _on_new_take(self, row: AudioRow) -> None:
        self.announced.append(row.id)

    async def _no_analyses(self, sha256: str) -> dict[str, Any]:
        return {}

    async def upload(self, content: bytes, recording_id: str | None = None) -> AudioRow:
        """Upload a file in one request."""
        link = await self.uploads.open("take", recording_id=recording_id)
        request = UploadRequest(None, len(content), None, None, body_of(content))
        state = await self.uploads.receive(link.audio_file_id, request)
        assert state.row is not None
        return state.row


async def body_of(content: bytes) -> AsyncIterator[bytes]:
    """Yield the body of a request."""
    yield content


RunWithParts = Callable[[Callable[[FileParts], Awaitable[None]]], None]
"""Runs a test with the parts."""
