"""Events, facts and names of the real engine."""

import asyncio
from fractions import Fraction
from pathlib import Path

import pytest

from consort_kit.errors import ServiceDown
from consort_strudel.engine import Engine, EngineNames
from tests.support.strudel_engine import RunningEngine


def test_events_have_exact_times_and_places(engine: RunningEngine) -> None:
    script = 'setcpm(90/4)\n$: s("bd sd:2 ~ [hh hh]").gain(.5)'
    played = engine.evaluate(script, 0, 1)
    assert [(event.begin, event.duration, event.value["s"]) for event in played.events] == [
        (Fraction(0), Fraction(1, 4), "bd"),
        (Fraction(1, 4), Fraction(1, 4), "sd"),
        (Fraction(3, 4), Fraction(1, 8), "hh"),
        (Fraction(7, 8), Fraction(1, 8), "hh"),
    ]
    assert played.events[1].value["n"] == 2
    assert played.cps == pytest.approx(90 / 4 / 60)
    assert {script[start:end] for event in played.events for start, end in event.locations} >= {"bd", "sd", "hh"}


def test_offsets_count_characters_also_after_an_emoji(engine: RunningEngine) -> None:
    script = '// 🎹🥁\n$: s("bd [sd")'
    [string] = engine.parse(script).strings
    assert script[string.start] == '"'
    facts = engine.parse('// 🎹\n$: note("c3").lpf(400)')
    assert facts.script[facts.calls[-1].name_start :].startswith("lpf")


def test_facts_name_statements_calls_and_strings(engine: RunningEngine) -> None:
    facts = engine.parse("const f = x => x.rev()\n_bass: note(\"c2\").s('saw').every(4, f) // low")
    assert [(statement.label, statement.is_muted) for statement in facts.statements] == [(None, False), ("_bass", True)]
    assert [facts.calls[index].name for index in facts.chain(len(facts.calls) - 1)] == ["note", "s", "every"]
    assert [(string.value, string.is_mini) for string in facts.strings] == [("c2", True), ("saw", False)]
    assert facts.declared_names == {"f", "x"} and not [name for name in facts.free_names if name.name in ("f", "x")]
    assert [comment.text.strip() for comment in facts.comments] == ["low"]


def test_a_syntax_error_has_a_place(engine: RunningEngine) -> None:
    facts = engine.parse('$: s("bd")\n$: s("sd"))')
    assert facts.error is not None and facts.line_column(facts.error.offset) == (2, 11)


def test_packs_that_a_script_loads_are_known(engine: RunningEngine) -> None:
    played = engine.evaluate("samples('github:tidalcycles/Dirt-Samples')\ns('bd')", 0, 1)
    assert [(call["kind"], call["values"]) for call in played.loaded] == [
        ("samples", ["github:tidalcycles/Dirt-Samples"])
    ]


def test_tunings_are_loaded_for_scripts_that_use_them(engine: RunningEngine) -> None:
    played = engine.evaluate('"0 1 2".tune("hexany15").mul(220).freq()', 0, 1)
    assert played.error is None and played.event_count == 3


def test_names_are_those_of_the_real_packages(engine: RunningEngine) -> None:
    names = engine.names()
    assert {"note", "stack", "setcpm", "samples", "chord"} <= names.functions
    assert {"lpf", "jux", "euclid", "scale", "voicing"} <= names.methods
    assert {"sawtooth", "supersaw", "gm_flute"} <= names.sounds
    assert "reverb" not in names.methods


_BUSY_WORKER = """
import { createInterface } from 'node:readline';
const NAMES = { functions: ['note'], values: [], methods: [], controls: [], sounds: [], voicings: {}, scales: [] };
let calls = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, time_limit_ms } = JSON.parse(line);
  calls += 1;
  const failure = { stage: 'time', error: 'Script execution timed out', cpu_ms: time_limit_ms / 10 };
  const reply = calls > BUSY_CALLS ? { id, answer: { ok: true, result: NAMES } } : { id, failure };
  process.stdout.write(`${JSON.stringify(reply)}\\n`);
});
process.stdout.write('{"ready":true}\\n');
"""


def _names_of_busy_engine(folder: Path, busy_calls: int) -> EngineNames:
    """Return the names that a worker gives whose first calls take too long, because other programs use the CPU."""
    for name, text in (
        ("dist/realm.js", ""),
        ("src/worker/main.mjs", _BUSY_WORKER.replace("BUSY_CALLS", str(busy_calls))),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    async def ask() -> EngineNames:
        engine = Engine(folder)
        try:
            return await engine.names()
        finally:
            await engine.close()

    return asyncio.run(ask())


def test_names_are_read_again_if_the_machine_was_busy(tmp_path: Path) -> None:
    assert _names_of_busy_engine(tmp_path, busy_calls=1).functions == {"note"}


def test_names_that_cannot_be_read_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ServiceDown, match="Try again"):
        _names_of_busy_engine(tmp_path, busy_calls=99)
