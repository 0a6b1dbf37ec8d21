"""Kill or suspend processes of the studio while clients use it."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from consort_gateway.tools.catalogue import load_catalogue
from consort_kit.processes.studio_state import read_studio_state
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.errors_and_faults.fault_measurements import (
    MAX_BACK_S,
    MAX_ERROR_S,
    assert_nothing_lost,
    busy_clients,
    seconds_until_back,
)
from tests.support.errors_and_faults.injected_faults import (
    FAULTS,
    MORE_FAULTS,
    READING_TOOLS,
    SERVICES_WITHOUT_STORAGE,
    STORING_TOOLS,
    InjectedFault,
)
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import CONSORT, Studio

TRIES = 2
"""How often a fault may be tried: times are longer on a machine that is busy with other tests."""


def test_every_tool_and_service_is_in_the_table() -> None:
    tools = load_catalogue()
    assert {tool.name for tool in tools} == EXAMPLE_CALLS.keys()
    assert {tool.service for tool in tools} == READING_TOOLS.keys()
    assert {tool.service for tool in tools if tool.effect != "read"} == STORING_TOOLS.keys() | SERVICES_WITHOUT_STORAGE


@pytest.mark.parametrize(
    "fault",
    [*FAULTS, *(pytest.param(fault, marks=pytest.mark.long) for fault in MORE_FAULTS)],
    ids=lambda fault: fault.name,
)
def test_fault(attacked_studio: Studio, fault: InjectedFault) -> None:
    for _ in range(TRIES):
        with busy_clients(attacked_studio) as seen:
            while len(seen.acknowledged) < 8:
                time.sleep(0.05)
            fault.cause(attacked_studio)
            back_s = seconds_until_back(attacked_studio)
        print(f"{fault.name}: slowest error {seen.slowest_error_s:.1f} s, all back after {back_s:.1f} s")
        for error in seen.errors:
            check_error_shape(error)
        assert_nothing_lost(attacked_studio, seen.acknowledged)
        is_in_time = seen.slowest_error_s <= MAX_ERROR_S and back_s <= MAX_BACK_S
        if is_in_time:
            break
    assert is_in_time, (seen.slowest_error_s, back_s)


def test_client_killed_in_the_middle_of_a_call(attacked_studio: Studio) -> None:
    big = as_base64(tune(20_000))
    line = f'{{"tool": "store_midi", "arguments": {{"base64": "{big}", "name": "cut-off.mid"}}}}'
    for delay in (0.15, 0.3, 0.5):
        client = subprocess.Popen(
            [*CONSORT, "call", "--batch", "-"],
            env=attacked_studio.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        assert client.stdin is not None
        client.stdin.write(line.encode())
        client.stdin.close()
        time.sleep(delay)
        client.kill()
        client.wait()
    assert seconds_until_back(attacked_studio) <= MAX_BACK_S
    assert_nothing_lost(attacked_studio, [])
    stored, result = attacked_studio.try_call("get_midi", path="cut-off.mid", include_base64=True)
    found = result["base64"] if stored else result["error"]["code"]
    assert found == (big if stored else "NOT_FOUND"), "the file must be complete or absent"


@pytest.mark.long
def test_all_processes_end_with_a_killed_launcher_and_the_next_start_works(own_studio: Studio) -> None:
    own_studio.up()
    kept = own_studio.call("store_midi", base64=as_base64(tune(5)), name="kept.mid")
    pids = [part["pid"] for part in own_studio.status()["services"].values()]
    studio = read_studio_state(own_studio.data)
    assert studio is not None
    os.kill(studio.launcher_pid, signal.SIGKILL)
    began = time.monotonic()
    own_studio.try_call("list_midi")
    assert time.monotonic() - began <= MAX_ERROR_S
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() - began < 15, "the launcher's children must end with it"
        time.sleep(0.1)
    own_studio.up()
    assert time.monotonic() - began <= MAX_BACK_S
    assert own_studio.call("get_midi", path="kept.mid")["midi_file_id"] == kept["midi_file_id"]


@pytest.mark.long
def test_a_studio_starts_whose_launcher_and_database_were_killed(own_studio: Studio) -> None:
    """Postgres recovers while the services start. Each of them must answer every call from then on."""
    own_studio.up()
    own_studio.call("store_midi", base64=as_base64(tune(5)), name="kept.mid")
    for _ in range(2):
        studio = read_studio_state(own_studio.data)
        assert studio is not None
        for pid in (studio.launcher_pid, studio.services["postgres"].pid):
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
        own_studio.up()
        for _ in range(10):
            assert own_studio.call("get_midi", path="kept.mid")["metadata"]["note_count"] == 5


def test_an_assistant_can_go_on_after_the_launcher_was_killed(own_studio: Studio) -> None:
    async def main() -> None:
        server = StdioServerParameters(command=CONSORT[0], args=[*CONSORT[1:], "mcp"], env=own_studio.environment)
        async with Client(stdio_client(server)) as client:
            assert not (await client.call_tool("list_midi", {})).is_error
            studio = read_studio_state(own_studio.data)
            assert studio is not None
            os.kill(studio.launcher_pid, signal.SIGKILL)
            await asyncio.sleep(2)
            answer = await client.call_tool("list_midi", {})
            assert not answer.is_error, answer.content

    asyncio.run(main())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small file system can only be mounted by root on Linux")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.long
def test_disk_full(small_disk: Path) -> None:
    studio = Studio(small_disk / "data")
    studio.up()
    try:
        with busy_clients(studio, clients=2) as seen:
            while len(seen.acknowledged) < 8:
                time.sleep(0.05)
            filler = small_disk / "filler"
            with filler.open("wb") as file:
                file.truncate(0)
                try:
                    while True:
                        file.write(b"x" * 65536)
                        file.flush()
                except OSError:
                    pass
            began = time.monotonic()
            while not seen.errors and time.monotonic() - began < 20:
                time.sleep(0.1)
            assert seen.errors, f"{shutil.disk_usage(small_disk)}: no call failed"
            for tool in ("store_midi", "store_audio"):
                assert studio.failed_call(tool, **EXAMPLE_CALLS[tool]())["code"] == "DISK_FULL"
            filler.unlink()
            back_s = seconds_until_back(studio)
        codes = {check_error_shape(error)["code"] for error in seen.errors}
        assert "DISK_FULL" in codes, codes
        assert seen.slowest_error_s <= MAX_ERROR_S
        assert back_s <= MAX_BACK_S
        assert_nothing_lost(studio, seen.acknowledged)
    finally:
        studio.down()
