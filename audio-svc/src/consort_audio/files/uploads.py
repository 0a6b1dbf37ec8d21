"""Receive uploaded files: in one request, or in pieces, which may continue after an interruption or a restart.

The bytes so far are in a part file, which one request at a time may change. When all have arrived, the library checks
the file and stores it. This goes on even if the client disconnects: a later request to the same link gets the outcome,
also from another process. If the file cannot be used, its bytes are deleted, and the link works for another file.
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
from consort_kit.errors import (
    AlreadyExists,
    Conflict,
    ErrorBody,
    InvalidInput,
    NotFound,
    TimedOut,
    TooLarge,
    error_with_status,
)
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id
from consort_kit.storage.disk_errors import disk_errors

CHECK_WAIT_S = 45.0
"""How long a request waits for the check of a complete file. Afterwards the client has to ask again."""
SILENCE_S = 30.0
"""How long a request waits for the next bytes of a client. A lost connection blocks the upload for this time."""
LOCK_WAIT_S = 3.0
"""How long a request waits for another one that changes the same upload."""
_SENDER = "uploaded_as"
"""The part of a file's origin that keeps the client's name for itself and the file."""
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
        self._checks: dict[str, asyncio.Task[AudioRow]] = {}
        """The running checks of complete files in this process."""

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
        if (check := self._checks.get(file_id)) is not None:
            await asyncio.wait({check}, timeout=CHECK_WAIT_S)
        if (found := await self._ended(file_id, place, request)) is not None:
            return found
        received = await self._received(file_id, place, request)
        is_question = place is not None and place.start is None
        if is_question and received != total:  # without the lock: a lost connection may hold it
            return UploadState(received or 0)
        path = self._library.part_path(file_id)
        part = await lock_part_file(path, 0 if is_question else LOCK_WAIT_S)
        if part is None:
            if is_question:
                return UploadState(received or 0)  # another process checks the complete file
            raise _in_use(received)
        is_held = True
        try:
            try:
                found = await self._ended(file_id, place, request)  # by a request that had the lock
            except (InvalidInput, TooLarge, NotFound, AlreadyExists):
                path.unlink()
                raise
            if found is not None:
                path.unlink()
                return found
            received = await self._write(part, file_id, place, request)
            if place is not None and received != place.total:
                return UploadState(received)
            check = self._start_check(part, file_id, request.file_name)
            is_held = False
        finally:
            if is_held:
                part.close()
        done, _ = await asyncio.wait({check}, timeout=CHECK_WAIT_S)
        return UploadState(received, check.result() if done else None)

    async def _ended(self, file_id: str, place: UploadRange | None, request: UploadRequest) -> UploadState | None:
        """Return the state of an upload whose file is stored, or None if bytes are still missing.

        Raise the error of a file that could not be used, unless the request begins to send a file. Raise NotFound if
        there is no such upload, and AlreadyExists if the request brings another file than the stored one.
        """
        upload, row = await self._store.upload(file_id), await self._library.row_if_exists(file_id)
        if row is not None:
            if upload is not None:
                await self._finish(upload, row)
            await self._check_same(row, place, request)
            return UploadState(row.bytes, row)
        if upload is None or upload.expires_at < datetime.now(UTC):
            raise NotFound("This upload has expired or does not exist. Ask for a new upload link.")
        goes_on = place is not None and place.start != 0 and upload.is_of(place.total, request.sender)
        if goes_on and upload.error is not None:
            raise error_with_status(upload.error["status"], ErrorBody(**upload.error))
        return None

    async def _received(self, file_id: str, place: UploadRange | None, request: UploadRequest) -> int | None:
        """Return how many bytes have arrived of the file of which a request sends a piece, or None if no such file."""
        upload = await self._store.upload(file_id)
        if place is None or upload is None or not upload.is_of(place.total, request.sender):
            return None
        try:
            return self._library.part_path(file_id).stat().st_size
        except FileNotFoundError:
            return 0

    async def _write(self, part: PartFile, file_id: str, place: UploadRange | None, request: UploadRequest) -> int:
        """Receive a file or a piece, or a question. Return how many bytes have arrived. Delete them after an error."""
        try:
            if place is None:
                return await self._write_all(part, file_id, request)
            return await self._write_piece(part, file_id, place, request)
        except (InvalidInput, TooLarge):
            part.path.unlink()
            await self._store.begin_upload(file_id, None, None)
            raise

    async def _write_all(self, part: PartFile, file_id: str, request: UploadRequest) -> int:
        """Receive a whole file. Return its size."""
        await part.cut_to(0)
        await self._store.begin_upload(file_id, request.content_length, request.sender)
        await self._append(part, request.body, self._max_bytes)
        await part.flush()
        if request.content_length is None:
            await self._store.begin_upload(file_id, part.size, request.sender)
        return part.size

    async def _write_piece(self, part: PartFile, file_id: str, place: UploadRange, request: UploadRequest) -> int:
        """Receive a piece, or a question for the state. Return how many bytes of the client's file have arrived.

        A client that sends the first piece of another file replaces what is there. After that, the pieces of the first
        client are errors, so that two files are never mixed, and the two clients do not replace each other for ever.
        """
        received = await self._received(file_id, place, request)
        if place.start and received is None and part.size > 0:
            raise _in_use(None)
        received = received or 0
        if place.start is None or place.end is None:
            return received
        if place.start != received:
            raise Conflict(
                f"The next piece must begin at byte {received:,}, not {place.start:,}.",
                suggestions=[f"continue at byte {received}"],
                details={"received": received},
            )
        if place.start == 0:
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

    def _start_check(self, part: PartFile, file_id: str, file_name: str | None) -> asyncio.Task[AudioRow]:
        def end(check: asyncio.Task[AudioRow]) -> None:
            self._checks.pop(file_id, None)
            if not check.cancelled():
                check.exception()  # perhaps no request waits for it; it is stored for those that ask later

        self._checks[file_id] = check = asyncio.create_task(self._check(part, file_id, file_name))
        check.add_done_callback(end)
        return check

    async def _check(self, part: PartFile, file_id: str, file_name: str | None) -> AudioRow:
        """Add the complete file to the library and finish the upload.

        If the file cannot be used, nothing of it is left. If the studio stops or its storage fails, the bytes stay, so
        that a later request can try again.
        """
        try:
            upload = await self._store.upload(file_id)
            assert upload is not None
            origin = {"recording_id": upload.recording_id, _SENDER: upload.sender}
            checked = self._library.temporary_path(".upload")
            await asyncio.to_thread(_link_or_copy, part.path, checked)
            row = await self._library.add(
                checked,
                upload.name or file_name or UNTITLED,
                "recording" if upload.recording_id else "upload",
                {name: value for name, value in origin.items() if value is not None},
                file_id=file_id,
                max_duration_s=upload.max_duration_s,
            )
            part.path.unlink()  # before anything else: it may be the same file as the blob
            await self._finish(upload, row)
            return row
        except (InvalidInput, TooLarge) as error:
            await self._store.fail_upload(file_id, {**error.body.model_dump(mode="json"), "status": error.status})
            part.path.unlink()
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

    async def _check_same(self, row: AudioRow, place: UploadRange | None, request: UploadRequest) -> None:
        """Raise AlreadyExists if a request brings another file than the one that this link has stored."""
        if place is None:
            is_same = request.content_length in (None, row.bytes)
            is_same = is_same and await _sha256(request.body, row.bytes) == row.sha256
        else:
            is_same = (place.total, request.sender) == (row.bytes, row.origin.get(_SENDER))
            if is_same and place.start is not None and place.end is not None:
                stored = await _sha256(self._library.stream(row, place.start, place.end), row.bytes)
                is_same = await _sha256(request.body, row.bytes) == stored
        if not is_same:
            raise AlreadyExists(
                f"{row.name!r} has been stored by this upload link. Ask for a new link to upload another file.",
                suggestions=["a new upload link"],
                details={"audio_file_id": row.id},
            )


def _in_use(received: int | None) -> Conflict:
    """Return the error for an upload that another request changes. `received` is None if that sends another file."""
    if received is not None:
        return Conflict(
            f"An earlier request still sends bytes to this upload. Continue at byte {received:,} in a few seconds.",
            suggestions=[f"continue at byte {received}"],
            details={"received": received},
        )
    return Conflict(
        "Another file is being uploaded to this link. Wait until that has ended, or ask for a new upload link.",
        suggestions=["a new upload link"],
    )


async def _sha256(body: AsyncIterable[bytes], max_bytes: int) -> str:
    """Return the SHA-256 of a body. It is read only until it has more than `max_bytes`."""
    digest, size = hashlib.sha256(), 0
    async for content in _without_long_silence(body):
        digest.update(content)
        size += len(content)
        if size > max_bytes:
            break
    return digest.hexdigest()


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
        try:
            with disk_errors():
                shutil.copyfile(source, target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
