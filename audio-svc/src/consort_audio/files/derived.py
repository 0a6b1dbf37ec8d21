"""What is made from a file on request and then kept as a blob beside it: other formats, and the waveform's outline."""

import asyncio
import json
from collections.abc import Awaitable, Callable

from consort_audio.codecs.child_calls import convert_in_child, peaks_in_child
from consort_audio.files.children import AudioChildren
from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_kit.errors import TimedOut
from consort_kit.jobs.models import WAIT_S
from consort_kit.storage.blobs import Blobs


class DerivedFiles:
    def __init__(self, library: AudioLibrary, blobs: Blobs, children: AudioChildren, converters: AudioChildren) -> None:
        """Make the derived files. `converters` only convert, so that nothing else waits for conversions of minutes."""
        self._library = library
        self._blobs = blobs
        self._children = children
        self._converters = converters
        self._running: dict[str, asyncio.Task[None]] = {}

    async def converted(self, row: AudioRow, audio_format: str) -> str:
        """Return the key of a blob with the file in another format: the stored bytes if they have this format."""
        if audio_format == row.format:
            return row.blob_key
        return await self._kept(row, audio_format, lambda key: self._convert(row, audio_format, key))

    async def peaks(self, row: AudioRow) -> str:
        """Return the key of a blob with the JSON of the file's duration and outline."""
        return await self._kept(row, "peaks.json", lambda key: self._find_peaks(row, key))

    async def _kept(self, row: AudioRow, suffix: str, make: Callable[[str], Awaitable[None]]) -> str:
        """Return the key of a derived blob, which is made if it does not exist yet.

        Requests for the same blob share the work. If it takes longer than WAIT_S, raise TimedOut; the work goes on, and
        a later request finds its result.
        """
        key = f"audio/{row.id}/{row.sha256}.{suffix}"
        if await self._blobs.size(key) is not None:
            return key
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._make(row, key, make))
            task.add_done_callback(lambda _: self._running.pop(key))
        done, _ = await asyncio.wait({task}, timeout=WAIT_S)
        if not done:
            raise TimedOut(
                f"Converting {row.name!r} takes longer than {WAIT_S:g} s and goes on. Open the link again in a minute.",
                suggestions=["Open the link again in a minute."],
            )
        task.result()
        return key

    async def _make(self, row: AudioRow, key: str, make: Callable[[str], Awaitable[None]]) -> None:
        await make(key)
        if await self._library.row_if_exists(row.id) is None:  # deleted in the meantime
            await self._blobs.delete(key)

    async def _convert(self, row: AudioRow, audio_format: str, key: str) -> None:
        target = self._library.temporary_path(f".{audio_format}")
        try:
            async with self._library.local_file(row) as source:
                await self._converters.run(convert_in_child, source, target, audio_format)
            await self._blobs.put_file(key, target)
        finally:
            target.unlink(missing_ok=True)

    async def _find_peaks(self, row: AudioRow, key: str) -> None:
        async with self._library.local_file(row) as source:
            found = await self._children.run(peaks_in_child, source, row.frames)
        content = json.dumps({"duration": row.duration, "peaks": found}, separators=(",", ":"), allow_nan=False)
        await self._blobs.put(key, content.encode())
