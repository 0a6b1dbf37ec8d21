"""The connection to the database is cut while a change is being stored: nobody can know whether it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.processes.servers import wait_until
from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.errors_and_faults.injected_faults import READING_TOOLS, STILL_THERE, STORING_TOOLS
from tests.support.servers.cutting_proxy import CuttingProxy
from tests.support.servers.storage_servers import ExternalPostgres
from tests.support.servers.studio import Studio

NAMES = {"store_midi": "name", "store_audio": "name", "create_song": "title", "create_project": "name"}
"""The argument by which each storing tool's result is found again."""
SENT = {"store_midi": rb"insert into files", "store_audio": rb"insert into files"}
"""What a tool sends to store its row, if it is not a COMMIT."""
LISTS = {"store_midi": "list_midi", "store_audio": "list_audio", "create_song": "list_songs"}


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[CuttingProxy]:
    with ExternalPostgres(tmp_path) as postgres, CuttingProxy(postgres.url) as running:
        yield running


def is_stored(studio: Studio, tool: str, name: str) -> bool:
    if tool == "create_project":
        return studio.try_call("get_song", project_name=name)[0]
    rows = studio.call(LISTS[tool])["items"]
    return any(row.get("name", row.get("title")) == name for row in rows)


def test_a_change_in_doubt_is_reported_as_such(own_studio: Studio, proxy: CuttingProxy) -> None:
    own_studio.environment["CONSORT_DATABASE_URL"] = proxy.url
    own_studio.up()
    for service, tool in STORING_TOOLS.items():
        for cut in ("before", "after"):
            name = f"{cut}-{tool}.{'wav' if tool == 'store_audio' else 'mid'}"
            arguments = EXAMPLE_CALLS[tool]() | {NAMES[tool]: name}
            proxy.cut_at = SENT.get(tool, rb"COMMIT")
            proxy.cut = "before" if cut == "before" else "after"
            error = own_studio.failed_call(tool, **arguments)
            proxy.cut = ""
            assert error["code"] == "OUTCOME_UNKNOWN", (tool, error)
            assert "may or may not have been stored" in error["message"]
            assert READING_TOOLS[service] in error["message"], "it says where to look"
            if cut == "after":
                wait_until(lambda t=tool, n=name: is_stored(own_studio, t, n), f"{tool} is stored", 20)  # type: ignore[misc]
            else:  # it was not stored, so it can be tried again
                assert not is_stored(own_studio, tool, name)
                answer = own_studio.call(tool, **arguments)
                assert STILL_THERE[tool](own_studio, {**answer, "sent": arguments, "tool": tool})
    for row in own_studio.call("list_midi")["items"]:
        assert own_studio.call("get_midi", midi_file_id=row["midi_file_id"], include_base64=True)["base64"]
