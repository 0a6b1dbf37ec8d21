"""Fixtures of the tests that drive the browser pages in Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright, sync_playwright

from tests.support.browser import Chromium


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Chromium]:
    """Run one Chromium for all tests of a file that need no microphone."""
    with Chromium(playwright) as running:
        yield running
