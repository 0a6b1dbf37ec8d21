"""Every file that a user uploads or records is announced once for its analyses; renders and segments are not."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from consort_audio.files.children import AudioChildren
from consort_audio.files.library import AudioLibrary
from consort_audio.files.models import SegmentAudio, StoreAudio, StoredAudio
from consort_audio.files.part_file import lock_part_file
from consort_audio.files.segments import AudioSegments
from consort_audio.files.service import AudioFileService
from consort_audio.files.store import AudioRow, AudioStore
from consort_audio.files.uploads import UploadRequest, Uploads, UploadState
from consort_audio.jobs.service import JobService
from consort_audio.settings import AudioSettings
from consort_kit.errors import AlreadyExists
from consort_kit.http.signed_links import Links
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.postgres import Database, open_database
from tests.support.audio_files import as_base64, sine, wav_bytes
from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres

TAKE = wav_bytes(sine(440, 0.5))


class FileParts:
    """The parts of the service that store files, with a list of the takes that they announce."""

    def __init__(self, settings: AudioSettings, database: Database) -> None:
        self.data = settings.data
        self.announced: list[str] = []
        store, jobs = AudioStore(database), JobService(database, 1)
        links, blobs, children = Links(settings), Blobs(settings), AudioChildren(2)
        self.library = AudioLibrary(store, blobs, links, children, settings)
        self.uploads = Uploads(store, self.library, links, settings, self._on_new_take)
        self.segments = AudioSegments(self.library, children, jobs)
        self.files = AudioFileService(
            store, self.library, self.uploads, jobs, settings, self._on_new_take, self._no_analyses
        )

    async def _on_new_take(self, row: AudioRow) -> None:
        self.announced.append(row.id)

    async def _no_analyses(self, sha256: str) -> dict[str, Any]:
        return {}

    async def upload(self, recording_id: str | None = None) -> AudioRow:
        link = await self.uploads.open("take", recording_id=recording_id)
        state = await self.uploads.receive(link.audio_file_id, UploadRequest(None, len(TAKE), None, None, _body(TAKE)))
        assert state.row is not None
        return state.row


async def _body(content: bytes) -> AsyncIterator[bytes]:
    yield content


@pytest.fixture
def run_with_parts(
    audio: AudioService, postgres: ExternalPostgres, tmp_path: Path
) -> Callable[[Callable[[FileParts], Awaitable[None]]], None]:
    """Return a function that runs a test with the parts. The tables are those of the running service."""
    settings = AudioSettings(data=tmp_path, token="secret-token", database_url=postgres.url)

    @asynccontextmanager
    async def opened() -> AsyncIterator[FileParts]:
        async with open_database(settings, "audio", "consort_audio.migrations") as database:
            yield FileParts(settings, database)

    def run(work: Callable[[FileParts], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with opened() as parts:
                await work(parts)

        asyncio.run(asyncio.wait_for(inside(), 120))

    return run


def test_uploads_are_announced_once_and_segments_and_renders_never(
    run_with_parts: Callable[[Callable[[FileParts], Awaitable[None]]], None],
) -> None:
    async def work(parts: FileParts) -> None:
        stored = await parts.files.store(StoreAudio(base64=as_base64(TAKE)))
        uploaded = await parts.upload()
        assert isinstance(stored, StoredAudio)
        assert parts.announced == [stored.audio_file_id, uploaded.id]
        await parts.segments.cut(SegmentAudio(audio_file_id=uploaded.id, end_time=0.2))
        render = parts.library.temporary_path(".wav")
        render.write_bytes(TAKE)
        await parts.library.add(render, "render", "render", {"midi_file_id": "midi_1"})
        assert not render.exists() and len(parts.announced) == 2

    run_with_parts(work)


def test_a_recording_is_completed_and_announced(
    run_with_parts: Callable[[Callable[[FileParts], Awaitable[None]]], None],
) -> None:
    async def work(parts: FileParts) -> None:
        completed: list[tuple[str, str]] = []

        async def complete(recording_id: str, row: AudioRow) -> None:
            if completed:
                raise AlreadyExists("This recording has been made already.")
            completed.append((recording_id, row.id))

        parts.uploads.on_recording = complete
        row = await parts.upload("rec_1")
        assert (row.kind, row.origin) == ("recording", {"recording_id": "rec_1"})
        assert completed == [("rec_1", row.id)] and parts.announced == [row.id]
        with pytest.raises(AlreadyExists):
            await parts.upload("rec_1")
        assert parts.announced == [row.id]
        assert [path.parent.name for path in (parts.data / "audio").rglob("*.wav")] == [row.id]
        assert list((parts.data / "uploads").iterdir()) == []

    run_with_parts(work)


def test_a_question_while_another_process_checks_the_complete_file(
    run_with_parts: Callable[[Callable[[FileParts], Awaitable[None]]], None],
) -> None:
    async def work(parts: FileParts) -> None:
        file_id = (await parts.uploads.open("take")).audio_file_id
        head = UploadRequest(f"bytes 0-99/{len(TAKE)}", 100, None, None, _body(TAKE[:100]))
        assert (await parts.uploads.receive(file_id, head)).received == 100
        other_process = await lock_part_file(parts.library.part_path(file_id), 0)
        assert other_process is not None
        await other_process.append(TAKE[100:])
        question = UploadRequest(f"bytes */{len(TAKE)}", 0, None, None, _body(b""))
        assert await parts.uploads.receive(file_id, question) == UploadState(len(TAKE))
        other_process.close()  # as if it had died
        row = (await parts.uploads.receive(file_id, question)).row
        assert row is not None and row.bytes == len(TAKE)

    run_with_parts(work)
