"""Blobs in a folder are complete or missing, even during parallel writes and after a crash."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.settings import Settings
from consort_kit.storage.blobs import Blobs


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


@pytest.fixture
def blobs(settings: Settings) -> Blobs:
    return Blobs(settings)


def test_put_get_delete(blobs: Blobs, settings: Settings) -> None:
    async def work() -> None:
        for content in (b"", b"MThd\x00\xff", bytes(3_000_000)):
            await blobs.put("midi/a/b.mid", content)
            assert await blobs.get("midi/a/b.mid") == content
            assert (settings.data / "midi" / "a" / "b.mid").read_bytes() == content
        await blobs.delete("midi/a/b.mid")
        with pytest.raises(NotFound, match=r"midi/a/b\.mid"):
            await blobs.get("midi/a/b.mid")

    run(work())


def test_other_users_cannot_read_blobs(blobs: Blobs, settings: Settings) -> None:
    """The data folder may be one that the user made."""
    settings.data.chmod(0o755)
    run(blobs.put("audio/a/b.wav", b"x"))
    assert [oct((settings.data / each).stat().st_mode & 0o777) for each in ("audio", "audio/a")] == ["0o700"] * 2


@pytest.mark.parametrize("key", ["../outside", "midi/../../outside", "/outside", "midi/../token"])
def test_a_key_never_leads_outside(blobs: Blobs, key: str) -> None:
    with pytest.raises(NotFound):
        blobs.local_path(key)
    with pytest.raises(NotFound):
        run(blobs.put(key, b"x"))


def test_a_missing_blob(blobs: Blobs) -> None:
    async def work() -> None:
        for key in ("midi/none", "none", "midi"):
            with pytest.raises(NotFound):
                await blobs.get(key)
        await blobs.delete("midi/none")

    run(work())


def test_a_folder_given_instead_of_the_data_folder(settings: Settings, tmp_path: Path) -> None:
    async def work() -> None:
        await Blobs(settings.model_copy(update={"blob_url": str(tmp_path / "elsewhere")})).put("a", b"x")
        await Blobs(settings.model_copy(update={"blob_url": (tmp_path / "by url").as_uri()})).put("a", b"y")

    (tmp_path / "by url").mkdir()
    run(work())
    assert (tmp_path / "elsewhere" / "a").read_bytes() == b"x"
    assert (tmp_path / "by url" / "a").read_bytes() == b"y"


def test_parallel_reads_never_see_part_of_a_blob(blobs: Blobs, settings: Settings) -> None:
    versions = [bytes([number]) * 400_000 for number in range(8)]

    async def read() -> None:
        for _ in range(20):
            assert await blobs.get("midi/same") in versions

    async def work() -> None:
        await blobs.put("midi/same", versions[0])
        writes = [blobs.put("midi/same", version) for version in versions * 3]
        others = [blobs.put(f"midi/{number}", version) for number, version in enumerate(versions)]
        await asyncio.gather(*writes, *others, *(read() for _ in range(4)))
        for number, version in enumerate(versions):
            assert await blobs.get(f"midi/{number}") == version

    run(work())
    assert sorted(os.listdir(settings.data / "midi")) == sorted(["same", *map(str, range(8))])  # no temporary files


def test_a_killed_writer_leaves_only_complete_files(settings: Settings) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from consort_kit.storage.blobs import Blobs
from consort_kit.settings import Settings

async def write() -> None:
    blobs = Blobs(Settings(data=Path(sys.argv[1]), token="t"))
    for number in range(100_000):
        await blobs.put(f"midi/{number}.mid", bytes([number % 256]) * 2_000_000)
        print(number, flush=True)

asyncio.run(write())
"""
    writer = subprocess.Popen([sys.executable, "-c", code, str(settings.data)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    for _ in range(5):
        writer.stdout.readline()
    writer.kill()
    writer.communicate()
    written = list((settings.data / "midi").glob("*.mid"))
    assert len(written) >= 5
    for path in written:
        assert path.read_bytes() == bytes([int(path.stem) % 256]) * 2_000_000


def test_a_disk_that_cannot_be_written(settings: Settings) -> None:
    settings.data.mkdir(parents=True)
    (settings.data / "midi").write_text("a file where a folder is needed")

    async def work() -> None:
        with pytest.raises(ServiceDown, match="could not be stored") as caught:
            await Blobs(settings).put("midi/a", b"x")
        assert str(settings.data) not in caught.value.body.message

    run(work())
