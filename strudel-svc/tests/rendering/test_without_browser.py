"""Without Chromium the tool says how to get it, and what to use instead."""

import asyncio
from pathlib import Path

import pytest

from consort_kit.errors import ServiceDown
from consort_strudel.rendering.browser_program import SETTING, find_browser
from consort_strudel.rendering.renderer import NoBrowser, Renderer, RenderRequest
from consort_strudel.rendering.service import no_browser
from consort_strudel.sounds.library import SoundLibrary


def test_a_browser_that_is_not_there_is_not_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    monkeypatch.setenv(SETTING, str(program))
    assert find_browser() is None
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_browser() == program


def test_the_error_names_the_browser_and_the_way_without_it() -> None:
    error = no_browser()
    assert isinstance(error, ServiceDown) and error.body.code == "BROWSER_MISSING"
    for word in ("apt-get install chromium", "strudel_export_midi", "midi_to_audio"):
        assert word in error.body.message


async def _render(renderer: Renderer) -> None:
    await renderer.render(RenderRequest('s("bd")'))


def test_a_renderer_without_a_browser_raises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SETTING, str(tmp_path / "none"))
    with pytest.raises(NoBrowser):
        asyncio.run(_render(Renderer(tmp_path, SoundLibrary(tmp_path, tmp_path))))
