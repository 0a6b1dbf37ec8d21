"""Overwritten files and exports can be restored; old versions and bytes without a row are swept at start."""

import asyncio
import base64
import hashlib
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from consort_midi_store.app import make_app
from consort_midi_store.settings import MidiStoreSettings
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.midi_files import as_base64, tune
from tests.support.servers.storage_servers import ExternalPostgres

DAY_S = 86400.0


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalPostgres]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


@pytest.fixture
def settings(postgres: ExternalPostgres, tmp_path: Path) -> MidiStoreSettings:
    return MidiStoreSettings(data=tmp_path, database_url=postgres.url)


class MidiStore:
    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> Any:
        answer = await self._client.post(f"/tools/{tool}", json=arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._client.post(f"/tools/{tool}", json=arguments)
        assert answer.status_code >= 400
        return check_error_shape(answer.json())

    async def content(self, name: str) -> bytes:
        found = await self.call("get_midi", path=name, include_base64=True)
        return base64.b64decode(found["base64"])


@asynccontextmanager
async def midi_store(settings: MidiStoreSettings) -> AsyncIterator[MidiStore]:
    app = make_app(settings)
    headers = {"Authorization": f"Bearer {settings.bearer_token}"}
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://t", headers=headers)
    async with app.router.lifespan_context(app), client:
        yield MidiStore(client)


async def overwrite(store: MidiStore, name: str, *notes: int) -> list[int | None]:
    """Store tunes of so many notes under one name. Return the number of the version that each call replaced."""
    return [
        (await store.call("store_midi", base64=as_base64(tune(count)), name=name, overwrite=True)).get(
            "replaced_version"
        )
        for count in notes
    ]


def test_an_overwritten_file_is_restored(settings: MidiStoreSettings) -> None:
    async def main() -> None:
        async with midi_store(settings) as store:
            assert await overwrite(store, "one.mid", 1, 2, 3, 3) == [None, 1, 2, None]
            restored = await store.call("store_midi", name="one.mid", restore_version=1)
            assert restored["replaced_version"] == 3
            assert await store.content("one.mid") == tune(1)
            await store.call("store_midi", name="one.mid", restore_version=restored["replaced_version"])
            assert await store.content("one.mid") == tune(3)
            error = await store.error("store_midi", name="one.mid", restore_version=9)
            assert error["field"] == "restore_version" and "1, 2, 3" in ", ".join(sorted(error["suggestions"]))
            assert "No earlier version" in (await store.error("store_midi", name="x.mid", restore_version=1))["message"]
            assert "'name'" in (await store.error("store_midi", restore_version=1))["message"]
            await store.call("delete_midi", midi_file_id=restored["midi_file_id"])
            assert await overwrite(store, "one.mid", 4, 5) == [None, 1]

    asyncio.run(main())


def test_an_overwritten_export_is_restored(settings: MidiStoreSettings) -> None:
    async def main() -> None:
        async with midi_store(settings) as store:
            await overwrite(store, "a.mid", 1)
            await overwrite(store, "b.mid", 2)
            export = settings.data / "export" / "mix.mid"
            await store.call("export_midi", path="a.mid", export_name="mix.mid")
            export.write_bytes(b"changed in a DAW")
            second = await store.call("export_midi", path="b.mid", export_name="mix.mid", overwrite=True)
            assert export.read_bytes() == tune(2)
            back = await store.call("export_midi", export_name="mix.mid", restore_version=second["replaced_version"])
            assert export.read_bytes() == b"changed in a DAW" and back["export_path"] == "export/mix.mid"
            await store.call("export_midi", export_name="mix", restore_version=back["replaced_version"])
            assert export.read_bytes() == tune(2)
            assert "'export_name'" in (await store.error("export_midi", restore_version=1))["message"]
            export.write_bytes(bytes(settings.midi_max_bytes + 1))
            error = await store.error("export_midi", path="b.mid", export_name="mix.mid", overwrite=True)
            assert error["code"] == "TOO_LARGE" and export.stat().st_size > settings.midi_max_bytes

    asyncio.run(main())


def test_concurrent_overwriting_loses_no_version(settings: MidiStoreSettings) -> None:
    async def main() -> None:
        async with midi_store(settings) as store:
            await overwrite(store, "many.mid", 1)
            await overwrite(store, "source.mid", 50)
            await store.call("export_midi", path="many.mid", export_name="many.mid")
            calls = [overwrite(store, "many.mid", count) for count in range(2, 10)]
            replaced = [number for (number,) in await asyncio.gather(*calls)]
            assert sorted(map(str, replaced)) == [str(number) for number in range(1, 9)]
            kept = set()
            for number in range(1, 9):
                await store.call("store_midi", name="many.mid", restore_version=number)
                kept.add(await store.content("many.mid"))
            assert len(kept) == 8

    asyncio.run(main())


def test_old_versions_and_orphans_are_swept_at_start(settings: MidiStoreSettings) -> None:
    settings.midi_versions = 2
    orphan = settings.data / "midi" / "midi_gone" / f"{hashlib.sha256(b'x').hexdigest()}.mid"
    young = orphan.with_name(f"{hashlib.sha256(b'y').hexdigest()}.mid")

    def blobs() -> set[str]:
        return {path.stem for path in (settings.data / "midi").glob("*/*.mid")}

    def names(*notes: int) -> set[str]:
        return {hashlib.sha256(tune(count)).hexdigest() for count in notes}

    async def main() -> None:
        async with midi_store(settings) as store:
            await overwrite(store, "swept.mid", 1, 2, 3, 4)
            await store.call("export_midi", path="swept.mid")
            await overwrite(store, "other.mid", 5)
            await store.call("export_midi", path="other.mid", export_name="swept.mid", overwrite=True)
        orphan.parent.mkdir()
        orphan.write_bytes(b"x")
        for path in (settings.data / "midi").glob("*/*.mid"):
            os.utime(path, (time.time() - 40 * DAY_S,) * 2)
        young.write_bytes(b"y")
        assert blobs() == names(1, 2, 3, 4, 5) | {orphan.stem, young.stem}
        async with midi_store(settings) as store:
            async with asyncio.timeout(20):
                while orphan.stem in blobs() or names(1) <= blobs():
                    await asyncio.sleep(0.02)
            assert blobs() == names(2, 3, 4, 5) | {young.stem}
            assert await store.content("swept.mid") == tune(4)
            await store.call("store_midi", name="swept.mid", restore_version=2)
            assert await store.content("swept.mid") == tune(2)
            await store.call("export_midi", export_name="swept.mid", restore_version=1)

    asyncio.run(main())
