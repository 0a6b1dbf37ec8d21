"""Log lines are JSON objects with the ids of the request and of its files. The service runs in a separate process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SERVICE = """
import logging
import sys
from pathlib import Path
from starlette.testclient import TestClient
from consort_kit import logs
from consort_kit.http.app import create_app
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.settings import Settings
from consort_kit.tools.tool_decorator import tool, tool_router

class Count(ToolInput):
    text: str

class Counted(ToolOutput):
    count: int

router = tool_router()

@tool(router, title="Count", toolset="tests", effect="read")
async def count(body: Count) -> Counted:
    logs.add_ids(midi_file_id="midi_7")
    logging.getLogger("consort.tests").warning("counting\\n%s", body.text)
    return Counted(count=len(body.text) // (len(body.text) - 1))

@tool(router, title="Count in a thread", toolset="tests", effect="read")
def count_in_thread(body: Count) -> Counted:
    logs.add_ids(score_id="score_8")
    return Counted(count=len(body.text))

logs.set_up_logs("compose", "info")
app = create_app("compose", "For tests.", [router], settings=Settings(data=Path(sys.argv[1]), token=sys.argv[2]))
with TestClient(app, headers={"Authorization": "Bearer secret-token-of-tests"}) as client:
    client.post("/tools/count", json={"text": "♪ é"}, headers={"X-Request-ID": "r-1"})
    client.post("/tools/count", json={"text": "a"}, headers={"X-Request-ID": "r-2"})
    client.post("/tools/count_in_thread", json={"text": "a"}, headers={"X-Request-ID": "r-3"})
    client.get("/health")
    client.get("/no%0Awhere", headers={"X-Request-ID": "r-4"})
    client.request("X" * 5000, "/" + "long" * 5000)
logs.add_ids(clip_id="outside a request")
logging.getLogger("consort").info("after all requests")
"""


def test_log_lines(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", SERVICE, str(tmp_path), "secret-token-of-tests"]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stderr
    lines: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines()]
    own, access, second, crash, crash_access, thread_access, nowhere, long, after = (
        line for line in lines if line["logger"].startswith("consort")
    )
    assert all(line["service"] == "compose" and line["time"].endswith("+00:00") for line in lines)

    assert (own["message"], own["level"]) == ("counting\n♪ é", "WARNING")
    assert own["request_id"] == access["request_id"] == "r-1"
    assert own["midi_file_id"] == access["midi_file_id"] == "midi_7"
    assert access["access"] is True and access["status"] == 200 and access["ms"] >= 0
    assert access["message"] == "POST /tools/count"

    assert second["request_id"] == crash["request_id"] == crash_access["request_id"] == "r-2"
    assert "ZeroDivisionError" in crash["exception"] and crash["midi_file_id"] == "midi_7"
    assert crash_access["status"] == 500

    assert thread_access["score_id"] == "score_8" and "midi_file_id" not in thread_access
    assert nowhere["message"] == "GET /no\nwhere" and "score_id" not in nowhere  # /health is not logged
    assert long["message"] == f"other /{'long' * 124}lon…"
    assert "request_id" not in after and "clip_id" not in after
    assert "secret-token-of-tests" not in output
