"""The images: how big they are, what is in them, and the smaller ones that can be built."""

from typing import NamedTuple

import pytest

from consort_kit.services import SERVICES
from tests.support.servers.docker_studio import DockerStudio

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

SERVICE_NAMES = {"compose", "midi-store", "audio", "strudel"}
ALL = SERVICE_NAMES | {"gateway", "postgres"}
HEAR_A_TONE = """
import numpy as np
from consort_audio.analysis.pitch.answer import answer
from consort_audio.signals.recording import RATE, Recording
tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(2 * RATE) / RATE)
heard = answer(Recording(tone.astype(np.float32)), {})
assert "swift-f0" not in heard["method"]
print(heard["notes"][0]["pitch"], heard["method"])
"""
IMPORT_ALL = """
from consort_compose.app import make_app
print(callable(make_app))
"""
FIND_A_BROWSER = """
from consort_strudel.rendering.browser_program import find_browser
print(find_browser())
"""


class SmallerImage(NamedTuple):
    service: str
    dockerfile: str
    build_argument: str
    program: str
    prints: str
    smaller_by_mb: int


SMALLER = [
    SmallerImage("audio", "audio-svc/Dockerfile", "MODELS=no", HEAR_A_TONE, "A4 ", 50),
    SmallerImage("compose", "compose-svc/Dockerfile", "SCORE_LIBRARY=no", IMPORT_ALL, "True", 50),
    SmallerImage("strudel", "strudel-svc/Dockerfile", "BROWSER=no", FIND_A_BROWSER, "None", 200),
]


def size_mb(studio: DockerStudio, image: str) -> float:
    return float(studio.inspect("image", image)["Size"]) / 1e6


def test_images_are_small_and_hold_only_needed_packages(studio: DockerStudio) -> None:
    images = {name: each["Image"] for name, each in studio.containers().items()}
    sizes = {name: size_mb(studio, image) for name, image in images.items()}
    print(", ".join(f"{name} {size:.0f} MB" for name, size in sorted(sizes.items())))
    assert images.keys() == ALL
    assert max(sizes[name] for name in ("gateway", "midi-store", "postgres")) < 250, sizes
    modules = "import importlib.util as u; print(*[m for m in {} if u.find_spec(m)])"
    unneeded = ["pip", "setuptools", "pytest", "consort_cli", "consort_playback"]
    for name, image in images.items():
        assert studio.inspect("image", image)["Config"]["User"] == "10001:10001"
        others = [SERVICES[other].module for other in SERVICE_NAMES - {name}]
        assert studio.run_python(name, modules.format(unneeded + others)) == "", name


@pytest.mark.parametrize("smaller", SMALLER, ids=lambda smaller: smaller.build_argument)
def test_an_image_without_optional_parts_is_smaller_and_works(studio: DockerStudio, smaller: SmallerImage) -> None:
    image = f"{studio.project}-smaller-{smaller.service}"
    whole = size_mb(studio, studio.containers()[smaller.service]["Image"])
    python_image = f"PYTHON_IMAGE={studio.environment['CONSORT_PYTHON_IMAGE']}"
    options = ["--build-arg", smaller.build_argument, "--build-arg", python_image, "--secret", studio.build_secret]
    studio.docker("build", *options, "--file", smaller.dockerfile, "--tag", image, ".", timeout_s=900)
    try:
        size = size_mb(studio, image)
        print(f"{smaller.service} {whole:.0f} MB, with {smaller.build_argument} {size:.0f} MB")
        assert size < whole - smaller.smaller_by_mb
        shown = studio.docker("run", "--rm", "--read-only", image, "python3", "-c", smaller.program, timeout_s=120)
        assert shown.startswith(smaller.prints)
    finally:
        studio.docker("image", "rm", "--force", image)
