"""Render Strudel scripts in tests: the real engine, the real browser, and the sounds of this machine."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consort_strudel.engine.engine import DEFAULT_FOLDER
from consort_strudel.engine.worker import node_program
from consort_strudel.rendering.renderer import Renderer, RenderRequest, ReportFraction, ScriptSound
from consort_strudel.sounds.library import open_library

StereoSound = NDArray[np.float32]
"""One row per frame, two columns."""


def build_engine(*bundles: str) -> Path:
    """Bundle programs of the engine, if that was not done before, and return the folder they are in."""
    missing = [name for name in bundles if not any((DEFAULT_FOLDER / "dist").glob(f"{name}.js*"))]
    if missing:
        subprocess.run([str(node_program()), "build.mjs", *missing], cwd=DEFAULT_FOLDER, check=True)
    return DEFAULT_FOLDER / "dist"


class RenderRig:
    """A renderer for tests that are not asynchronous."""

    def __init__(self, runner: asyncio.Runner, renderer: Renderer) -> None:
        self._runner = runner
        self.renderer = renderer

    def render(self, code: str, on_progress: ReportFraction | None = None, **options: Any) -> ScriptSound:
        return self._runner.run(self.renderer.render(RenderRequest(code, **options), on_progress))

    def end_browser(self) -> None:
        """End the browser. The next render starts another."""
        self._runner.run(self.renderer.close())

    def sound(self, code: str, **options: Any) -> StereoSound:
        return sound_of(self.render(code, **options))


@contextmanager
def open_rig(data: Path) -> Iterator[RenderRig]:
    """Open a renderer with the library of this machine (CONSORT_STRUDEL_SOUNDS or the environment's)."""
    dist = build_engine("render", "tunings")
    with asyncio.Runner() as runner:
        renderer = Renderer(dist, open_library(data))
        try:
            yield RenderRig(runner, renderer)
        finally:
            runner.run(renderer.close())


def sound_of(rendering: ScriptSound) -> StereoSound:
    """Return the samples of a rendering, at the level they had before it was turned down."""
    samples = np.frombuffer(rendering.samples, "<i2").reshape(-1, 2)
    return np.asarray(samples / (32767 * rendering.gain), np.float32)


def level(sound: StereoSound) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))


def difference(one: StereoSound, other: StereoSound) -> float:
    """Return the level of the difference relative to the louder sound."""
    frames = min(len(one), len(other))
    return level(one[:frames] - other[:frames]) / max(level(one), level(other), 1e-9)
