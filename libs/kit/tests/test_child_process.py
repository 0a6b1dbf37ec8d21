"""Functions that run in a child process: their results, exceptions, limits and imports."""

import asyncio
import os
from pathlib import Path

import psutil
import pytest

from consort_kit.errors import InvalidInput
from consort_kit.processes.child_process import run_in_child, run_within_limits
from consort_kit.processes.child_resource_limits import ChildLimits
from consort_music.texts.visible_text import note_removals, visible_text


def run_child(code: str, limits: ChildLimits | None = None) -> object:
    """Evaluate a Python expression in a child and return its value."""
    return asyncio.run(run_in_child(limits or ChildLimits(), eval, code))


def test_the_result_is_returned() -> None:
    assert run_child("sum(range(10))") == 45


@pytest.mark.parametrize(("size", "in_this_process"), [(0, True), (100, True), (101, False)])
def test_only_a_big_input_needs_a_child(size: int, in_this_process: bool) -> None:
    process = asyncio.run(run_within_limits(size, ChildLimits(max_size_without_child=100), os.getpid))
    assert (process == os.getpid()) == in_this_process


def test_a_child_imports_little() -> None:
    loaded = run_child("list(__import__('sys').modules)")
    assert isinstance(loaded, list) and "consort_kit.processes.child_main" in loaded
    assert {"pydantic", "fastapi", "psycopg", "obstore", "asyncio"}.isdisjoint(loaded)


def test_the_exception_is_raised_again() -> None:
    with pytest.raises(ZeroDivisionError):
        run_child("1 / 0")


def test_a_child_does_not_get_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSORT_TOKEN", "secret")
    assert run_child("__import__('os').getpid()") != os.getpid()
    assert "secret" not in str(run_child("dict(__import__('os').environ)"))


@pytest.mark.parametrize(
    "code",
    ["bytearray(10**9)", "[0] * 10**9", "sum(iter(int, 1))", "__import__('os')._exit(3)", "__import__('os').abort()"],
)
def test_a_child_that_exceeds_a_limit_or_dies_is_too_complex(code: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        run_child(code, ChildLimits(cpu_s=1, memory_bytes=256 * 1024 * 1024))
    assert raised.value.body.code == "TOO_COMPLEX"


def test_a_child_is_killed_when_the_call_is_cancelled(tmp_path: Path) -> None:
    started = tmp_path / "pid"
    code = f"(open({str(started)!r}, 'w').write(str(__import__('os').getpid())), __import__('time').sleep(600))"

    async def cancel() -> int:
        call = asyncio.create_task(run_in_child(ChildLimits(), eval, code))
        while not (started.exists() and started.read_text()):
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return int(started.read_text())

    assert not psutil.pid_exists(asyncio.run(asyncio.wait_for(cancel(), 60)))


def test_characters_that_the_child_removes_are_reported_here() -> None:
    with note_removals() as removals:
        assert asyncio.run(run_in_child(ChildLimits(), visible_text, "Pia\u200bno", "name")) == "Piano"
    assert removals == ["name"]
