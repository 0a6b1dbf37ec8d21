"""Storing, describing, exporting and deleting MIDI files: several steps that belong together."""

import asyncio
import base64
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

from consort_kit import logs
from consort_kit.blobs import Blobs
from consort_kit.child import with_care
from consort_kit.cursor import read_cursor, write_cursor
from consort_kit.errors import AlreadyExists, NotFound, ServiceDown
from consort_kit.ids import new_id, prefix_of
from consort_kit.links import Links
from consort_kit.sandbox import Sandbox, check_name, name_from_title, title_from_name
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
    StoredFile,
    StoredMidi,
    StoreMidi,
)
from consort_midi_store.files.names import UNTITLED, first_free, with_suffix
from consort_midi_store.files.readable_paths import ReadablePaths
from consort_midi_store.files.sources import Found, MusicSources, decoded_file, too_large
from consort_midi_store.files.store import FileRow, FileStore, HeldFile
from consort_midi_store.settings import MidiStoreSettings
from consort_music.errors import in_field

EXPORT_FOLDER = "export"

IfTaken = Literal["refuse", "replace", "number"]
"""What to do with a file whose name is taken: reject it, replace the other file, or add a number to the name."""


class _NewBytes(NamedTuple):
    content: bytes
    sha256: str
    summary: dict[str, Any]

    @classmethod
    def of(cls, content: bytes) -> "_NewBytes":
        return cls(content, hashlib.sha256(content).hexdigest(), {})

    def key(self, file_id: str) -> str:
        return f"midi/{file_id}/{self.sha256}.mid"


class FileService:
    def __init__(
        self,
        store: FileStore,
        blobs: Blobs,
        sandbox: Sandbox,
        links: Links,
        sources: MusicSources,
        settings: MidiStoreSettings,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._sandbox = sandbox
        self._links = links
        self._sources = sources
        self._settings = settings
        self._paths = ReadablePaths(settings, blobs)

    async def store(self, request: StoreMidi) -> StoredMidi:
        if request.upload_link:
            return await self._upload_link(request)
        if_taken: IfTaken = "replace" if request.overwrite else "refuse"
        if request.base64 is not None:
            content = decoded_file(request.base64, self._settings.midi_max_bytes)
            with in_field("base64"):
                if request.name is None:
                    return await self.save(content, UNTITLED, if_taken="number")
                return await self.save(content, request.name, if_taken=if_taken)
        assert request.path is not None
        found = await self._from_folder(request.path)
        name = request.name or found.name
        if request.name is None and name is not None and await self._holds(name, found.content):
            return await self._told(await self._named(name))  # it is stored as it is
        with in_field("path"):
            return await self.save(found.content, name, if_taken=if_taken)

    async def _from_folder(self, path: str) -> Found:
        """A file that the user put into the data folder; otherwise a stored one, by the path that was answered."""
        try:
            content = await asyncio.to_thread(self._sandbox.read, path, self._settings.midi_max_bytes)
        except NotFound:
            return await self._sources.by_path(path)
        return Found(PurePosixPath(path).name, content)

    async def _holds(self, name: str, content: bytes) -> bool:
        row = await self._store.by_name(name)
        return row is not None and row.blob_key == _NewBytes.of(content).key(row.id)

    async def _named(self, name: str) -> FileRow:
        row = await self._store.by_name(name)
        if row is None:
            raise NotFound(f"{name!r} was deleted meanwhile. Store the file again.", field="path")
        return row

    async def save(
        self,
        content: bytes,
        name: str | None,
        *,
        if_taken: IfTaken,
        file_id: str | None = None,
        replaces: str | None = None,
        made_from: str | None = None,
    ) -> StoredMidi:
        """Check, describe and keep the bytes.

        A new file is one statement; to be replaced, it has one writer at a time, so that the last one wins whole. With
        `replaces` only that version is replaced: an upload link works once. With `made_from` the bytes replace those
        of the file that this song or score already has, under its present name.
        """
        if len(content) > self._settings.midi_max_bytes:
            raise too_large(len(content), self._settings.midi_max_bytes)
        file_id = file_id or new_id("midi")
        name = check_name(name or UNTITLED, "name")
        new = _NewBytes.of(content)._replace(summary=await self.describe(content))
        row = None
        while row is None:  # others may store and delete files of this name meanwhile
            if made_from is not None:
                async with self._store.held("made_from", made_from) as held:
                    row = await self._replaced(held, new, made_from) if held else None
            if row is None and if_taken == "replace":
                row = await self._replace(name, new, replaces)
            if row is None:
                free = await self._free(name) if if_taken == "number" else name
                row = await self._add(file_id, free, new, made_from)
            if row is None and if_taken == "refuse" and (existing := await self._store.by_name(name)):
                raise _taken(existing)
        logs.note(midi_file_id=row.id)
        return await self._told(row)

    async def _free(self, name: str) -> str:
        stem = PurePosixPath(name).stem
        return first_free(name, await self._store.names_beginning(stem[:100]))

    async def _told(self, row: FileRow) -> StoredMidi:
        return StoredMidi(
            midi_file_id=row.id,
            name=row.name,
            path=self._paths.path(row),
            full_path=await asyncio.to_thread(self._paths.full_path, row),
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

    async def _add(self, file_id: str, name: str, new: _NewBytes, made_from: str | None) -> FileRow | None:
        """None if the name or the id is taken. The row comes last: it never points at bytes that are not there."""
        blob_key = new.key(file_id)
        await self._blobs.put(blob_key, new.content)
        row = None
        try:
            row = await self._store.add(file_id, name, blob_key, len(new.content), new.summary, made_from)
        finally:
            if row is None:
                await self._drop(file_id, blob_key)
        if row is None and (other := await self._store.by_id(file_id)) and other.name != name:
            raise AlreadyExists(
                f"{file_id} is the id of {other.name!r} already. Ask for a new upload link.", field="name"
            )
        return row

    async def _drop(self, file_id: str, blob_key: str) -> None:
        """Delete bytes that no row came to point at; those of a file that has this very id and content stay."""
        with suppress(ServiceDown):
            kept = await self._store.by_id(file_id)
            if kept is None or kept.blob_key != blob_key:
                await self._blobs.delete(blob_key)

    async def _replace(self, name: str, new: _NewBytes, replaces: str | None) -> FileRow | None:
        """None if there is nothing to replace."""
        async with self._store.held("name", name) as held:
            if held is None:
                return None
            if replaces not in (None, _version(held.row)):
                raise _taken(held.row)
            return await self._replaced(held, new, None)

    async def _replaced(self, held: HeldFile, new: _NewBytes, made_from: str | None) -> FileRow | None:
        blob_key = new.key(held.row.id)
        await self._blobs.put(blob_key, new.content)
        return await held.replace(blob_key, len(new.content), new.summary, made_from)

    async def describe(self, content: bytes) -> dict[str, Any]:
        """What is in a file, in a child process if it is big."""
        return await with_care(len(content), READING, describe, content, self._settings.midi_max_bytes)

    async def _upload_link(self, request: StoreMidi) -> StoredMidi:
        file_id = new_id("midi")
        query = {"if_taken": "number"}
        if request.name is None:
            name = await self._free(UNTITLED)
        else:
            name, query = check_name(request.name, "name"), {"if_taken": "refuse"}
            if existing := await self._store.by_name(name):
                if not request.overwrite:
                    raise _taken(existing)
                file_id = existing.id
                # It works once: only the version that was there when it was made is replaced.
                query = {"if_taken": "replace", "replaces": _version(existing)}
        link = self._links.make("midi-store", f"/files/{file_id}", {"name": name, **query}, method="PUT")
        logs.note(midi_file_id=file_id)
        return StoredMidi(midi_file_id=file_id, name=name, upload_url=link.url, expires_at=link.expires_at)

    async def get(self, request: GetMidi) -> MidiFileInfo:
        row = await self._sources.row_of(request.midi_file_id, request.path)
        if row is None:
            row = (await self.find_kept(request)).row
        if row is None:
            return await self._get_unstored(request)
        told = self._info(row.name, row.bytes, row.summary)
        told.song_id, told.score_id = song_and_score(row.made_from)
        told.midi_file_id, told.created_at, told.updated_at = row.id, row.created_at, row.updated_at
        told.path, told.full_path = self._paths.path(row), await asyncio.to_thread(self._paths.full_path, row)
        told.download_url = self._download_url(row)
        if request.include_base64:
            self._add_base64(told, await self._blobs.get(row.blob_key) if self._is_small(row.bytes) else None)
        return told

    async def _get_unstored(self, request: GetMidi) -> MidiFileInfo:
        """Describe a file in the data folder, which is not stored."""
        found = await self.find(request)
        with in_field("path"):
            summary = await self.describe(found.content)
        told = self._info(found.name or UNTITLED, len(found.content), summary)
        told.path = request.path
        if request.include_base64:
            self._add_base64(told, found.content if self._is_small(len(found.content)) else None)
        return told

    def _info(self, name: str, size: int, summary: dict[str, Any]) -> MidiFileInfo:
        metadata = MidiMetadata.model_validate({**summary, "omitted": summary["omitted"] or None})
        return MidiFileInfo(name=name, bytes=size, metadata=metadata, warnings=summary["warnings"] or None)

    def _is_small(self, size: int) -> bool:
        return size <= self._settings.midi_base64_max_bytes

    def _add_base64(self, told: MidiFileInfo, content: bytes | None) -> None:
        if content is None:
            told.warnings = [*(told.warnings or []), f"{told.bytes:,} bytes are too many for base64. Use download_url."]
        else:
            told.base64 = base64.b64encode(content).decode()

    async def content(self, file_id: str) -> tuple[FileRow, bytes]:
        row = await self._sources.stored(file_id)
        return row, await self._blobs.get(row.blob_key)

    async def find(self, source: StoredFile | MidiSource) -> Found:
        """The music that a tool was given."""
        if source.midi_file_id is not None:
            return await self._sources.by_id(source.midi_file_id)
        if source.path is not None:
            return await self._sources.by_path(source.path)
        assert isinstance(source, MidiSource) and source.base64 is not None
        return self._sources.decoded(source.base64)

    async def find_kept(self, source: StoredFile | MidiSource) -> Found:
        """Find the music that a tool was given; a song or score is exported first, to its own file."""
        found = await self.find(source)
        return await self._exported(found) if found.made_from is not None else found

    async def _exported(self, found: Found) -> Found:
        """Store a song or score as its own file, unless that has these bytes already."""
        assert found.made_from is not None
        row = await self._store.by_source(found.made_from)
        if row is None or row.blob_key != _NewBytes.of(found.content).key(row.id):
            row = await self._kept(found, "midi_file_id")
        return found._replace(row=row)

    async def read_other(self, music_id: str, field: str) -> bytes:
        """The bytes of other music, which this field names."""
        return (await self._sources.by_id(music_id, field)).content

    async def export(self, request: ExportMidi) -> ExportedMidi:
        found = await self.find(request)
        name = with_suffix(request.export_name or found.name or UNTITLED)
        check_name(name, "export_name")
        if found.made_from is not None:
            found = await self._exported(found)
        row = found.row or await self._kept(found, "path")
        path = await asyncio.to_thread(
            self._sandbox.write, EXPORT_FOLDER, name, found.content, overwrite=request.overwrite, field="export_name"
        )
        return ExportedMidi(
            midi_file_id=row.id,
            export_path=path,
            full_path=self._paths.shown(path),
            download_url=self._download_url(row),
            bytes=len(found.content),
        )

    async def _kept(self, found: Found, field: str) -> FileRow:
        """Store a song, a score or a file of the data folder; `field` is where the caller named it."""
        name = name_from_title(title_from_name(found.name or UNTITLED), ".mid")
        with in_field(field):
            stored = await self.save(found.content, name, if_taken="number", made_from=found.made_from)
        return await self._sources.stored(stored.midi_file_id)

    async def delete(self, request: DeleteMidi) -> DeletedMidi:
        row = await self._sources.stored(request.midi_file_id)
        await asyncio.to_thread(self._paths.forget, row)
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
        return await asyncio.to_thread(self._entries, await self._store.newest(None, None))

    def _entries(self, rows: list[FileRow]) -> list[ManifestEntry]:
        return [
            ManifestEntry(
                id=row.id,
                name=row.name,
                path=self._paths.path(row) if self._paths.full_path(row) else row.blob_key,
                bytes=row.bytes,
                createdAt=row.created_at,
            )
            for row in rows
        ]

    def _download_url(self, row: FileRow) -> str:
        return self._links.make("midi-store", f"/files/{row.id}").url


def song_and_score(music_id: str | None) -> tuple[str | None, str | None]:
    """Return the id as `song_id` or as `score_id` of an answer."""
    kind = prefix_of(music_id) if music_id else None
    return music_id if kind == "song" else None, music_id if kind == "score" else None


def _taken(existing: FileRow) -> AlreadyExists:
    return AlreadyExists(
        f"'name' is {existing.name!r}, and a file of this name is stored already. "
        "Give another name, or overwrite: true to replace its bytes.",
        field="name",
        suggestions=["another name", "overwrite: true to replace its bytes"],
        details={"midi_file_id": existing.id},
    )


def _version(row: FileRow) -> str:
    """Changes whenever the bytes are stored anew."""
    return row.updated_at.isoformat()
