"""For every test of the repository: a skipped test is told loudly, and on CI it is a failure.

Properties have no deadline, for machines are busy; and on CI they are tried with the same examples each time, so that
what was green stays green. Elsewhere every run looks for new ones. Thirty of each: there are hundreds of properties.
"""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

ON_CI = os.environ.get("CI", "").lower() in ("1", "true")

settings.register_profile("consort", deadline=None, derandomize=ON_CI, max_examples=30)
settings.load_profile("consort")


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if ON_CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"nothing may be skipped on CI, and this was: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    refuse_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if skipped := len(terminalreporter.stats.get("skipped", [])):
        terminalreporter.section(f"{skipped} SKIPPED: on CI each of them is a failure", sep="!", yellow=True, bold=True)
