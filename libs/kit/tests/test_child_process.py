"""Work in a child: its result, its exception, its limits."""

import asyncio
import os

import pytest

from consort_kit.child import ChildLimits, run_in_child, with_care
from consort_kit.errors import InvalidInput


def run_child(code: str, limits: ChildLimits | None = None) -> object:
    """Runs Python text in a child; `eval` stands for any function that a service has."""
    return asyncio.run(run_in_child(limits or ChildLimits(), eval, code))


def test_result_comes_back() -> None:
    assert run_child("sum(range(10))") == 45


@pytest.mark.parametrize(("size", "is_here"), [(0, True), (100, True), (101, False)])
def test_only_what_is_big_is_worth_a_child(size: int, is_here: bool) -> None:
    process = asyncio.run(with_care(size, ChildLimits(small=100), os.getpid))
    assert (process == os.getpid()) == is_here


def test_exception_comes_back() -> None:
    with pytest.raises(ZeroDivisionError):
        run_child("1 / 0")


def test_it_is_another_process_without_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONSORT_TOKEN", "secret")
    assert run_child("__import__('os').getpid()") != os.getpid()
    assert "secret" not in str(run_child("dict(__import__('os').environ)"))


@pytest.mark.parametrize(
    "code",
    ["bytearray(10**9)", "[0] * 10**9", "sum(iter(int, 1))", "__import__('os')._exit(3)", "__import__('os').abort()"],
)
def test_what_goes_over_a_limit_or_dies_is_told(code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        run_child(code, ChildLimits(cpu_s=1, memory_bytes=256 * 1024 * 1024))
    assert refused.value.body.code == "TOO_COMPLEX"
