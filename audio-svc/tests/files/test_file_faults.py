"""What the parts that store files do while others are busy, when they are interrupted, and when the disk is full."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from consort_audio.files.children import AudioChildren
from consort_audio.files.library import AudioLibrary
from consort_audio.files.models import StoreAudio
from consort_audio.files.part_file import PartFile, lock_part_file
from consort_audio.files.uploads import UploadRequest, UploadState
from consort_kit.errors import ServiceDown
from consort_kit.http.signed_links import Links
from consort_kit.storage.blobs import Blobs
from tests.support.audio_file_parts import FileParts, RunWithParts, body_of
from tests.support.audio_files import as_base64, melody, sine, wav_bytes

TAKE = wav_bytes(sine(440, 0.5))


def test_a_question_while_another_process_checks_the_complete_file(
    run_with_parts: RunWithParts,
) -> None:
    async def work(parts: FileParts) -> None:
        file_id = (await parts.uploads.open("take")).audio_file_id
        head = UploadRequest(f"bytes 0-99/{len(TAKE)}", 100, None, None, body_of(TAKE[:100]))
        assert (await parts.uploads.receive(file_id, head)).received == 100
        other_process = await lock_part_file(parts.library.part_path(file_id), 0)
        assert other_process is not None
        await other_process.append(TAKE[100:])
        question = UploadRequest(f"bytes */{len(TAKE)}", 0, None, None, body_of(b""))
        assert await parts.uploads.receive(file_id, question) == UploadState(len(TAKE))
        other_process.close()  # as if it had died
        row = (await parts.uploads.receive(file_id, question)).row
        assert row is not None and row.bytes == len(TAKE)

    run_with_parts(work)


def test_bytes_without_a_row_are_swept_after_a_day(run_with_parts: RunWithParts) -> None:
    async def work(parts: FileParts) -> None:
        row = await parts.upload(TAKE)
        kept = {row.blob_key, await parts.derived.peaks(row), "audio/audio_young/a.wav"}
        for key in ("audio/audio_gone/a.wav", "audio/audio_gone/b.json", "audio/audio_young/a.wav"):
            await parts.blobs.put(key, b"x")
        for key in await parts.blobs.keys("audio/"):
            path = parts.blobs.local_path(key)
            assert path is not None
            if "young" not in key:
                os.utime(path, (time.time() - 2 * 24 * 3600,) * 2)
        await parts.library.sweep()
        assert set(await parts.blobs.keys("audio/")) == kept

    run_with_parts(work)


def test_nothing_but_a_conversion_waits_for_conversions(run_with_parts: RunWithParts) -> None:
    async def work(parts: FileParts) -> None:
        busy = asyncio.create_task(parts.converters.run(time.sleep, 600))
        await asyncio.sleep(0)
        row = await parts.upload(TAKE)
        conversion = asyncio.create_task(parts.derived.converted(row, "mp3"))
        assert await parts.blobs.size(await parts.derived.peaks(row))
        assert not conversion.done()
        busy.cancel()
        assert await parts.blobs.size(await conversion)

    run_with_parts(work)


def test_a_cancelled_upload_leaves_no_bytes_without_a_row(run_with_parts: RunWithParts) -> None:
    async def work(parts: FileParts) -> None:
        file = parts.library.temporary_path(".wav")
        file.write_bytes(TAKE)
        moved = asyncio.Event()

        class BlobsThatHang(Blobs):
            async def put_file(self, key: str, file: Path) -> None:
                await super().put_file(key, file)
                moved.set()
                await asyncio.Event().wait()

        blobs, links = BlobsThatHang(parts.settings), Links(parts.settings)
        library = AudioLibrary(parts.store, blobs, links, AudioChildren(1), parts.settings)
        adding = asyncio.create_task(library.add(file, "take", "upload", {}))
        await moved.wait()
        assert [path.suffix for path in (parts.data / "audio").rglob("*.*")] == [".wav"]
        adding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await adding
        assert list((parts.data / "audio").rglob("*.*")) == []
        assert list((parts.data / "uploads").iterdir()) == []

    run_with_parts(work)


def test_a_folder_that_cannot_be_written(run_with_parts: RunWithParts) -> None:
    async def work(parts: FileParts) -> None:
        (parts.data / "uploads").rmdir()
        with pytest.raises(ServiceDown, match="disk is not full"):
            await parts.files.store(StoreAudio(base64=as_base64(TAKE)))
        with pytest.raises(ServiceDown, match="disk is not full"):
            await parts.upload(TAKE)

    run_with_parts(work)


def test_a_part_file_that_cannot_be_written(tmp_path: Path) -> None:
    async def work() -> None:
        path = tmp_path / "part"
        path.write_bytes(b"sound")
        part = PartFile(path, os.open(path, os.O_RDONLY))
        for change in (part.append(b"more"), part.cut_to(1)):
            with pytest.raises(ServiceDown, match="disk is not full"):
                await change
        part.close()
        with pytest.raises(ServiceDown, match="disk is not full"):
            await part.flush()

    asyncio.run(work())


@pytest.mark.parametrize("audio_format", ["wav", "flac", "ogg", "mp3"])
def test_a_conversion_on_a_full_disk(tmp_path: Path, audio_format: str) -> None:
    """A limit for the size of files stands for the end of the disk."""
    (tmp_path / "take.wav").write_bytes(wav_bytes(melody(5, 44_100)))
    code = (
        "(__import__('resource').setrlimit(__import__('resource').RLIMIT_FSIZE, (20_000, 20_000)),"
        " __import__('consort_audio.codecs.convert').codecs.convert.convert"
        f"(*map(__import__('pathlib').Path, {(str(tmp_path / 'take.wav'), str(tmp_path / 'made'))!r}),"
        f" {audio_format!r}))"
    )
    with pytest.raises(ServiceDown, match="disk is not full"):
        asyncio.run(AudioChildren(1).run(eval, code))
