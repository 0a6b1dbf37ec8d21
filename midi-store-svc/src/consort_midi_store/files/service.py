"""Store, describe, list, export and delete MIDI files."""

import asyncio
import base64
from pathlib import PurePosixPath
from typing import Any

from consort_kit import logs
from consort_kit.errors import NotFound, TooLarge
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id, prefix_of
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.file_names import check_name
from consort_kit.storage.path_sandbox import Sandbox
from consort_kit.tools.cursor import first_page, read_cursor
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
from consort_midi_store.files.names import UNTITLED, with_suffix
from consort_midi_store.files.readable_paths import ReadablePaths
from consort_midi_store.files.sources import FoundMusic, MusicSources, decode_file
from consort_midi_store.files.store import FileRow, FileStore
from consort_midi_store.files.versions import EXPORT_FOLDER, FileVersions
from consort_midi_store.files.writer import FileWriter, download_url, has_content, name_is_taken, version_of
from consort_midi_store.settings import MidiStoreSettings
from consort_music.errors import in_field


class FileService:
    def __init__(
        self,
        store: FileStore,
        blobs: Blobs,
        sandbox: Sandbox,
        links: Links,
        sources: MusicSources,
        paths: ReadablePaths,
        writer: FileWriter,
        versions: FileVersions,
        settings: MidiStoreSettings,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._sandbox = sandbox
        self._links = links
        self._sources = sources
        self._paths = paths
        self._writer = writer
        self._versions = versions
        self._settings = settings

    async def store(self, request: StoreMidi) -> StoredMidi:
        if request.upload_link:
            return await self._make_upload_link(request)
        if request.restore_version is not None:
            assert request.name is not None
            return await self._restore(check_name(request.name, "name"), request.restore_version)
        if request.base64 is not None:
            content = decode_file(request.base64, self._settings.midi_max_bytes)
            if_taken = self._writer.choose_if_taken(request.name, overwrite=request.overwrite)
            with in_field("base64"):
                return await self._writer.save(content, request.name, if_taken=if_taken)
        assert request.path is not None
        found = await self._read_path(request.path)
        name = request.name or found.name
        if request.name is None and name is not None:
            row = await self._store.by_name(name)
            if row is not None and has_content(row, found.content):
                return await self._writer.describe(row)
        with in_field("path"):
            if_taken = self._writer.choose_if_taken(name, overwrite=request.overwrite)
            return await self._writer.save(found.content, name, if_taken=if_taken)

    async def _restore(self, name: str, number: int) -> StoredMidi:
        earlier = await self._versions.content_of_file(await self._store.by_name(name), name, number)
        return await self._writer.save(earlier, name, if_taken="replace")

    async def _read_path(self, path: str) -> FoundMusic:
        """Read a file that the user put into the data folder, or else a stored file by its path or name."""
        try:
            content = await asyncio.to_thread(self._sandbox.read, path, self._settings.midi_max_bytes)
        except NotFound:
            return await self._sources.by_path(path)
        return FoundMusic(PurePosixPath(path).name, content)

    async def _make_upload_link(self, request: StoreMidi) -> StoredMidi:
        file_id = new_id("midi")
        query = {"if_taken": "number"}
        if request.name is None:
            name = await self._writer.free_name(UNTITLED)
        else:
            name, query = check_name(request.name, "name"), {"if_taken": "refuse"}
            if existing := await self._store.by_name(name):
                if not request.overwrite:
                    raise name_is_taken(existing)
                file_id = existing.id
                # The link works once: it only replaces the version that is stored now.
                query = {"if_taken": "replace", "replaces": version_of(existing)}
        link = self._links.make("midi-store", f"/files/{file_id}", {"name": name, **query}, method="PUT")
        logs.add_ids(midi_file_id=file_id)
        return StoredMidi(midi_file_id=file_id, name=name, upload_url=link.url, expires_at=link.expires_at)

    async def get(self, request: GetMidi) -> MidiFileInfo:
        row = await self._sources.row_of(request.midi_file_id, request.path)
        if row is None:
            row = (await self.find_stored(request)).row
        if row is None:
            return await self._get_unstored(request)
        info = self._info(row.name, row.bytes, row.summary)
        info.song_id, info.score_id = _song_and_score(row.made_from)
        info.midi_file_id, info.created_at, info.updated_at = row.id, row.created_at, row.updated_at
        info.path, info.full_path = self._paths.path(row), await asyncio.to_thread(self._paths.full_path, row)
        info.download_url = download_url(self._links, row)
        if request.include_base64:
            self._add_base64(info, await self._blobs.get(row.blob_key) if self._is_small(row.bytes) else None)
        return info

    async def _get_unstored(self, request: GetMidi) -> MidiFileInfo:
        """Describe a file that is in the data folder but not stored."""
        found = await self.find(request)
        with in_field("path"):
            summary = await self._writer.summarize(found.content)
        info = self._info(found.name or UNTITLED, len(found.content), summary)
        info.path = request.path
        if request.include_base64:
            self._add_base64(info, found.content if self._is_small(len(found.content)) else None)
        return info

    def _info(self, name: str, size: int, summary: dict[str, Any]) -> MidiFileInfo:
        metadata = MidiMetadata.model_validate({**summary, "omitted": summary["omitted"] or None})
        return MidiFileInfo(name=name, bytes=size, metadata=metadata, warnings=summary["warnings"] or None)

    def _is_small(self, size: int) -> bool:
        return size <= self._settings.midi_base64_max_bytes

    def _add_base64(self, info: MidiFileInfo, content: bytes | None) -> None:
        """Add the content, or a warning if it is None because it is too large."""
        if content is None:
            info.warnings = [*(info.warnings or []), f"{info.bytes:,} bytes are too many for base64. Use download_url."]
        else:
            info.base64 = base64.b64encode(content).decode()

    async def content(self, file_id: str) -> tuple[FileRow, bytes]:
        row = await self._sources.stored(file_id)
        return row, await self._blobs.get(row.blob_key)

    async def find(self, source: StoredFile | MidiSource) -> FoundMusic:
        """Find the music that a tool was given."""
        if source.midi_file_id is not None:
            return await self._sources.by_id(source.midi_file_id)
        if source.path is not None:
            return await self._sources.by_path(source.path)
        assert isinstance(source, MidiSource) and source.base64 is not None
        return self._sources.decoded(source.base64)

    async def find_stored(self, source: StoredFile | MidiSource) -> FoundMusic:
        """Find the music that a tool was given. If it is a song or score, store it as a MIDI file."""
        found = await self.find(source)
        return await self._with_own_file(found) if found.made_from is not None else found

    async def _with_own_file(self, found: FoundMusic) -> FoundMusic:
        """Store a song or score as a MIDI file, unless its stored file already has these bytes."""
        assert found.made_from is not None
        row = await self._store.by_source(found.made_from)
        if row is None or not has_content(row, found.content):
            row = await self._save_found(found, "midi_file_id")
        return found._replace(row=row)

    async def _save_found(self, found: FoundMusic, field: str) -> FileRow:
        """Store a song, a score or a file of the data folder. Errors name `field`, the input that gave it."""
        with in_field(field):
            file_id = await self._writer.save_found(found)
        return await self._sources.stored(file_id)

    async def read_other(self, music_id: str, field: str) -> bytes:
        """Return the bytes of a file, song or score. Errors name `field`, the input that gave the id."""
        return (await self._sources.by_id(music_id, field)).content

    async def export(self, request: ExportMidi) -> ExportedMidi:
        if request.restore_version is not None:
            assert request.export_name is not None
            name = with_suffix(request.export_name)
            content = await self._versions.content_of_export(name, request.restore_version)
            return await self._write_export(name, content, overwrite=True)
        found = await self.find(request)
        name = with_suffix(request.export_name or found.name or UNTITLED)
        check_name(name, "export_name")
        if found.made_from is not None:
            found = await self._with_own_file(found)
        row = found.row or await self._save_found(found, "path")
        exported = await self._write_export(name, found.content, overwrite=request.overwrite)
        exported.midi_file_id, exported.download_url = row.id, download_url(self._links, row)
        return exported

    async def _write_export(self, name: str, content: bytes, *, overwrite: bool) -> ExportedMidi:
        """Write a file into export/. The bytes that it replaces are kept as a version."""
        replaced = None
        async with self._store.locked_owner(f"{EXPORT_FOLDER}/{name}") as locked:
            earlier = await asyncio.to_thread(self._earlier_export, name) if overwrite else None
            if earlier is not None and earlier != content:
                replaced = await self._versions.keep_export(locked, earlier)
            path = await asyncio.to_thread(
                self._sandbox.write, EXPORT_FOLDER, name, content, overwrite=overwrite, field="export_name"
            )
        return ExportedMidi(
            export_path=path, full_path=self._paths.shown(path), bytes=len(content), replaced_version=replaced
        )

    def _earlier_export(self, name: str) -> bytes | None:
        """Return the bytes of a file in export/ that is about to be replaced, or None if there is none.

        Raise TooLarge if it is too large to be kept: then it is not one of ours.
        """
        path = f"{EXPORT_FOLDER}/{name}"
        if (self._settings.data / path).is_symlink():  # the link is replaced, and what it points to stays
            return None
        try:
            return self._sandbox.read(path, self._settings.midi_max_bytes, "export_name")
        except NotFound:
            return None
        except TooLarge as error:
            raise TooLarge(
                f"{path} is too large to keep it as a version, so it is not replaced. Give another export_name.",
                field="export_name",
            ) from error

    async def delete(self, request: DeleteMidi) -> DeletedMidi:
        row = await self._sources.stored(request.midi_file_id)
        await asyncio.to_thread(self._paths.forget, row)
        await self._store.delete(row.id)
        await self._blobs.delete_all(f"midi/{row.id}/")
        return DeletedMidi(midi_file_id=row.id, name=row.name)

    async def page(self, request: ListMidi) -> MidiList:
        before = read_cursor(request.cursor, "list_midi") if request.cursor else None
        rows = await self._store.newest(request.limit + 1, before, request.name_contains)
        page, next_cursor = first_page(rows, request.limit, lambda row: (row.created_at, row.id))
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
        return MidiList(items=items, next_cursor=next_cursor)

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


def _song_and_score(music_id: str | None) -> tuple[str | None, str | None]:
    """Return (song_id, score_id): the id in its place, and None in the other."""
    kind = prefix_of(music_id) if music_id else None
    return music_id if kind == "song" else None, music_id if kind == "score" else None
