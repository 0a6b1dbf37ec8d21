"""Settings for every test of the repository. Skipped tests are reported at the end, and fail on CI.

Hypothesis tests have no deadline, because machines may be busy, and 20 examples each, because there are hundreds of
tests. On CI the examples are the same in every run; elsewhere each run tries new ones.
"""

import os
import re
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

ON_CI = os.environ.get("CI", "").lower() in ("1", "true")

settings.register_profile("consort", deadline=None, derandomize=ON_CI, max_examples=20)
settings.load_profile("consort")

IN_THE_CLOUD = re.compile(r"[\[-]cloud[\]-]")
"""In the id of a test that runs with the studio whose storage is in the cloud."""
IN_CONTAINERS = "tests/containers/"


class OneFileAtATime(LoadScopeScheduling):  # type: ignore[misc]  # xdist is not typed
    """Give each worker whole files, but all tests in the cloud to one worker, because that studio is slow to start.

    The same holds for the studio in containers.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(IN_CONTAINERS):
            return IN_CONTAINERS
        return "in the cloud" if IN_THE_CLOUD.search(nodeid) else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    return OneFileAtATime(config, log) if config.getvalue("dist") == "loadfile" else None


def fail_skipped_on_ci(report: pytest.TestReport | pytest.CollectReport) -> None:
    if ON_CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, which is not allowed on CI: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    fail_skipped_on_ci(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    fail_skipped_on_ci(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if skipped := len(terminalreporter.stats.get("skipped", [])):
        terminalreporter.section(f"{skipped} SKIPPED: on CI each of them is a failure", sep="!", yellow=True, bold=True)
