"""Receive uploaded files: in one request, or in pieces, which may continue after an interruption or a restart.

The bytes so far are in a part file. When all have arrived, the library checks the file and stores it. This goes on even
if the client disconnects: a later request to the same link gets the outcome. If the file cannot be used, its bytes are
deleted, and the link works for another file.
"""

import asyncio
import hashlib
import os
import shutil
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from consort_audio.files.content_range import UploadRange, read_content_range
from consort_audio.files.library import LINK_LIFETIME_S, UNTITLED, AudioLibrary, too_many_bytes
from consort_audio.files.part_file import PartFile, lock_part_file
from consort_audio.files.store import AudioRow, AudioStore, UploadRow
from consort_audio.settings import AudioSettings
from consort_kit import logs
from consort_kit.errors import AlreadyExists, Conflict, InvalidInput, NotFound, TimedOut, TooLarge
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id

CHECK_WAIT_S = 45.0
"""How long a request waits for the check of a complete file. Afterwards the client has to ask again."""
SILENCE_S = 60.0
"""How long a request waits for the next bytes of a client."""
_WRITTEN_BYTES = 1024 * 1024

OnNewTake = Callable[[AudioRow], Awaitable[None]]
OnRecording = Callable[[str, AudioRow], Awaitable[None]]
"""Called with a recording_id and its file when the upload of a recording is complete. It may be called twice."""


@dataclass(frozen=True)
class UploadLink:
    audio_file_id: str
    url: str
    expires_at: datetime


@dataclass(frozen=True)
class UploadRequest:
    """What a request to an upload link brings."""

    content_range: str | None
    content_length: int | None
    file_name: str | None
    sender: str | None
    """Any text by which a client that sends pieces names itself and its file."""
    body: AsyncIterable[bytes]


@dataclass(frozen=True)
class UploadState:
    """The state of an upload: `row` is the file when it is complete."""

    received: int
    row: AudioRow | None = None


@dataclass(frozen=True)
class _Check:
    """The running check of a complete file. It is kept until a request has got its outcome."""

    task: asyncio.Task[AudioRow]
    size: int


class Uploads:
    def __init__(
        self, store: AudioStore, library: AudioLibrary, links: Links, settings: AudioSettings, on_new_take: OnNewTake
    ) -> None:
        """Make the uploads. `on_new_take` is called for each file that a user has uploaded or recorded."""
        self._store = store
        self._library = library
        self._links = links
        self._max_bytes = settings.audio_max_bytes
        self._max_duration_s = settings.audio_max_duration_s
        self._on_new_take = on_new_take
        self.on_recording: OnRecording | None = None
        self._checks: dict[str, _Check] = {}

    async def open(
        self, name: str | None, *, max_duration_s: float | None = None, recording_id: str | None = None
    ) -> UploadLink:
        """Return a link to which one file can be uploaded. Without a name, the file keeps the one of the client."""
        await self.delete_expired()
        file_id = new_id("audio")
        logs.add_ids(audio_file_id=file_id)
        query = {"name": name} if name else {}
        link = self._links.make("audio", f"/uploads/{file_id}", query, method="PUT", lifetime_s=LINK_LIFETIME_S)
        await self._store.open_upload(
            file_id,
            name or "",
            recording_id,
            self._max_duration_s if max_duration_s is None else max_duration_s,
            link.expires_at + timedelta(minutes=10),
        )
        return UploadLink(file_id, link.url, link.expires_at)

    async def delete_expired(self) -> None:
        """Delete the bytes of uploads that were not completed in time."""
        for file_id in await self._store.delete_expired_uploads():
            self._library.part_path(file_id).unlink(missing_ok=True)

    async def finish_stored(self) -> None:
        """Finish the uploads that a crash interrupted after their file was stored."""
        for upload in await self._store.stored_uploads():
            row = await self._library.row_if_exists(upload.id)
            if row is not None:
                with suppress(AlreadyExists):  # its recording has another take
                    await self._finish(upload, row)

    async def receive(self, file_id: str, request: UploadRequest) -> UploadState:
        """Receive a file, a piece of it, or a question for the state of its upload."""
        logs.add_ids(audio_file_id=file_id)
        place = read_content_range(request.content_range) if request.content_range is not None else None
        total = place.total if place else request.content_length
        if total is not None and total > self._max_bytes:
            raise too_many_bytes(self._max_bytes)
        check = self._checks.get(file_id)
        if check is not None:
            if place is not None and place.total == check.size:
                return await self._outcome(file_id, check)
            await asyncio.wait({check.task}, timeout=CHECK_WAIT_S)
        if (found := await self._stored(file_id, place, request)) is not None:
            return found
        path = self._library.part_path(file_id)
        if place is not None and place.start is None and not path.exists():
            return UploadState(0)
        part = await lock_part_file(path)
        is_held = True
        try:
            if (found := await self._stored(file_id, place, request)) is not None:  # by a request that had the lock
                path.unlink()
                return found
            if place is None:
                received, is_complete = await self._write_all(part, file_id, request), True
            else:
                received = await self._write_piece(part, file_id, place, request)
                is_complete = received == place.total
            if not is_complete:
                return UploadState(received)
            check = _Check(asyncio.create_task(self._check(part, file_id, request.file_name)), received)
            self._checks[file_id], is_held = check, False
        except (InvalidInput, TooLarge, NotFound, AlreadyExists):
            await self._discard(file_id)
            raise
        finally:
            if is_held:
                part.close()
        return await self._outcome(file_id, check)

    async def _stored(self, file_id: str, place: UploadRange | None, request: UploadRequest) -> UploadState | None:
        """Return the state of an upload whose file is stored, or None if bytes are still missing.

        Raise NotFound if there is no such upload, and AlreadyExists if the request brings another file.
        """
        upload, row = await self._store.upload(file_id), await self._library.row_if_exists(file_id)
        if row is None:
            if upload is None or upload.expires_at < datetime.now(UTC):
                raise NotFound("This upload has expired or does not exist. Ask for a new upload link.")
            return None
        if upload is not None:
            await self._finish(upload, row)
        await self._check_same(row, place, request)
        return UploadState(row.bytes, row)

    async def _write_all(self, part: PartFile, file_id: str, request: UploadRequest) -> int:
        """Receive a whole file. Return its size."""
        await part.cut_to(0)
        await self._store.begin_upload(file_id, request.content_length, request.sender)
        await self._append(part, request.body, self._max_bytes)
        await part.flush()
        return part.size

    async def _write_piece(self, part: PartFile, file_id: str, place: UploadRange, request: UploadRequest) -> int:
        """Receive a piece, or a question for the state. Return how many bytes of the client's file have arrived.

        A client that sends the first piece of another file replaces what is there. After that, the pieces of the first
        client are errors, so that two files are never mixed.
        """
        begun = await self._store.upload(file_id)
        is_same = begun is not None and (begun.total_bytes, begun.sender) == (place.total, request.sender)
        received = part.size if is_same else 0
        if place.start is None or place.end is None:
            return received
        if place.start != received:
            raise Conflict(
                f"The next piece must begin at byte {received:,}, not {place.start:,}."
                if is_same or part.size == 0
                else "Another file is being uploaded to this link. Begin again, or ask for a new upload link.",
                suggestions=[f"continue at byte {received}"],
                details={"received": received},
            )
        if not is_same:
            await part.cut_to(0)
            await self._store.begin_upload(file_id, place.total, request.sender)
        await self._append(part, request.body, place.end)
        await part.flush()
        return part.size

    async def _append(self, part: PartFile, body: AsyncIterable[bytes], end: int) -> None:
        """Append a body, up to the size `end`. Raise an error if the body is longer."""
        waiting, size = bytearray(), part.size
        async for content in _without_long_silence(body):
            waiting += content
            if size + len(waiting) > end:
                if end >= self._max_bytes:
                    raise too_many_bytes(self._max_bytes)
                raise InvalidInput(
                    "The body has more bytes than the header 'Content-Range' says. Send only the bytes of the piece.",
                    code="INVALID_CONTENT_RANGE",
                )
            if len(waiting) >= _WRITTEN_BYTES:
                await part.append(bytes(waiting))
                size += len(waiting)
                waiting.clear()
        await part.append(bytes(waiting))

    async def _check(self, part: PartFile, file_id: str, file_name: str | None) -> AudioRow:
        """Add the complete file to the library and finish the upload.

        If the file cannot be used, nothing of it is left. If the studio stops or its storage fails, the bytes stay, so
        that a later request can try again.
        """
        try:
            upload = await self._store.upload(file_id)
            assert upload is not None
            checked = self._library.temporary_path(".upload")
            await asyncio.to_thread(_link_or_copy, part.path, checked)
            row = await self._library.add(
                checked,
                upload.name or file_name or UNTITLED,
                "recording" if upload.recording_id else "upload",
                {"recording_id": upload.recording_id} if upload.recording_id else {},
                file_id=file_id,
                max_duration_s=upload.max_duration_s,
            )
            part.path.unlink()  # before anything else: it may be the same file as the blob
            await self._finish(upload, row)
            return row
        except (InvalidInput, TooLarge):
            await self._discard(file_id)
            raise
        finally:
            part.close()

    async def _finish(self, upload: UploadRow, row: AudioRow) -> None:
        """Do what follows when a file is stored. It is repeated if a crash interrupts it."""
        if upload.recording_id is not None and self.on_recording is not None:
            try:
                await self.on_recording(upload.recording_id, row)
            except AlreadyExists:  # the recording already has another take
                await self._library.delete(row)
                await self._store.close_upload(upload.id)
                raise
        await self._on_new_take(row)
        await self._store.close_upload(upload.id)

    async def _discard(self, file_id: str) -> None:
        """Delete the bytes of an upload. Its link can be used for another file."""
        self._library.part_path(file_id).unlink(missing_ok=True)
        await self._store.begin_upload(file_id, None, None)

    async def _outcome(self, file_id: str, check: "_Check") -> UploadState:
        """Return the outcome of the check of a complete file, or that it still runs."""
        done, _ = await asyncio.wait({check.task}, timeout=CHECK_WAIT_S)
        if not done:
            return UploadState(check.size)
        if self._checks.get(file_id) is check:
            del self._checks[file_id]
        row = check.task.result()
        return UploadState(row.bytes, row)

    async def _check_same(self, row: AudioRow, place: UploadRange | None, request: UploadRequest) -> None:
        """Raise AlreadyExists if a request brings another file than the one that this link has stored."""
        if place is not None:
            is_same = place.total == row.bytes
        elif request.content_length not in (None, row.bytes):
            is_same = False
        else:
            digest, size = hashlib.sha256(), 0
            async for content in _without_long_silence(request.body):
                digest.update(content)
                size += len(content)
                if size > row.bytes:
                    break
            is_same = digest.hexdigest() == row.sha256
        if not is_same:
            raise AlreadyExists(
                f"This upload link was already used for {row.name!r}. Ask for a new upload link.",
                suggestions=["a new upload link"],
                details={"audio_file_id": row.id},
            )


async def _without_long_silence(body: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Yield the parts of a body. Raise TimedOut if the client sends nothing for too long."""
    parts = aiter(body)
    while True:
        try:
            async with asyncio.timeout(SILENCE_S):
                part = await anext(parts)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise TimedOut(f"No bytes arrived for {SILENCE_S:g} s. Continue the upload with the next piece.") from error
        yield part


def _link_or_copy(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where that is not possible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
