"""Postgres stops and does not come back: a call says so after one wait, and leaves nothing."""

import asyncio
import time
from pathlib import Path

import httpx2

from consort_kit.storage.postgres import POOL_WAIT_S
from consort_midi_store.app import make_app
from consort_midi_store.settings import MidiStoreSettings
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.midi_files import as_base64, tune
from tests.support.servers.storage_servers import ExternalPostgres


def test_storing_waits_for_the_database_only_once(tmp_path: Path) -> None:
    postgres = ExternalPostgres(tmp_path / "postgres")
    postgres.start()
    settings = MidiStoreSettings(data=tmp_path / "data", database_url=postgres.url)
    app = make_app(settings)
    headers = {"Authorization": f"Bearer {settings.bearer_token}"}
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://t", headers=headers)

    async def main() -> None:
        async with app.router.lifespan_context(app), client:
            await client.post("/tools/list_midi", json={})
            postgres.stop()
            for _ in range(2):  # the first call may still have a connection, which is cut
                began = time.monotonic()
                answer = await client.post("/tools/store_midi", json={"base64": as_base64(tune(3)), "name": "lost.mid"})
                waited_s = time.monotonic() - began
            assert check_error_shape(answer.json())["code"] == "SERVICE_DOWN"
            assert POOL_WAIT_S * 0.9 < waited_s < POOL_WAIT_S * 1.5

    asyncio.run(main())
    assert not list((tmp_path / "data" / "midi").glob("*/*.mid"))
