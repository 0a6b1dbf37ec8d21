"""Store, describe, list, cut and delete audio files."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePosixPath
from typing import Any

from consort_audio.codecs.child_calls import cut_in_child
from consort_audio.files.children import AudioChildren
from consort_audio.files.library import EXAMPLE_NAME, UNTITLED, AudioLibrary, too_many_bytes
from consort_audio.files.models import (
    AudioInfo,
    AudioList,
    AudioListItem,
    AudioSegment,
    DeleteAudio,
    DeletedAudio,
    GetAudioInfo,
    ListAudio,
    SegmentAudio,
    StoreAudio,
    StoredAudio,
)
from consort_audio.files.store import AudioRow, AudioStore
from consort_audio.files.time_ranges import frame_range, shown_seconds
from consort_audio.files.uploads import OnNewTake, Uploads
from consort_audio.settings import AudioSettings
from consort_kit.errors import InvalidInput, NotFound
from consort_kit.storage.file_names import check_name, name_from_title
from consort_kit.storage.path_sandbox import Sandbox
from consort_kit.tools.base64_text import decode_base64
from consort_kit.tools.cursor import first_page, read_cursor

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
        children: AudioChildren,
        settings: AudioSettings,
        on_new_take: OnNewTake,
        find_analyses: FindAnalyses,
    ) -> None:
        self._store = store
        self._library = library
        self._uploads = uploads
        self._children = children
        self._settings = settings
        self._on_new_take = on_new_take
        self._find_analyses = find_analyses
        for folder in FOLDERS:
            (settings.data / folder).mkdir(parents=True, exist_ok=True)
        self._sandbox = Sandbox(settings.data, FOLDERS, EXAMPLE_NAME)

    async def store(self, request: StoreAudio) -> StoredAudio:
        name = check_name(request.name, "name", EXAMPLE_NAME) if request.name is not None else None
        if request.upload_link:
            link = await self._uploads.open(name)
            return StoredAudio(
                audio_file_id=link.audio_file_id, name=name, upload_url=link.url, expires_at=link.expires_at
            )
        row = await self._store_base64(request.base64, name) if request.base64 is not None else None
        if row is None:
            assert request.path is not None
            row = await self._store_path(request.path, name)
        await self._on_new_take(row)
        return self.describe(row)

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
            await asyncio.to_thread(file.write_bytes, content)
            return await self._add(file, name or UNTITLED, "base64")
        finally:
            file.unlink(missing_ok=True)

    async def _store_path(self, path: str, name: str | None) -> AudioRow:
        file = self._library.temporary_path(".path")
        try:
            await asyncio.to_thread(self._sandbox.copy, path, file, self._settings.audio_max_bytes)
            return await self._add(file, name or PurePosixPath(path).name, "path")
        except NotFound as error:
            error.body.suggestions = [*error.body.suggestions[:1], "or use upload_link: true"]
            raise
        finally:
            file.unlink(missing_ok=True)

    async def _add(self, file: Path, name: str, field: str) -> AudioRow:
        """Add a file that the user has given in `field`."""
        try:
            return await self._library.add(file, name, "upload", {})
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
            origin={name: value for name, value in row.origin.items() if name.endswith("_id") and value} or None,
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

    async def segment(self, request: SegmentAudio) -> AudioSegment:
        row = await self._library.row(request.audio_file_id)
        name = check_name(request.name, "name", EXAMPLE_NAME) if request.name is not None else None
        start, end = frame_range(request.start_time, request.end_time, row)
        # bounded first, because the product of a huge number and the rate is infinite
        fades = (min(seconds, row.duration + 1) for seconds in (request.fade_in, request.fade_out))
        fade_in, fade_out = (round(seconds * row.sample_rate) for seconds in fades)
        if fade_in + fade_out > end - start:
            raise InvalidInput(
                f"'fade_in' and 'fade_out' are {request.fade_in:g} s and {request.fade_out:g} s, together longer than "
                f"the segment of {(end - start) / row.sample_rate:g} s. Give shorter fades, for example 0.05.",
                field="fade_out" if request.fade_out else "fade_in",
                suggestions=["shorter fades"],
            )
        start_time, end_time = shown_seconds(start / row.sample_rate), shown_seconds(end / row.sample_rate)
        target = self._library.temporary_path(".segment")
        try:
            async with self._library.local_file(row) as source:
                await self._children.run(cut_in_child, source, target, start, end, fade_in, fade_out)
            origin = {"audio_file_id": row.id, "start_time": start_time, "end_time": end_time}
            default = name_from_title(f"{PurePosixPath(row.name).stem} {start_time:g}-{end_time:g} s", "")
            made = await self._library.add(target, name or default, "segment", origin)
        finally:
            target.unlink(missing_ok=True)
        links = self._library.links(made)
        return AudioSegment(
            new_audio_file_id=made.id,
            audio_file_id=made.id,
            original_audio_file_id=row.id,
            name=made.name,
            start_time=start_time,
            end_time=end_time,
            duration=shown_seconds(made.duration),
            format=made.format,
            listen_url=links.listen_url,
            download_url=links.download_url(),
        )
