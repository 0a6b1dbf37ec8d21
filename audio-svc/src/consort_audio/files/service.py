"""Store, describe, list and delete audio files."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from consort_audio.files.library import EXAMPLE_NAME, UNTITLED, AudioLibrary, too_many_bytes
from consort_audio.files.models import (
    AudioInfo,
    AudioList,
    AudioListItem,
    DeleteAudio,
    DeletedAudio,
    GetAudioInfo,
    ListAudio,
    StoreAudio,
    StoredAudio,
)
from consort_audio.files.store import AudioRow, AudioStore
from consort_audio.files.time_ranges import shown_seconds
from consort_audio.files.uploads import OnNewTake, Uploads
from consort_audio.settings import AudioSettings
from consort_kit.data_folder import make_private_folder
from consort_kit.errors import InvalidInput, NotFound
from consort_kit.ids import new_id
from consort_kit.jobs.models import JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_kit.storage.disk_errors import disk_errors
from consort_kit.storage.file_names import check_name
from consort_kit.storage.path_sandbox import Sandbox
from consort_kit.tools.base64_text import decode_base64
from consort_kit.tools.cursor import first_page, read_cursor

KIND = "store"
QUICK_BYTES = 8 * 1024 * 1024
"""Files up to this size are checked within seconds. Larger ones may take minutes, so that they need a job."""
FOLDERS = ("import", "export")
"""The folders of the data folder from which audio is stored."""

FindAnalyses = Callable[[str], Awaitable[dict[str, Any]]]
"""Returns the analyses that are ready for the file with this SHA-256."""


class AudioFileService:
    def __init__(
        self,
        store: AudioStore,
        library: AudioLibrary,
        uploads: Uploads,
        jobs: JobService,
        settings: AudioSettings,
        on_new_take: OnNewTake,
        find_analyses: FindAnalyses,
    ) -> None:
        self._store = store
        self._library = library
        self._uploads = uploads
        self._jobs = jobs
        self._settings = settings
        self._on_new_take = on_new_take
        self._find_analyses = find_analyses
        for folder in FOLDERS:
            make_private_folder(settings.data / folder)
        self._sandbox = Sandbox(settings.data, FOLDERS, EXAMPLE_NAME)
        jobs.register(KIND, self._run, self._answer, "store_audio")

    async def store(self, request: StoreAudio) -> StoredAudio | JobTicket:
        """Store a file, or return the ticket of a job that is not finished in time."""
        name = check_name(request.name, "name", EXAMPLE_NAME) if request.name is not None else None
        if request.upload_link:
            link = await self._uploads.open(name)
            return StoredAudio(
                audio_file_id=link.audio_file_id, name=name, upload_url=link.url, expires_at=link.expires_at
            )
        if request.base64 is not None:
            row = await self._store_base64(request.base64, name)
            await self._on_new_take(row)
            return self.describe(row)
        assert request.path is not None
        parameters = {"audio_file_id": new_id("audio"), "path": request.path, "name": name}
        if await self._size_of(request.path) <= QUICK_BYTES:
            return StoredAudio(**await self._answer(await self._store_path(parameters)))
        job = await self._jobs.submit(KIND, parameters)
        answer = await self._jobs.outcome(job, request.wait_s)
        return StoredAudio(**answer) if answer is not None else job_ticket(await self._jobs.wait(job.id, 0))

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Do the work of a job and return its result. If the job was done before, return the same result."""
        return await self._store_path(parameters)

    async def _answer(self, result: dict[str, Any]) -> dict[str, Any]:
        row = await self._library.row(result["audio_file_id"])
        return self.describe(row).model_dump(exclude_none=True)

    async def _store_base64(self, text: str, name: str | None) -> AudioRow:
        limit = self._settings.audio_base64_max_bytes
        if len(text) * 3 // 4 > limit + 2:
            error = too_many_bytes(limit)
            error.body.field = "base64"
            error.body.suggestions.insert(0, "upload_link: true, or a path")
            raise error
        content = decode_base64(text, "or use upload_link")
        file = self._library.temporary_path(".base64")
        try:
            with disk_errors():
                await asyncio.to_thread(file.write_bytes, content)
            return await self._add(file, name or UNTITLED, "base64")
        finally:
            file.unlink(missing_ok=True)

    async def _size_of(self, path: str) -> int:
        with _path_errors():
            return await asyncio.to_thread(self._sandbox.size, path)

    async def _store_path(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Store a file by its path, unless this was done before, and return its id."""
        file_id, path, name = parameters["audio_file_id"], parameters["path"], parameters["name"]
        file = self._library.temporary_path(".path")
        try:
            row = await self._library.row_if_exists(file_id)
            if row is None:
                with _path_errors():
                    await asyncio.to_thread(self._sandbox.copy, path, file, self._settings.audio_max_bytes)
                row = await self._add(file, name or PurePosixPath(path).name, "path", file_id)
        finally:
            file.unlink(missing_ok=True)
        await self._on_new_take(row)
        return {"audio_file_id": row.id}

    async def _add(self, file: Path, name: str, field: str, file_id: str | None = None) -> AudioRow:
        """Add a file that the user has given in `field`."""
        try:
            return await self._library.add(file, name, "upload", {}, file_id=file_id)
        except InvalidInput as error:
            error.body.field = error.body.field or field
            raise

    def describe(self, row: AudioRow) -> StoredAudio:
        """Return the result that describes a stored file."""
        links = self._library.links(row)
        return StoredAudio(
            audio_file_id=row.id,
            name=row.name,
            duration=shown_seconds(row.duration),
            sample_rate=row.sample_rate,
            channels=row.channels,
            format=row.format,
            file_size_bytes=row.bytes,
            listen_url=links.listen_url,
            download_url=links.download_url(),
        )

    async def get(self, request: GetAudioInfo) -> AudioInfo:
        row = await self._library.row(request.audio_file_id)
        links = self._library.links(row)
        return AudioInfo(
            audio_file_id=row.id,
            name=row.name,
            kind=row.kind,
            duration=shown_seconds(row.duration),
            sample_rate=row.sample_rate,
            channels=row.channels,
            format=row.format,
            file_size_bytes=row.bytes,
            loudness=None if row.loudness is None else round(row.loudness, 2),
            peak=None if row.peak_db is None else round(row.peak_db, 2),
            origin=_shown_origin(row.origin) or None,
            created_at=row.created_at,
            listen_url=links.listen_url,
            download_url=links.download_url(request.download_format),
            analyses=await self._find_analyses(row.sha256) or None,
        )

    async def page(self, request: ListAudio) -> AudioList:
        before = read_cursor(request.cursor, "list_audio") if request.cursor else None
        rows = await self._store.newest(request.limit + 1, before, request.name_contains, request.kind)
        page, next_cursor = first_page(rows, request.limit, lambda row: (row.created_at, row.id))
        items = [
            AudioListItem(
                audio_file_id=row.id,
                name=row.name,
                kind=row.kind,
                duration=shown_seconds(row.duration),
                file_size_bytes=row.bytes,
                created_at=row.created_at,
            )
            for row in page
        ]
        return AudioList(items=items, next_cursor=next_cursor)

    async def delete(self, request: DeleteAudio) -> DeletedAudio:
        row = await self._library.row(request.audio_file_id)
        await self._library.delete(row)
        return DeletedAudio(audio_file_id=row.id, name=row.name)


def _shown_origin(origin: dict[str, Any]) -> dict[str, Any]:
    """Return what users see of a file's origin: ids, the times of a segment, and the options of a render."""
    shown = {name: value for name, value in origin.items() if name.endswith(("_id", "_time")) and value is not None}
    return {**shown, **origin.get("shown", {})}


@contextmanager
def _path_errors() -> Iterator[None]:
    """Suggest an upload link if there is no file at a path."""
    try:
        yield
    except NotFound as error:
        error.body.suggestions = [*error.body.suggestions[:1], "or use upload_link: true"]
        raise
