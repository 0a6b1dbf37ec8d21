"""Record the system calls of a running process with strace."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_CALL = re.compile(r"(\w+)\((.*)")
_LINE = re.compile(r"(\d+) +(.*)")
_NAMES = "fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,sendto,sendmsg,write"


@dataclass(frozen=True)
class SystemCall:
    name: str
    text: str
    """Its arguments and result. Paths of handles are shown."""
    began: int
    ended: int
    """Positions in the recording, in the order of time."""


@contextmanager
def recorded_calls(pid: int, folder: Path) -> Iterator[list[SystemCall]]:
    """Record a process and its threads. The list is filled when the context ends."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    output = folder / "strace"
    command = [strace, "-f", "-y", "-s", "400", "-e", f"trace={_NAMES}", "-o", str(output), "-p", str(pid)]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr is not None
    attached = tracer.stderr.readline()
    if "attached" not in attached:
        pytest.skip(f"strace may not trace a process here: {attached.strip()}")
    calls: list[SystemCall] = []
    try:
        yield calls
        time.sleep(0.2)
    finally:
        tracer.terminate()
        tracer.communicate(timeout=30)
    calls += _read(output.read_text(errors="replace").splitlines())


def _read(lines: list[str]) -> list[SystemCall]:
    calls = []
    unfinished: dict[str, tuple[int, str]] = {}
    for place, line in enumerate(lines):
        match = _LINE.match(line)
        if match is None:
            continue
        thread, text = match.groups()
        began = place
        if text.endswith("<unfinished ...>"):
            unfinished[thread] = (place, text.removesuffix("<unfinished ...>"))
            continue
        if text.startswith("<...") and thread in unfinished:
            began, first = unfinished.pop(thread)
            text = first + text.partition("resumed>")[2]
        if call := _CALL.match(text):
            calls.append(SystemCall(call[1], call[2], began, place))
    return calls
