"""Call the baselines: librosa, basic-pitch and parangonar, which are installed for this benchmark only.

They come from `baselines.lock` and go into a folder of their own in `.venv`. They run in a process of their own, and
their answers are kept beside the rendered sounds, because they do not change.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Self

from consort_cli import bootstrap
from evaluation.sounds.cache_folder import cache_folder

LOCK = "benchmarks/listening/baselines.lock"
_FOLDER = bootstrap.VENV / "listening-baselines"
_STAMP = _FOLDER / "stamp"
_PROGRAM = Path(__file__).with_name("baseline_program.py")
_VERSION = 1
"""Increase it when the program's answers change."""


class Baselines:
    """A process that answers for librosa, basic-pitch and parangonar; None for every question if it cannot be had."""

    def __init__(self, python: Path | None, reason: str = "") -> None:
        self._python = python
        self.reason = reason
        self._child: subprocess.Popen[str] | None = None

    @classmethod
    def installed(cls) -> Self:
        """Install the packages if they are not there. Without a connection, the benchmark runs without baselines."""
        try:
            return cls(_install())
        except (OSError, subprocess.CalledProcessError) as error:
            return cls(None, f"librosa, basic-pitch and parangonar could not be installed: {error}")

    @property
    def are_there(self) -> bool:
        return self._python is not None

    def ask(self, call: str, path: Path, **given: Any) -> Any:
        """Return the answer of a function of `baseline_program`, from the cache if it was asked before."""
        if self._python is None:
            return None
        place = cache_folder() / f"{path.stem}-{call}-{_VERSION}.baseline"
        if place.exists() and not given.get("fresh"):
            return json.loads(place.read_text())
        answer = self._call({"call": call, "path": str(path), **given})
        if not given.get("fresh"):
            place.write_text(json.dumps(answer))
        return answer

    def close(self) -> None:
        if self._child is not None:
            _pipe(self._child.stdin).close()
            self._child.wait(timeout=30)
            self._child = None

    def _call(self, request: dict[str, Any]) -> Any:
        if self._child is None:
            environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
            self._child = subprocess.Popen(
                [str(self._python), str(_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                text=True,
            )
        print(json.dumps(request), file=_pipe(self._child.stdin), flush=True)
        line = _pipe(self._child.stdout).readline()
        if not line:
            raise RuntimeError(f"The baseline {request['call']} ended its process")
        return json.loads(line)


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


def _install() -> Path:
    python = _FOLDER / bootstrap.PYTHON.relative_to(bootstrap.VENV)
    wanted = str(bootstrap.posix_checksum((bootstrap.ROOT / LOCK).read_bytes()))
    with bootstrap.one_at_a_time(bootstrap.INSTALL_LOCK):
        if not (_STAMP.exists() and _STAMP.read_text() == wanted):
            environment = bootstrap.uv_environment()
            bootstrap.say("installing the baselines of this benchmark: librosa, basic-pitch, parangonar")
            bootstrap.step("environment", [bootstrap.UV, "venv", "--clear", "--python", sys.executable, _FOLDER])
            packages: list[str | Path] = [
                bootstrap.UV,
                "pip",
                "install",
                "--python",
                python,
                "--no-deps",
                "--require-hashes",
                "-r",
                LOCK,
            ]
            bootstrap.step("baselines", packages, environment)
            _STAMP.write_text(wanted)
    return python
