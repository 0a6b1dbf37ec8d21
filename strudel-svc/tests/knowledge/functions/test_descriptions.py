"""The descriptions of functions: the real engine has every one and plays every example."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from consort_strudel.engine import Evaluation
from consort_strudel.engine.source_functions import EngineSources, engine_sources
from consort_strudel.knowledge.functions.catalogue import Catalogue
from consort_strudel.knowledge.functions.entry import FunctionEntry
from consort_strudel.knowledge.functions.load import categories, described_functions
from consort_strudel.validation.parameter_table import PARAMETERS
from tests.support.strudel_engine import RunningEngine

DOCUMENTED_AT_LEAST = 460
DESCRIBED_AT_LEAST = 700
EXAMPLES_PER_SCRIPT = 25
_SETTING = re.compile(r"nothing|Promise|function|object|text")
"""What is returned by functions whose examples are statements, not voices."""
NOT_CALLED = ("fit", "phaserspeed")
"""In the table of ranges: takes nothing, and a name that the engine no longer has."""
WITHOUT_DEVICE = frozenset(("midin", "midikeys"))
"""Their examples play what comes from a device."""


@pytest.fixture(scope="module")
def sources(engine: RunningEngine) -> EngineSources:
    return engine_sources()


@pytest.fixture(scope="module")
def catalogue(engine: RunningEngine, sources: EngineSources) -> Catalogue:
    return Catalogue(described_functions(), sources.functions, engine.names())


def test_every_described_function_exists(catalogue: Catalogue) -> None:
    names = [entry.name for entry in described_functions()]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert [name for name in names if name not in catalogue.names] == []
    assert len(names) >= DESCRIBED_AT_LEAST


def test_every_documented_function_is_described(catalogue: Catalogue, sources: EngineSources) -> None:
    documented = (sources.documented & catalogue.names) - {"constructor"}
    missing = [name for name in sorted(documented) if (found := catalogue.find(name)) is None or found.entry is None]
    assert missing == []
    assert len(documented) >= DOCUMENTED_AT_LEAST


def test_every_name_can_be_looked_up(catalogue: Catalogue) -> None:
    assert [name for name in catalogue.names if catalogue.find(name) is None] == []


def test_parameters_with_a_known_range_are_described(catalogue: Catalogue) -> None:
    found = {name: catalogue.find(name) for name in PARAMETERS if name not in NOT_CALLED}
    assert [
        name for name, known in found.items() if known is None or not (known.entry and known.entry.parameters)
    ] == []


def test_texts_are_complete() -> None:
    entries = described_functions()
    names = {each.name for each in entries}
    faults = [
        f"{each.name}: '{other}' is not described" for each in entries for other in each.related if other not in names
    ]
    faults += [f"{each.name} has no related functions" for each in entries if not each.related]
    faults += [f"{each.name} is related to itself" for each in entries if each.name in each.related]
    faults += [
        f"{each.name}: {each.description}" for each in entries if not re.fullmatch(r"[A-Z].+[.)]", each.description)
    ]
    faults += [f"{each.name}: {text}" for each in entries for text in _texts(each) if re.search(r"\{\w+\}", text)]
    faults += [
        f"{each.name}: the example lacks it: {example}"
        for each in entries
        for example in each.examples
        if not re.search(rf"(?<!\w){each.name}(?!\w)", example)
    ]
    assert faults == []
    assert all(categories()[each.category] for each in entries)


def test_defaults_are_those_of_the_sound_engine(engine: RunningEngine) -> None:
    stated = {entry.name: entry.parameters[0].default for entry in described_functions() if entry.parameters}
    names = ", ".join(repr(name) for name in stated)
    run = engine.evaluate(f"$: stack(...[{names}].map((name) => pure({{ name, usual: getDefaultValue(name) }})))", 0, 1)
    usual = {event.value["name"]: event.value["usual"] for event in run.events if event.value.get("usual") is not None}
    assert len(usual) >= 15
    wrong = {name: value for name, value in usual.items() if stated[name] not in _spellings(value)}
    assert set(wrong) <= {"channels", "byteBeatExpression", "distorttype"}, wrong  # texts that say it in words


def _spellings(value: float | str) -> set[str | None]:
    return {str(value).lstrip("0") or "0", str(value), f"{float(value):g}" if str(value)[-1].isdigit() else None}


def test_nearly_every_function_has_an_example() -> None:
    without = [entry.name for entry in described_functions() if not entry.examples]
    assert len(without) <= 0.03 * len(described_functions()), without


def test_the_engine_plays_every_example(engine: RunningEngine) -> None:
    """Put many examples into one script; events tell by their places which examples play."""
    voices = [(entry, text) for entry, text in _scripts() if "$:" in text]
    settings = [(entry, text) for entry, text in _scripts() if "$:" not in text]
    assert len(voices) + len(settings) >= DESCRIBED_AT_LEAST
    faults = []
    for start in range(0, len(voices), EXAMPLES_PER_SCRIPT):
        faults += _faults(engine, voices[start : start + EXAMPLES_PER_SCRIPT])
    for _, text in settings:
        faults += _faults_of_run(text, engine.evaluate(f'{text}\n$: s("bd")', 0, 1))
    assert faults == []


@pytest.mark.long
def test_validate_script_accepts_every_example(engine: RunningEngine) -> None:
    scripts = [text for _, text in _scripts()]
    verdicts = zip(scripts, engine.validate_all(scripts), strict=True)
    assert [f"{script}: {fault.message}" for script, verdict in verdicts for fault in verdict.errors] == []


def _scripts() -> Iterator[tuple[FunctionEntry, str]]:
    for entry in described_functions():
        for example in entry.examples:
            *before, last = example.strip().split("\n")
            is_voice = "$:" not in last and not _SETTING.match(entry.returns) and last != "hush()"
            yield entry, "\n".join([*before, f"$: {last}" if is_voice else last])


def _faults(engine: RunningEngine, voices: list[tuple[FunctionEntry, str]]) -> list[str]:
    ends, script = [], ""
    for _, text in voices:
        script += f"{text}\n"
        ends.append(len(script))
    run = engine.evaluate(script, 0, 4)
    faults = _faults_of_run(script, run)
    if faults:  # name the one that is wrong
        return [fault for _, text in voices for fault in _faults_of_run(text, engine.evaluate(text, 0, 4))] or faults
    played = {sum(place >= end for end in ends) for event in run.events for place, _ in event.locations}
    silent = [entry.name for number, (entry, _) in enumerate(voices) if number not in played]
    return [
        f"{entry.name} is silent: {text}"
        for entry, text in voices
        if entry.name in silent and entry.name not in WITHOUT_DEVICE and not engine.evaluate(text, 0, 4).event_count
    ]


def _faults_of_run(script: str, run: Evaluation) -> list[str]:
    bad = [message for message in run.messages if re.search(r"error|\[warn", message)]
    return [f"{script}: {fault}" for fault in [*([run.error] if run.error else []), *bad[:1]]]


def _texts(entry: FunctionEntry) -> list[str]:
    about = [text for each in entry.parameters for text in (each.name, each.about, each.type)]
    return [entry.name, entry.description, entry.returns, entry.words, *entry.related, *about]
