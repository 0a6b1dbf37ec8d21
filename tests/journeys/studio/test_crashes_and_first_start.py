"""Test a crashed service, a studio that does not run, and calls before the studio has started."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from consort_kit.services import SERVICES
from evaluation.mcp_answers import answer_of, error_of
from evaluation.processes.servers import wait_until
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import CONSORT, Studio


def test_killed_service_comes_back_and_nothing_is_lost(own_studio: Studio) -> None:
    own_studio.up()
    stored = own_studio.call("store_midi", base64=as_base64(tune(12)), name="kept.mid")
    before = own_studio.status()["services"]
    os.kill(before["midi-store"]["pid"], signal.SIGKILL)
    ok, result = own_studio.try_call("list_midi")
    if not ok:  # otherwise the service is back already
        assert result["error"]["code"] == "SERVICE_DOWN"
    wait_until(
        lambda: own_studio.try_call("get_midi", midi_file_id=stored["midi_file_id"])[0], "the file can be read", 30
    )
    after = own_studio.status()["services"]
    assert after["midi-store"]["pid"] != before["midi-store"]["pid"]
    assert {name: part["pid"] for name, part in after.items() if name != "midi-store"} == {
        name: part["pid"] for name, part in before.items() if name != "midi-store"
    }


@pytest.mark.long
def test_data_survives_down_and_up(own_studio: Studio) -> None:
    own_studio.up()
    stored = own_studio.call("store_midi", base64=as_base64(tune(12)), name="kept.mid")
    own_studio.down()
    assert own_studio.consort("status").returncode == 1
    own_studio.up()
    assert own_studio.call("get_midi", path="kept.mid")["midi_file_id"] == stored["midi_file_id"]


def test_the_studio_does_not_run_and_is_not_started(own_studio: Studio) -> None:
    """The tool list is complete, and a call reports within 3 s that the service is down."""

    async def main() -> None:
        arguments = [*CONSORT[1:], "mcp", "--no-start"]
        server = StdioServerParameters(command=CONSORT[0], args=arguments, env=own_studio.environment)
        async with Client(stdio_client(server)) as client:
            listed = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools]
            assert listed == json.loads(own_studio.consort("tools", "--json").stdout)
            began = time.monotonic()
            answer = await client.call_tool("list_midi", {})
            assert error_of(answer)["code"] == "SERVICE_DOWN"
            assert time.monotonic() - began < 3

    asyncio.run(main())
    done = own_studio.consort("call", "list_midi")
    assert done.returncode == 1 and json.loads(done.stdout)["error"]["code"] == "SERVICE_DOWN"


def test_another_program_on_our_ports_gets_no_token(own_studio: Studio) -> None:
    heard: list[bytes] = []

    class OtherProgram(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(bytes(self.headers))
            self.send_response(200)
            self.end_headers()

        do_GET = do_POST

    ports = [own_studio.port_base, own_studio.port_base + SERVICES["midi-store"].port_offset]
    servers = [HTTPServer(("127.0.0.1", port), OtherProgram) for port in ports]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    try:

        async def main() -> None:
            for option in ("--no-start", "--read-only"):  # the second tries to start the studio and finds used ports
                arguments = [*CONSORT[1:], "mcp", option]
                server = StdioServerParameters(command=CONSORT[0], args=arguments, env=own_studio.environment)
                async with Client(stdio_client(server)) as client:
                    answer = await client.call_tool("list_midi", {})
                    assert error_of(answer)["code"] == "SERVICE_DOWN"

        asyncio.run(main())
        done = own_studio.consort("call", "list_midi")
        assert done.returncode == 1 and json.loads(done.stdout)["error"]["code"] == "SERVICE_DOWN"
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
    assert heard == []


def test_first_call_waits_for_the_start(own_studio: Studio) -> None:
    """Like Claude Desktop, list the tools first, then make a call, which waits for the start and reports progress."""
    progress_texts: list[str] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        progress_texts.append(message or "")

    async def main() -> None:
        server = StdioServerParameters(command=CONSORT[0], args=[*CONSORT[1:], "mcp"], env=own_studio.environment)
        async with Client(stdio_client(server)) as client:
            assert (await client.list_tools()).tools
            answer = await client.call_tool("list_midi", {}, progress_callback=on_progress)
            assert answer_of(answer) == {"items": []}

    asyncio.run(main())
    assert progress_texts and set(progress_texts) == {"midi-store is starting"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
def test_ctrl_c_stops_everything_it_started(own_studio: Studio) -> None:
    up = subprocess.Popen(
        [*CONSORT, "up"], env=own_studio.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wait_until(lambda: own_studio.consort("status").returncode == 0, "the studio is healthy", 90)
    pids = [part["pid"] for part in own_studio.status()["services"].values()]
    up.send_signal(signal.SIGINT)
    output, _ = up.communicate(timeout=30)
    assert up.returncode == 0, output
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
