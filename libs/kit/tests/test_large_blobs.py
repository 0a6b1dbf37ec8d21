"""Large files are stored, streamed and copied in parts, the same way in a folder and in a bucket."""

import asyncio
import errno
import hashlib
import os
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.settings import Settings
from consort_kit.storage.blobs import STREAM_BYTES, Blobs
from tests.support.servers.storage_servers import ExternalS3

LARGE = 48 * 1024 * 1024
KEY = "audio/a/b.wav"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 120))


@pytest.fixture(scope="module")
def s3() -> Iterator[ExternalS3]:
    with ExternalS3() as running:
        yield running


@pytest.fixture(params=["folder", "bucket"])
def blobs(request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Blobs:
    if request.param == "bucket":
        s3: ExternalS3 = request.getfixturevalue("s3")
        for name, value in s3.environment.items():
            monkeypatch.setenv(name, value)
        settings = settings.model_copy(update={"blob_url": s3.url})
    return Blobs(settings)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    block = os.urandom(1024 * 1024)
    with path.open("wb") as out:
        for number in range(LARGE // len(block)):
            out.write(number.to_bytes(4, "big") + block[4:])
    return path


async def collect(blobs: Blobs, start: int, end: int) -> bytes:
    return b"".join([part async for part in blobs.stream(KEY, start, end)])


def test_a_file_is_moved_in_streamed_and_copied_out(blobs: Blobs, file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()

    async def work() -> None:
        assert await blobs.size(KEY) is None
        await blobs.put_file(KEY, file)
        assert not file.exists()
        assert await blobs.size(KEY) == LARGE
        for start, end in ((0, 10), (5, 5), (1_000_000, 9_000_000), (LARGE - 3, LARGE), (0, LARGE)):
            assert await collect(blobs, start, end) == content[start:end]
        await blobs.get_file(KEY, tmp_path / "copy")
        await blobs.delete(KEY)

    run(work())
    assert hashlib.sha256((tmp_path / "copy").read_bytes()).digest() == hashlib.sha256(content).digest()


def test_streaming_needs_little_memory(blobs: Blobs, file: Path) -> None:
    async def work() -> None:
        await blobs.put_file(KEY, file)
        before = psutil.Process().memory_info().rss
        parts = 0
        async for part in blobs.stream(KEY, 0, LARGE):
            parts += 1
            assert len(part) < 32 * STREAM_BYTES
            assert psutil.Process().memory_info().rss - before < LARGE // 2
        assert parts > 5
        await blobs.delete(KEY)

    run(work())


def test_a_missing_blob(blobs: Blobs, tmp_path: Path) -> None:
    async def work() -> None:
        assert await blobs.size("audio/none") is None
        with pytest.raises(NotFound):
            await anext(blobs.stream("audio/none", 0, 10))
        with pytest.raises(NotFound):
            await blobs.get_file("audio/none", tmp_path / "none")

    run(work())
    assert not (tmp_path / "none").exists()


def test_a_file_that_cannot_be_stored_is_gone_too(settings: Settings, file: Path) -> None:
    settings.data.mkdir(parents=True)
    (settings.data / "audio").write_text("a file where a folder is needed")

    async def work() -> None:
        with pytest.raises(ServiceDown, match="could not be stored"):
            await Blobs(settings).put_file(KEY, file)

    run(work())
    assert not file.exists()


def test_a_copy_that_cannot_be_written(blobs: Blobs, file: Path, tmp_path: Path) -> None:
    async def work() -> None:
        await blobs.put_file(KEY, file)
        with pytest.raises(ServiceDown, match="disk is not full"):
            await blobs.get_file(KEY, tmp_path / "no folder" / "copy")

    run(work())


def test_a_folder_on_another_file_system(settings: Settings, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file cannot be renamed into it: it is copied, and the copy is renamed."""
    rename = os.replace

    def replace(source: Path, target: Path) -> None:
        if Path(source).parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        rename(source, target)

    monkeypatch.setattr(os, "replace", replace)
    content = file.read_bytes()
    run(Blobs(settings).put_file(KEY, file))
    stored = settings.data / KEY
    assert stored.read_bytes() == content and os.listdir(stored.parent) == [stored.name]
    assert not file.exists()
