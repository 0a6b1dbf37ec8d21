"""Storing and finding MIDI files: several steps that belong together."""

import asyncio
import base64
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from consort_kit import logs
from consort_kit.base64_text import decode_base64
from consort_kit.blobs import Blobs
from consort_kit.child import with_care
from consort_kit.cursor import read_cursor, write_cursor
from consort_kit.errors import AlreadyExists, NotFound, ServiceDown, TooLarge
from consort_kit.ids import new_id
from consort_kit.links import Links
from consort_kit.sandbox import Sandbox, check_name
from consort_midi_store.describe import READING, describe
from consort_midi_store.files.models import (
    DeletedMidi,
    DeleteMidi,
    ExportedMidi,
    ExportMidi,
    GetMidi,
    ListMidi,
    ManifestEntry,
    MidiFileInfo,
    MidiList,
    MidiListItem,
    MidiMetadata,
    MidiSource,
    StoredMidi,
    StoreMidi,
)
from consort_midi_store.files.store import FileRow, FileStore
from consort_midi_store.settings import MidiStoreSettings
from consort_music.errors import in_field

EXPORT_FOLDER = "export"


class _NewBytes(NamedTuple):
    content: bytes
    sha256: str
    summary: dict[str, Any]

    def key(self, file_id: str) -> str:
        return f"midi/{file_id}/{self.sha256}.mid"


class FileService:
    def __init__(
        self, store: FileStore, blobs: Blobs, sandbox: Sandbox, links: Links, settings: MidiStoreSettings
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._sandbox = sandbox
        self._links = links
        self._settings = settings

    async def store(self, request: StoreMidi) -> StoredMidi:
        if request.upload_link:
            return await self._upload_link(request)
        if request.base64 is not None:
            content = _decode(request.base64, self._settings.midi_max_bytes)
            name = request.name
        else:
            assert request.path is not None
            content = await asyncio.to_thread(self._sandbox.read, request.path, self._settings.midi_max_bytes)
            name = request.name or PurePosixPath(request.path).name
        with in_field("base64" if request.base64 is not None else "path"):
            return await self.save(content, name, overwrite=request.overwrite)

    async def save(
        self,
        content: bytes,
        name: str | None,
        *,
        overwrite: bool,
        file_id: str | None = None,
        replaces: str | None = None,
    ) -> StoredMidi:
        """Check, describe and keep the bytes.

        A new file is one statement; to be replaced, it has one writer at a time, so that the last one wins whole. With
        `replaces` only that version is replaced: an upload link works once.
        """
        if len(content) > self._settings.midi_max_bytes:
            raise _too_large(len(content), self._settings.midi_max_bytes)
        file_id = file_id or new_id("midi")
        name = check_name(name or f"{file_id}.mid", "name")
        summary = await self.describe(content)
        new = _NewBytes(content, hashlib.sha256(content).hexdigest(), summary)
        row = None if overwrite else await self._add(file_id, name, new)
        while row is None:  # others may store and delete files of this name meanwhile
            row = await self._replace(name, new, overwrite, replaces) or await self._add(file_id, name, new)
        logs.note(midi_file_id=row.id)
        return StoredMidi(
            midi_file_id=row.id,
            name=row.name,
            path=row.blob_key,
            bytes=row.bytes,
            created_at=row.created_at,
            duration_ms=row.summary["duration_ms"],
            note_count=row.summary["note_count"],
            download_url=self._download_url(row),
            warnings=row.summary["warnings"] or None,
        )

    async def check_free(self, names: Sequence[str]) -> None:
        """Refuse names that cannot be, or that other files have."""
        for name in names:
            existing = await self._store.by_name(check_name(name, "name"))
            if existing:
                raise _taken(existing)

    async def _add(self, file_id: str, name: str, new: _NewBytes) -> FileRow | None:
        """None if the name or the id is taken. The row comes last: it never points at bytes that are not there."""
        blob_key = new.key(file_id)
        await self._blobs.put(blob_key, new.content)
        row = None
        try:
            row = await self._store.add(file_id, name, blob_key, len(new.content), new.summary)
        finally:
            if row is None:
                await self._drop(file_id, blob_key)
        if row is None and (other := await self._store.by_id(file_id)) and other.name != name:
            raise AlreadyExists(f"{file_id} is in use under another name", field="name")
        return row

    async def _drop(self, file_id: str, blob_key: str) -> None:
        """Delete bytes that no row came to point at; those of a file that has this very id and content stay."""
        with suppress(ServiceDown):
            kept = await self._store.by_id(file_id)
            if kept is None or kept.blob_key != blob_key:
                await self._blobs.delete(blob_key)

    async def _replace(self, name: str, new: _NewBytes, overwrite: bool, replaces: str | None) -> FileRow | None:
        """None if there is nothing to replace."""
        async with self._store.name_held(name) as held:
            if held is None:
                return None
            if not overwrite or replaces not in (None, _version(held.row)):
                raise _taken(held.row)
            blob_key = new.key(held.row.id)
            await self._blobs.put(blob_key, new.content)
            return await held.replace(blob_key, len(new.content), new.summary)

    async def describe(self, content: bytes) -> dict[str, Any]:
        """What is in a file, in a child process if it is big."""
        return await with_care(len(content), READING, describe, content, self._settings.midi_max_bytes)

    async def _upload_link(self, request: StoreMidi) -> StoredMidi:
        file_id = new_id("midi")
        name = check_name(request.name or f"{file_id}.mid", "name")
        existing = await self._store.by_name(name)
        if existing:
            if not request.overwrite:
                raise _taken(existing)
            file_id = existing.id
        # It works once: what was there when it was made is replaced, or nothing.
        query = {"name": name, "overwrite": "true", "replaces": _version(existing)} if existing else {"name": name}
        link = self._links.make("midi-store", f"/files/{file_id}", query, method="PUT")
        logs.note(midi_file_id=file_id)
        return StoredMidi(midi_file_id=file_id, name=name, upload_url=link.url, expires_at=link.expires_at)

    async def get(self, request: GetMidi) -> MidiFileInfo:
        row = await self._find(request.midi_file_id, request.path)
        warnings = list(row.summary["warnings"])
        text = None
        if request.include_base64:
            if row.bytes <= self._settings.midi_base64_max_bytes:
                text = base64.b64encode(await self._blobs.get(row.blob_key)).decode()
            else:
                warnings.append(f"{row.bytes:,} bytes are too many for base64: use download_url")
        return MidiFileInfo(
            midi_file_id=row.id,
            name=row.name,
            path=row.blob_key,
            bytes=row.bytes,
            created_at=row.created_at,
            updated_at=row.updated_at,
            download_url=self._download_url(row),
            metadata=MidiMetadata.model_validate({**row.summary, "omitted": row.summary["omitted"] or None}),
            base64=text,
            warnings=warnings or None,
        )

    async def content(self, file_id: str) -> tuple[FileRow, bytes]:
        row = await self._find(file_id, None)
        return row, await self._blobs.get(row.blob_key)

    async def read(self, source: MidiSource) -> tuple[str | None, bytes]:
        """The name, if it is stored, and the bytes of whatever a tool was given."""
        if source.base64 is not None:
            return None, _decode(source.base64, self._settings.midi_max_bytes)
        row = await self._find(source.midi_file_id, source.path)
        return row.name, await self._blobs.get(row.blob_key)

    async def read_other(self, file_id: str, field: str) -> bytes:
        """The bytes of a stored file that this field names besides."""
        row = await self._find(file_id, None, field)
        return await self._blobs.get(row.blob_key)

    async def export(self, request: ExportMidi) -> ExportedMidi:
        row = await self._find(request.midi_file_id, request.path)
        content = await self._blobs.get(row.blob_key)
        path = await asyncio.to_thread(
            self._sandbox.write,
            EXPORT_FOLDER,
            _with_suffix(request.export_name or row.name),
            content,
            overwrite=request.overwrite,
            field="export_name",
        )
        return ExportedMidi(midi_file_id=row.id, export_path=path, bytes=len(content))

    async def delete(self, request: DeleteMidi) -> DeletedMidi:
        row = await self._find(request.midi_file_id, None)
        await self._store.delete(row.id)
        await self._blobs.delete_all(f"midi/{row.id}/")
        return DeletedMidi(midi_file_id=row.id, name=row.name)

    async def page(self, request: ListMidi) -> MidiList:
        before = read_cursor(request.cursor, "list_midi") if request.cursor else None
        rows = await self._store.newest(request.limit + 1, before, request.name_contains)
        page = rows[: request.limit]
        items = [
            MidiListItem(
                midi_file_id=row.id,
                name=row.name,
                bytes=row.bytes,
                created_at=row.created_at,
                duration_ms=row.summary["duration_ms"],
            )
            for row in page
        ]
        last = page[-1] if len(rows) > len(page) else None
        return MidiList(items=items, next_cursor=write_cursor(last.created_at, last.id) if last else None)

    async def manifest(self) -> list[ManifestEntry]:
        rows = await self._store.newest(None, None)
        return [
            ManifestEntry(id=row.id, name=row.name, path=row.blob_key, bytes=row.bytes, createdAt=row.created_at)
            for row in rows
        ]

    async def _find(self, file_id: str | None, path: str | None, id_field: str = "midi_file_id") -> FileRow:
        if file_id is not None:
            logs.note(midi_file_id=file_id)
            row, field, given = await self._store.by_id(file_id), id_field, file_id
        else:
            assert path is not None
            row, field, given = await self._by_path(path), "path", path
        if row is None:
            raise NotFound(
                f"no MIDI file is stored as {given!r}", field=field, suggestions=["list_midi shows what is stored"]
            )
        return row

    async def _by_path(self, path: str) -> FileRow | None:
        for part in path.split("/"):
            check_name(part, "path")
        return await self._store.by_blob_key(path) or await self._store.by_name(path)

    def _download_url(self, row: FileRow) -> str:
        return self._links.make("midi-store", f"/files/{row.id}").url


def _with_suffix(name: str) -> str:
    """A name that other programs know for that of a MIDI file; one that has some suffix stays."""
    return name if PurePosixPath(name).suffix else f"{name}.mid"


def _decode(text: str, max_bytes: int) -> bytes:
    size = len(text) * 3 // 4
    if size > max_bytes + 2:
        raise _too_large(size, max_bytes)
    return decode_base64(text, "or use upload_link")


def _too_large(size: int, max_bytes: int) -> TooLarge:
    return TooLarge(f"the file has {size:,} bytes; at most {max_bytes:,} are allowed", details={"max_bytes": max_bytes})


def _taken(existing: FileRow) -> AlreadyExists:
    return AlreadyExists(
        f"a file named {existing.name!r} is stored already",
        field="name",
        suggestions=["another name", "overwrite: true to replace its bytes"],
        details={"midi_file_id": existing.id},
    )


def _version(row: FileRow) -> str:
    """Changes whenever the bytes are stored anew."""
    return row.updated_at.isoformat()
