"""Settings for every test of the repository. Skipped tests are reported at the end, and fail on CI.

Hypothesis tests have no deadline, because machines may be busy, and 30 examples each, because there are hundreds of
tests. On CI the examples are the same in every run; elsewhere each run tries new ones.
"""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

ON_CI = os.environ.get("CI", "").lower() in ("1", "true")

settings.register_profile("consort", deadline=None, derandomize=ON_CI, max_examples=30)
settings.load_profile("consort")


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
