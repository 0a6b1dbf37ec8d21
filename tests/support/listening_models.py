"""Run a test with the listening models, or without them."""

from pathlib import Path

import pytest

from consort_audio.neural.catalogue import CATALOGUE
from consort_kit.models_folder import FOLDER_SETTING, models_folder

NOT_INSTALLED = "the listening models are not installed: ./consort up installs them"


def require_models() -> None:
    """Skip the test if a listening model is not installed."""
    if not all((models_folder() / file).exists() for model in CATALOGUE for file in model.files):
        pytest.skip(NOT_INSTALLED)


def hide_models(monkeypatch: pytest.MonkeyPatch, empty_folder: Path) -> None:
    """Let the test run as on a machine without the models, which uses plain methods."""
    monkeypatch.setenv(FOLDER_SETTING, str(empty_folder))
