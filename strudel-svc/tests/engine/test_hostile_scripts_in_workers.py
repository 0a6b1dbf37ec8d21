"""Scripts that try to leave their realm or to stop the service: each one fails, and the next script runs."""

import asyncio
from collections.abc import Iterator

import pytest

from consort_strudel.engine import Engine, Evaluation
from tests.support.strudel_engine import RunningEngine, running_engine

_LOOPS = {
    "a loop": "for(;;){}",
    "a loop of promises": "(async () => { for(;;) await null })()",
    "promises that make promises": "const f = () => Promise.resolve().then(f); f()",
    "a loop in a value": 's("bd").fmap(() => { for(;;); })',
    "a loop in a getter": 's("bd").fmap(() => ({ get s() { for(;;); } }))',
    "a changed array": "Array.prototype.push = () => { for(;;); }",
    "a slow regular expression": "/(a+)+$/.test(Array(40).fill('a').join('') + 'b')",
}
_BOMBS = {
    "arrays": "const a = []; for(;;) a.push(new Array(1e5).fill(1.1))",
    "array buffers": "const a = []; for(;;) a.push(new Uint8Array(3e7).fill(1))",
    "text": "let a = 'x'; for(;;) a += a",
    "arrays in a value": 's("bd").fmap(() => { const a = []; for(;;) a.push(new Array(1e5).fill(1.1)) })',
    "recursion": "const f = (n) => f(n + 1) + 1; f(0)",
    "a large number": "2n ** (2n ** 40n)",
    "deep brackets": "[" * 20_000 + "]" * 20_000,
}
_ESCAPES = {
    "the constructor of this": "this.constructor.constructor('return process')()",
    "the constructor of a function": "(() => {}).constructor('return process')()",
    "the constructor of an async function": "(async () => {}).constructor('return process')()",
    "the constructor of a pattern": "s('bd').constructor.constructor('return process')()",
    "eval": "(0, eval)('process')",
    "import": "await import('node:fs')",
    "import of data": "await import('data:text/javascript,1')",
    "require": "require('fs')",
    "process": "process.exit(1)",
    "the stack of an error": "Error.prepareStackTrace = (e, f) => f[0].getThis().process.exit(); new Error().stack.x",
    "a shared array buffer": "new SharedArrayBuffer(1e12)",
    "a wait": "Atomics.wait(new Int32Array(8), 0, 0, 1e9)",
    "WebAssembly": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "a worker": "new Worker('x')",
    "a web socket": "new WebSocket('ws://127.0.0.1')",
    "a request": "await fetch('http://127.0.0.1:1')",
    "the realm's own object": "consort.events = () => 'x'",
}
_EVENT_AT = (
    "const at = {{ valueOf: () => 0, toFraction: () => {0} }}; Pattern.prototype.queryArc = () => "
    "[{{ whole: {{ begin: at, end: at }}, duration: at, value: {{}}, hasOnset: () => true }}]"
)
_FORGED_ANSWERS = {
    "a number": "Object.prototype.toJSON = () => 5",
    "no result": "Object.prototype.toJSON = () => ({ok: true})",
    "no error": "Object.prototype.toJSON = () => ({ok: false})",
    "a time limit": "Object.prototype.toJSON = () => ({ok: false, stage: 'time'})",
    "an error that is not text": "String.prototype.slice = () => 5; null.x",
    "a time that takes minutes to read": _EVENT_AT.format("'1e999999999'"),
    "a division by zero": _EVENT_AT.format("'1/0'"),
    "a time that is a number": _EVENT_AT.format("7"),
    "no fields": "Array.prototype.sort = () => { Object.prototype.toJSON = () => ({ok: true, result: {cps: 1}}) }",
    "fields of other kinds": "Array.prototype.sort = () => { Object.prototype.toJSON = () => "
    "({ok: true, result: {events: 5, count: 'x', cps: 1, loaded: [5], lines: [{}]}}) }",
}
"""What a script makes the realm say."""
_AFTER = '\ns("bd")'
_END = dict.fromkeys(("a loop in a value", "a loop in a getter"), "")
"""What follows the script: a pattern, unless it is one."""


@pytest.fixture(scope="module")
def strict_engine() -> Iterator[RunningEngine]:
    with running_engine(time_limit_s=0.5) as engine:
        yield engine


def _outcome(engine: RunningEngine, script: str) -> Evaluation:
    """Evaluate a hostile script, then check that an honest one is served."""
    outcome = engine.evaluate(script, 0, 2)
    assert engine.evaluate('s("bd*4")', 0, 1).event_count == 4
    return outcome


@pytest.mark.parametrize("name", _LOOPS)
def test_a_script_that_does_not_end_is_stopped(strict_engine: RunningEngine, name: str) -> None:
    assert "takes over 0.5 s" in (_outcome(strict_engine, _LOOPS[name] + _END.get(name, _AFTER)).error or "")


def test_a_script_with_a_million_events_is_rejected_at_once(strict_engine: RunningEngine) -> None:
    assert "events in a cycle" in (_outcome(strict_engine, 's("bd*1000000")').error or "")


@pytest.mark.parametrize("name", _BOMBS)
def test_a_script_that_fills_the_memory_is_stopped(strict_engine: RunningEngine, name: str) -> None:
    assert _outcome(strict_engine, _BOMBS[name] + ("" if "fmap" in _BOMBS[name] else _AFTER)).error


@pytest.mark.parametrize("name", _ESCAPES)
def test_a_script_cannot_leave_its_realm(strict_engine: RunningEngine, name: str) -> None:
    assert _outcome(strict_engine, _ESCAPES[name] + _AFTER).error


@pytest.mark.parametrize("name", _FORGED_ANSWERS)
def test_an_answer_that_the_script_forged_is_an_error(strict_engine: RunningEngine, name: str) -> None:
    outcome = _outcome(strict_engine, f"{_FORGED_ANSWERS[name]}{_AFTER}")
    assert outcome.error and not outcome.events


def test_a_hostile_script_does_not_harm_others(strict_engine: RunningEngine) -> None:
    async def together(real: Engine) -> list[Evaluation]:
        honest = [real.evaluate('s("bd*4")', 0, 1) for _ in range(6)]
        hostile = [real.evaluate(script + _AFTER, 0, 1) for script in (_LOOPS["a loop"], _BOMBS["arrays"])]
        return (await asyncio.gather(*hostile, *honest))[2:]

    assert [outcome.event_count for outcome in strict_engine.run(together)] == [4] * 6


def test_a_script_sees_nothing_of_the_script_before(strict_engine: RunningEngine) -> None:
    strict_engine.evaluate("globalThis.left = 1; Object.prototype.left = 1; " + 's("bd")', 0, 1)
    assert "is not defined" in (strict_engine.evaluate("left.x" + _AFTER, 0, 1).error or "")


def test_a_script_can_print_without_end(strict_engine: RunningEngine) -> None:
    outcome = _outcome(strict_engine, "for (let i = 0; i < 20000; i++) console.log('x'.padEnd(2000))" + _AFTER)
    assert sum(map(len, outcome.messages)) < 200_000
