"""The bill of materials is valid CycloneDX and has every locked package; known vulnerabilities are looked up."""

import importlib.resources
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from referencing import Registry, Resource

from consort_cli.bootstrap import ROOT
from consort_cli.main import main

SCHEMAS = importlib.resources.files("cyclonedx.schema") / "_res"


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["sbom"]) == 0
    return json.loads(capsys.readouterr().out)


def test_valid_by_the_schema_of_cyclonedx(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"{name}.SNAPSHOT.schema.json" for name in ("bom-1.6", "jsf-0.82", "spdx")]
    schemas = {name: json.loads((SCHEMAS / name).read_text()) for name in names}
    base = "http://cyclonedx.org/schema/"  # they refer to each other by their file names
    resources = [(base + name, Resource.from_contents(schema)) for name, schema in schemas.items()]
    validator = Draft7Validator(schemas["bom-1.6.SNAPSHOT.schema.json"], registry=Registry().with_resources(resources))
    wrong = document(capsys) | {"specVersion": 7}
    assert [error.json_path for error in validator.iter_errors(wrong)] == ["$.specVersion"]
    assert list(validator.iter_errors(wrong | {"specVersion": "1.6"})) == []


def test_every_package_of_the_locks_is_in_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    components = {part["purl"]: part for part in document(capsys)["components"]}
    lock = (ROOT / "cli" / "requirements.lock").read_text()
    pinned = re.findall(r"^([\w.-]+)==([^ ;]+)", lock, re.MULTILINE)
    assert len(pinned) > 50
    for name, version in pinned:
        part = components[f"pkg:pypi/{name.lower()}@{version}"]
        for hashed in part["externalReferences"][0]["hashes"]:
            assert f"--hash=sha256:{hashed['content']}" in lock
    npm = json.loads((ROOT / "strudel-svc" / "engine" / "package-lock.json").read_text())["packages"]
    core = npm["node_modules/@strudel/core"]["version"]
    assert components[f"pkg:npm/%40strudel/core@{core}"]["licenses"] == [{"license": {"name": "AGPL-3.0-or-later"}}]
    assert main(["sbom", str(tmp_path / "sbom.json")]) == 0
    assert len(json.loads((tmp_path / "sbom.json").read_text())["components"]) == len(components)


@pytest.fixture
def osv() -> Iterator[str]:
    """Serve the part of the OSV API that is used. One package has two vulnerabilities, on two pages."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            self._send({"results": [self._result(query) for query in queries]})

        def do_GET(self) -> None:
            self._send({"id": self.path.rpartition("/")[2], "summary": "Something is wrong."})

        def _result(self, query: dict[str, Any]) -> dict[str, Any]:
            if not query["package"]["purl"].startswith("pkg:pypi/uvicorn@"):
                return {}
            if "page_token" in query:
                return {"vulns": [{"id": "GHSA-2"}]}
            return {"vulns": [{"id": "GHSA-1"}], "next_page_token": "more"}

        def _send(self, answer: Any) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_known_vulnerabilities_are_named(osv: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sbom", "--check", "--database", osv]) == 1
    said = capsys.readouterr().out
    assert re.search(r"uvicorn \S+ \(cli/requirements.lock\): GHSA-1 Something is wrong\.", said)
    assert "GHSA-2" in said and "2 known vulnerabilities" in said


def test_a_database_that_is_not_reached_is_no_clean_bill(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sbom", "--check", "--database", "http://127.0.0.1:9"]) == 2
    printed = capsys.readouterr()
    assert "Not checked" in printed.err and "0 known" not in printed.out
