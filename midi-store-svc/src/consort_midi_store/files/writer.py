"""Store a MIDI file: check it, choose a free name, write the bytes, then the row.

Every tool that stores a file does it here.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

from consort_kit import logs
from consort_kit.errors import AlreadyExists, OutcomeUnknown, ServiceDown
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id
from consort_kit.processes.child_process import run_within_limits
from consort_kit.processes.work_limits import SUMMARIZE_MIDI
from consort_kit.storage.blobs import Blobs
from consort_kit.storage.file_names import check_name, name_from_title
from consort_midi_store.files.blob_keys import blob_key, sha256_of
from consort_midi_store.files.file_summary import summarize_bytes
from consort_midi_store.files.models import StoredMidi
from consort_midi_store.files.names import UNTITLED, first_free_name
from consort_midi_store.files.other_music import as_midi, is_notation
from consort_midi_store.files.readable_paths import ReadablePaths
from consort_midi_store.files.sources import FoundMusic, too_large
from consort_midi_store.files.store import FileRow, FileStore, LockedFile
from consort_midi_store.settings import MidiStoreSettings
from consort_music.midi.file_names import title_from_name

IfTaken = Literal["refuse", "replace", "number"]
"""What to do if the name is taken: reject the new file, replace the stored file, or add a number to the name."""


class _NewBytes(NamedTuple):
    content: bytes
    sha256: str
    summary: dict[str, Any]

    def key(self, file_id: str) -> str:
        return blob_key(file_id, self.sha256)


_Replaced = tuple[FileRow | None, int | None]
"""The row, or None if there is no file to replace, and the number under which its earlier bytes are kept."""


class FileWriter:
    def __init__(
        self,
        store: FileStore,
        blobs: Blobs,
        links: Links,
        paths: ReadablePaths,
        client: ServiceClient,
        settings: MidiStoreSettings,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._links = links
        self._paths = paths
        self._client = client
        self._max_bytes = settings.midi_max_bytes

    @staticmethod
    def choose_if_taken(name: str | None, *, overwrite: bool) -> IfTaken:
        """Return what to do if the name is taken. `name` is None if the caller gave none: then a number is added."""
        if name is None:
            return "number"
        return "replace" if overwrite else "refuse"

    async def save(
        self,
        content: bytes,
        name: str | None,
        *,
        if_taken: IfTaken,
        summary: dict[str, Any] | None = None,
        file_id: str | None = None,
        replaces: str | None = None,
        made_from: str | None = None,
    ) -> StoredMidi:
        """Check, summarize and store the bytes. Music in another format is stored as a MIDI file.

        A new file is added by one SQL statement. Only one call at a time replaces a file, so the last call wins. If
        `replaces` is given, only that version is replaced, so an upload link works once. If the song or score
        `made_from` already has a file, the bytes of that file are replaced, and it keeps its name. If `summary` is
        given, the content is not read.
        """
        if len(content) > self._max_bytes:
            raise too_large(len(content), self._max_bytes)
        warnings: list[str] = []
        if summary is None and is_notation(content):
            content, name, warnings = await as_midi(self._client, content, name)
        is_new_id, file_id = file_id is None, file_id or new_id("midi")
        name = check_name(name or UNTITLED, "name")
        new = _NewBytes(content, sha256_of(content), summary or await self.summarize(content))
        row = replaced = None
        while row is None:  # other calls may store or delete files with this name at the same time
            if made_from is not None:
                async with self._store.locked("made_from", made_from) as locked:
                    row, replaced = await self._replace_locked(locked, new, made_from) if locked else (None, None)
            if row is None and if_taken == "replace":
                row, replaced = await self._replace(name, new, replaces)
            if row is None:
                free = await self.free_name(name) if if_taken == "number" else name
                row = await self._add(file_id, free, new, made_from, is_new_id)
            if row is None and if_taken == "refuse" and (existing := await self._store.by_name(name)):
                raise name_is_taken(existing)
        logs.add_ids(midi_file_id=row.id)
        stored = await self.describe(row)
        stored.replaced_version = replaced
        stored.warnings = [*warnings, *(stored.warnings or [])] or None
        return stored

    async def save_found(self, found: FoundMusic) -> str:
        """Store a song, a score or a file of the data folder under a free name. Return its file id."""
        name = name_from_title(title_from_name(found.name or UNTITLED), ".mid")
        stored = await self.save(found.content, name, if_taken="number", made_from=found.made_from)
        return stored.midi_file_id

    async def free_name(self, name: str) -> str:
        """Return the name, with a number added if it is taken."""
        path = PurePosixPath(name)
        return first_free_name(path.stem, "", path.suffix, await self._store.names_beginning(path.stem[:100]))

    async def check_free(self, names: Sequence[str]) -> None:
        """Raise InvalidInput if a name is not allowed, AlreadyExists if it is taken."""
        for name in names:
            existing = await self._store.by_name(check_name(name, "name"))
            if existing:
                raise name_is_taken(existing)

    async def summarize(self, content: bytes) -> dict[str, Any]:
        """Return the summary of a file, made in a child process if the file is large."""
        return await run_within_limits(len(content), SUMMARIZE_MIDI, summarize_bytes, content, self._max_bytes)

    async def describe(self, row: FileRow) -> StoredMidi:
        """Return the tool result that describes a stored file."""
        return StoredMidi(
            midi_file_id=row.id,
            name=row.name,
            path=self._paths.path(row),
            full_path=await asyncio.to_thread(self._paths.full_path, row),
            bytes=row.bytes,
            created_at=row.created_at,
            duration_ms=row.summary["duration_ms"],
            note_count=row.summary["note_count"],
            download_url=download_url(self._links, row),
            warnings=row.summary["warnings"] or None,
        )

    async def _add(
        self, file_id: str, name: str, new: _NewBytes, made_from: str | None, is_new_id: bool
    ) -> FileRow | None:
        """Add a file. Return None if the name is taken. The row is added last, so its bytes always exist."""
        key = new.key(file_id)
        await self._blobs.put(key, new.content)
        try:
            row = await self._store.add(file_id, name, key, len(new.content), new.summary, made_from)
        except OutcomeUnknown:  # the row may still appear, and needs its bytes
            raise
        except ServiceDown:  # to look whether a row uses the bytes would wait for the database once more
            if is_new_id:
                await self._blobs.delete(key)
            raise
        except BaseException:
            await self._delete_unused(file_id, key)
            raise
        if row is None:
            await self._delete_unused(file_id, key)
        if row is None and (other := await self._store.by_id(file_id)) and other.name != name:
            raise AlreadyExists(
                f"{file_id} is already the id of {other.name!r}. Ask for a new upload link.", field="name"
            )
        return row

    async def _delete_unused(self, file_id: str, key: str) -> None:
        """Delete the blob `key`, for which no row was added, unless the stored file with this id uses it."""
        with suppress(ServiceDown):
            stored = await self._store.by_id(file_id)
            if stored is None or stored.blob_key != key:
                await self._blobs.delete(key)

    async def _replace(self, name: str, new: _NewBytes, replaces: str | None) -> _Replaced:
        """Replace the file with this name. Return no row if there is none.

        Raise AlreadyExists if `replaces` is given and is not its current version.
        """
        async with self._store.locked("name", name) as locked:
            if locked is None:
                return None, None
            if replaces not in (None, version_of(locked.row)):
                raise name_is_taken(locked.row)
            return await self._replace_locked(locked, new, None)

    async def _replace_locked(self, locked: LockedFile, new: _NewBytes, made_from: str | None) -> _Replaced:
        """Replace a file, and keep its present bytes as a version if they are different."""
        key, old = new.key(locked.row.id), locked.row
        await self._blobs.put(key, new.content)
        row = await locked.replace(key, len(new.content), new.summary, made_from)
        if row is None or key == old.blob_key:
            return row, None
        return row, await locked.keep(old.blob_key, old.bytes)


def has_content(row: FileRow | None, content: bytes) -> bool:
    """Return whether the stored file has exactly these bytes."""
    return row is not None and row.blob_key == blob_key(row.id, sha256_of(content))


def download_url(links: Links, row: FileRow) -> str:
    return links.make("midi-store", f"/files/{row.id}").url


def version_of(row: FileRow) -> str:
    """Return a text that changes whenever the bytes are replaced."""
    return row.updated_at.isoformat()


def name_is_taken(existing: FileRow) -> AlreadyExists:
    return AlreadyExists(
        f"'name' is {existing.name!r}, and a file with this name is already stored. "
        "Give another name, or overwrite: true to replace its bytes.",
        field="name",
        suggestions=["another name", "overwrite: true to replace its bytes"],
        details={"midi_file_id": existing.id},
    )
