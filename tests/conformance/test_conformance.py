"""Run the official conformance suite against the gateway, in both protocol eras.

`--requirements` runs every scenario of a revision. Most of them need the tools, prompts and resources of the suite's
own server. Such a scenario is left out with a reason, and its report must show that reason. For example, if the studio
gets log messages, this test fails until the scenarios for them pass.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers import npm_programs
from tests.support.servers.studio import Studio
from tests.support.servers.token_proxy import token_proxy

HERE = Path(__file__).parent

APPLICABLE = {
    "2025-11-25": {
        "server-initialize",
        "ping",
        "tools-list",
        "prompts-list",
        "resources-list",
        "server-session-lifecycle",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
    },
    "2026-07-28": {
        "server-stateless",
        "tools-list",
        "prompts-list",
        "resources-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
    },
}


@dataclass(frozen=True)
class LeftOut:
    checks: str
    """A pattern with wildcards for SCENARIO:CHECK."""
    why: str
    shown_by: str
    """A regular expression that the suite's report of the check must match."""


NO_SUCH_TOOL = r"There is no tool '\w+'|Prerequisite failed|Not testable"
NO_SUCH_METHOD = r"Method not found|-32601"
NO_SUCH_PROMPT = r"There is no prompt 'test_\w+'"
NOTHING_TO_RESUME = "did not (provide|return)|priming event|retry field"

IN_BOTH = [
    LeftOut("tools-call-*:*", "a tool of the suite's own server", rf"{NO_SUCH_TOOL}|Method not found"),
    LeftOut("json-schema-2020-12:*", "a tool of the suite's own server", "'json_schema_2020_12_tool' not found"),
    LeftOut("prompts-get-*:*", "a prompt of the suite's own server", NO_SUCH_PROMPT),
    LeftOut("resources-*:*", "a resource of the suite's own server", "There is no resource 'test://"),
    LeftOut("completion-complete:*", "a prompt of the suite's own server", NO_SUCH_PROMPT),
]
LEFT_OUT = {
    "2025-11-25": [
        *IN_BOTH,
        LeftOut("resources-*subscribe:*", "resources are not watched", NO_SUCH_METHOD),
        LeftOut("logging-set-level:*", "the studio sends no log messages", NO_SUCH_METHOD),
        LeftOut("elicitation-*:*", "no tool asks the user; a tool of the suite's own server", NO_SUCH_TOOL),
        LeftOut("server-session-lifecycle:*", "a session id is only a name: there is nothing to delete", "405"),
        LeftOut(
            "server-sse-polling:*", "needs a tool of the suite's own server that resumes a stream", NOTHING_TO_RESUME
        ),
    ],
    "2026-07-28": [
        *IN_BOTH,
        LeftOut("server-stateless:*-undeclared-capability", "no tool needs a capability of the client", NO_SUCH_TOOL),
        LeftOut("server-stateless:*-missing-capability-http-400", "no tool needs a capability", NO_SUCH_TOOL),
        LeftOut("server-stateless:*-no-independent-requests-on-stream", "no tool asks the user", NO_SUCH_TOOL),
        LeftOut("server-stateless:*-no-log-without-loglevel", "the studio sends no log messages", NO_SUCH_TOOL),
        LeftOut("server-stateless:*subscription*", "the tool list never changes", "advertises no|did not declare"),
        LeftOut("server-stateless:*-notification-filter", "the tool list never changes", "advertises no"),
        LeftOut("input-required-result-non-tool-request:*", "a prompt of the suite's own server", NO_SUCH_PROMPT),
        LeftOut(
            "input-required-result-*:*",
            "no tool asks the user; tools of the suite's own server",
            rf"{NO_SUCH_TOOL}|Expected InputRequiredResult|instead of re-requesting",
        ),
        LeftOut(
            "tasks-*:*",
            "the tasks extension is not offered, and needs tools of the suite's own server",
            rf"{NO_SUCH_TOOL}|{NO_SUCH_METHOD}|extensions MUST be advertised|returned error code -32602"
            "|fixture from Check 2 unavailable|harness needs a rewrite",
        ),
        LeftOut("http-custom-header-server-validation:*", "no tool reads a header", "no tool with x-mcp-header"),
    ],
}


@pytest.mark.parametrize("revision", APPLICABLE)
def test_conformance(studio: Studio, tmp_path: Path, revision: str) -> None:
    reported = _run_suite(studio, tmp_path, revision)
    assert APPLICABLE[revision] <= reported.keys()
    failures: list[str] = []
    used: set[LeftOut] = set()
    for scenario, checks in reported.items():
        reasons = [_reason(revision, scenario, check) for check in checks]
        used |= {reason for reason in reasons if reason is not None}
        failures += [
            f"{scenario}:{check['id']} {check['status']}: {_report_text(check)}"
            for check, reason in zip(checks, reasons, strict=True)
            if check["status"] not in ("SUCCESS", "INFO") and reason is None
        ]
        if scenario in APPLICABLE[revision]:
            if not any(check["status"] == "SUCCESS" and check["id"] != "wire-schema-valid" for check in checks):
                failures.append(f"{scenario}: nothing was checked")
        elif not any(reasons):
            failures.append(f"{scenario}: is not applicable, and its report does not show a reason of LEFT_OUT")
    assert not failures, "\n".join(failures)
    assert set(LEFT_OUT[revision]) == used, "an entry of LEFT_OUT is not needed"


def _reason(revision: str, scenario: str, check: dict[str, Any]) -> LeftOut | None:
    if check["status"] == "SUCCESS":
        return None
    matching = (each for each in LEFT_OUT[revision] if fnmatch(f"{scenario}:{check['id']}", each.checks))
    return next((each for each in matching if re.search(each.shown_by, _report_text(check))), None)


def _report_text(check: dict[str, Any]) -> str:
    return f"{check.get('errorMessage', '')} {json.dumps(check.get('details'))}"


def _run_suite(studio: Studio, results: Path, revision: str) -> dict[str, list[dict[str, Any]]]:
    """Return the checks that the suite made, by scenario."""
    suite = npm_programs.install(HERE) / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    with token_proxy(studio.url, studio.token) as url:
        options = ["--url", f"{url}/mcp", "--requirements", revision, "--output-dir", str(results)]
        done = subprocess.run(
            [npm_programs.node(), suite, "server", *options], capture_output=True, text=True, timeout=120
        )
    reports = sorted(results.glob("server-*/checks.json"))
    assert reports, done.stderr
    return {re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", file.parent.name): _read(file) for file in reports}


def _read(report: Path) -> list[dict[str, Any]]:
    checks: list[dict[str, Any]] = json.loads(report.read_text())
    return checks
