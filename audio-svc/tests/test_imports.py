"""The service imports nothing heavy before it is needed, and its child processes no framework."""

import pytest

from tests.support.imports import modules_loaded_by

FRAMEWORKS = {"fastapi", "httpx2", "obstore", "psycopg", "pydantic", "starlette", "procrastinate"}
ONLY_IN_CHILDREN = {"numpy", "soundfile", "av", "fluidsynth", "resvg_py"}


def test_the_service_starts_without_the_libraries_of_its_children() -> None:
    loaded = modules_loaded_by("consort_audio.app")
    assert "fastapi" in loaded
    assert ONLY_IN_CHILDREN.isdisjoint(loaded)


@pytest.mark.parametrize("name", ["child_calls", "inspect_audio", "cut", "convert", "peaks"])
def test_a_child_imports_no_framework(name: str) -> None:
    loaded = modules_loaded_by(f"consort_audio.codecs.{name}")
    assert FRAMEWORKS.isdisjoint(loaded)
    assert ("numpy" in loaded) == (name != "child_calls")
