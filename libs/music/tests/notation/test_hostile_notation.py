"""Hostile notation is read or rejected, with work linear in its size."""

import sys
from collections.abc import Callable

import pytest

from consort_music.errors import MusicError
from consort_music.notation.abc.reader import read_abc
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.read_music import read_music

NOTE = "<note><pitch><step>C</step><octave>4</octave></pitch><duration>{}</duration></note>"
PRIMES = [number for number in range(10_000, 40_000) if all(number % d for d in range(2, 200))]


def score(inside: str) -> str:
    return f'<score-partwise><part id="P1">{inside}</part></score-partwise>'


def odd_divisions(count: int) -> str:
    measure = "".join(f"<attributes><divisions>{p}</divisions></attributes>{NOTE.format(1)}" for p in PRIMES[:count])
    return score(f"<measure>{measure}</measure>")


def endless_note(count: int) -> str:
    time = "<attributes><time><beats>1</beats><beat-type>64</beat-type></time></attributes>"
    return score(f"<measure>{time}{NOTE.format('9' * min(count, 10))}</measure>")


ATTACKS: dict[str, tuple[Callable[[int], str], Callable[[str], object]]] = {
    "divisions without a common measure": (odd_divisions, read_musicxml),
    "a note that never ends": (endless_note, read_musicxml),
    "many parts": (lambda n: "<score-partwise>" + '<part id="{}"/>' * n + "</score-partwise>", read_musicxml),
    "parts of their own": (
        lambda n: "<score-partwise>" + "".join(f'<part id="{i}"/>' for i in range(n)) + "</score-partwise>",
        read_musicxml,
    ),
    "empty measures": (lambda n: score("<measure/>" * n), read_musicxml),
    "a note full of elements": (lambda n: score("<measure><note>" + "<a/>" * n + "</note></measure>"), read_musicxml),
    "one long text": (lambda n: score("<measure><note><type>" + "x" * n + "</type></note></measure>"), read_musicxml),
    "back and forth": (
        lambda n: score(f"<measure>{NOTE.format(4)}" + "<backup><duration>3</duration></backup>" * n + "</measure>"),
        read_musicxml,
    ),
    "open brackets": (lambda n: "X:1\nK:C\n" + "[" * n, read_abc),
    "open inline fields": (lambda n: "X:1\nK:C\n" + "[K:" * n, read_abc),
    "open graces": (lambda n: "X:1\nK:C\n" + "{" * n, read_abc),
    "pluses": (lambda n: "X:1\nK:C\n" + "+A" * n, read_abc),
    "odd lengths": (lambda n: "X:1\nK:C\n" + "".join(f"C/{p}" for p in PRIMES[:n]), read_abc),
    "a long rest": (lambda n: "X:1\nK:C\nC" + "Z999|" * min(n, 100), read_abc),
    "a huge length": (lambda n: "X:1\nK:C\nC" + "9" * min(n, 9), read_abc),
    "many voices": (lambda n: "X:1\nK:C\n" + "".join(f"V:{i}\nC\n" for i in range(n)), read_abc),
    "continued lines": (lambda n: "X:1\nK:C\n" + "C\\\n" * n, read_abc),
    "a big chord": (lambda n: "+".join(["C4"] * n) + "~ " + "+".join(["C4"] * n), parse_note_list),
    "odd beats": (lambda n: " ".join(f"C4:1/{p}" for p in PRIMES[:n]), parse_note_list),
    "long beats": (lambda n: "C4:999999 " * n, parse_note_list),
    "blanks": (lambda n: " " * n + "?", read_music),
    "quotes": (lambda n: '"' * n, read_music),
}


def work(name: str, size: int) -> int:
    """Return the number of Python function calls, which is the same on every machine."""
    build, read = ATTACKS[name]
    text = build(size)
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        read(text)
    except MusicError:
        pass
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("name", ATTACKS)
def test_the_work_grows_linearly_with_the_size(name: str) -> None:
    assert work(name, 2_000) <= 5 * work(name, 500) + 10_000


@pytest.mark.parametrize("name", ATTACKS)
def test_big_inputs_end_within_seconds(name: str) -> None:
    """The limit is generous: it finds inputs that would take hours. Benchmarks measure the exact time."""
    build, read = ATTACKS[name]
    try:
        read(build(30_000))
    except MusicError as error:
        assert error.code in ("TOO_LARGE", "PARSE_ERROR", "EMPTY_INPUT", "INVALID_NOTE", "INVALID_DURATION")
