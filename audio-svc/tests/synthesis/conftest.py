"""Fixtures for tests of rendering: one renderer with the installed soundfont, shared by all tests of a worker."""

from pathlib import Path

import pytest

from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_music.synth.soundfonts import find_soundfont
from tests.support.rendering import Rendering


@pytest.fixture(scope="session")
def soundfont() -> str:
    found = find_soundfont(None, Path("no data folder"))
    assert found is not None
    return str(found)


@pytest.fixture(scope="session")
def renderer(soundfont: str) -> SoundfontRenderer:
    return SoundfontRenderer(soundfont)


@pytest.fixture
def rendering(renderer: SoundfontRenderer, soundfont: str, tmp_path: Path) -> Rendering:
    return Rendering(renderer, soundfont, tmp_path)
