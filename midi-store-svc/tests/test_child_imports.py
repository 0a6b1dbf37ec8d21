"""Modules that run in a child process import little, because every child imports them when it starts."""

import pytest

from tests.support.imports import HEAVY_PACKAGES, modules_loaded_by


@pytest.mark.parametrize(
    "module",
    [
        "consort_midi_store.files.file_summary",
        "consort_midi_store.midi_text.note_pages",
        "consort_midi_store.midi_text.text_to_midi",
        "consort_midi_store.pictures.piano_roll",
        "consort_midi_store.transforms.transform_bytes",
    ],
)
def test_a_child_module_imports_no_framework(module: str) -> None:
    loaded = modules_loaded_by(module)
    assert module in loaded
    assert HEAVY_PACKAGES.isdisjoint(loaded)
