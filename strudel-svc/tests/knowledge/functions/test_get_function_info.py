"""What get_function_info answers: by name, alias, wrong name, words and category."""

import json
from collections.abc import Callable

import pytest

from consort_kit.errors import InvalidInput, NotFound
from consort_strudel.knowledge.functions.load import categories, described_functions
from consort_strudel.knowledge.functions.models import FunctionInfo, GetFunctionInfo
from consort_strudel.knowledge.functions.search import FunctionSearch
from consort_strudel.knowledge.functions.service import FunctionKnowledge
from consort_strudel.validation.parameter_table import PARAMETERS
from tests.support.strudel_engine import RunningEngine
from tests.support.strudel_function_requests import LATER_REQUESTS, REQUESTS

Ask = Callable[..., FunctionInfo]
AMONG_THE_FIRST = 5


@pytest.fixture(scope="module")
def ask(engine: RunningEngine) -> Ask:
    knowledge = FunctionKnowledge(engine.engine)
    return lambda *name, **fields: engine.run(
        lambda _: knowledge.info(GetFunctionInfo(function_name=name[0] if name else None, **fields))
    )


def test_a_function_is_explained(ask: Ask) -> None:
    found = ask("lpf")
    assert found.name == "lpf" and found.category == "filters" and found.return_type == "Pattern"
    assert found.aliases is not None and {"cutoff", "ctf", "lp"} <= set(found.aliases)
    assert found.parameters is not None
    (frequency,) = found.parameters
    assert frequency.name == "frequency" and frequency.type == "number or pattern" and frequency.required
    row = PARAMETERS["lpf"]
    assert frequency.range == f"{row.least:g} to {row.most:g} (Hz)"
    assert found.examples and "lpq" in (found.related_functions or [])
    assert found.defined_in == "core/controls.mjs"


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        *(("cutoff", "lpf"), ("sound", "s"), ("legato", "clip"), ("stutWith", "echoWith"), ("fastcat", "seq")),
        *(("colour", "color"), ("sz", "roomsize"), ("density", "density"), ("polyrhythm", "stack"), ("fm", "fmi")),
        *((".lpf(600)", "lpf"), ("LPF", "lpf"), ("slowchunk", "chunk"), ("inv", "invert"), ("rib", "ribbon")),
        *(("fmh3", "fmh"), ("fm12", "fmi"), ("d1", "p"), ("_pianoroll", "pianoroll"), ("_fast", "fast")),
    ],
)
def test_every_spelling_leads_to_the_function(ask: Ask, asked: str, name: str) -> None:
    assert ask(asked).name == name


def test_members_of_a_family_say_how_they_differ(ask: Ask) -> None:
    assert "oscillator 3" in (ask("fmh3").message or "")
    assert "oscillator 1 modulates oscillator 2" in (ask("fm12").message or "")
    assert "below the line" in (ask("_pianoroll").message or "")
    assert ask("lpf").message is None and ask("cutoff").message is None


def test_defaults_are_values(ask: Ask) -> None:
    defaults = {name: (ask(name).parameters or [])[0].default for name in ("gain", "s", "delayfeedback", "lpf")}
    assert defaults == {"gain": 0.8, "s": "triangle", "delayfeedback": 0.5, "lpf": None}


def test_optional_and_repeated_parameters_are_marked(ask: Ask) -> None:
    load, layers = ask("samples").parameters or [], ask("superimpose").parameters or []
    assert [each.required for each in load] == [True, False]
    assert layers[0].type == "function, repeatable"


def test_inner_functions_are_honest(ask: Ask) -> None:
    found = ask("getParamADSR")
    assert found.category == "undescribed" and found.description is not None and "Not described" in found.description
    assert [each.name for each in found.parameters or []][:3] == ["param", "attack", "decay"]
    assert found.defined_in == "superdough/helpers.mjs"


@pytest.mark.parametrize(
    ("typo", "meant"),
    [
        ("lpff", "lpf"),
        ("jxu", "jux"),
        ("palindrom", "palindrome"),
        ("eculid", "euclid"),
        ("superimpoze", "superimpose"),
    ],
)
def test_a_typo_gets_the_nearest_names(ask: Ask, typo: str, meant: str) -> None:
    with pytest.raises(NotFound, match=f"Did you mean '{meant}'") as caught:
        ask(typo)
    assert caught.value.body.suggestions[0] == meant


def test_a_word_that_is_no_function_finds_what_does_it(ask: Ask) -> None:
    found = ask("reverb")
    assert found.name is None and "'reverb' is not a function" in (found.message or "")
    assert any(match.usage == "room(level)" for match in found.matches or [])


def test_nonsense_is_not_found(ask: Ask) -> None:
    with pytest.raises(NotFound, match="not a function of Strudel"):
        ask("qqqxyzzy")
    with pytest.raises(NotFound, match="No function fits"):
        ask("qqqxyzzy wwwwqz")


@pytest.mark.parametrize(
    ("requests", "least"), [(REQUESTS, 0.85), (LATER_REQUESTS, 0.7)], ids=["first", "never tuned on"]
)
def test_words_find_the_function(requests: tuple[tuple[str, str], ...], least: float) -> None:
    search = FunctionSearch(described_functions())
    found = {request: [entry.name for entry, _ in search.best(request, AMONG_THE_FIRST)] for request, _ in requests}
    missed = {request: found[request] for request, names in requests if not {*found[request]} & {*names.split()}}
    assert 1 - len(missed) / len(requests) >= least, missed


def test_words_give_short_matches_up_to_the_limit(ask: Ask) -> None:
    found = ask("dark, dull and muffled", limit=3)
    assert found.name is None and found.matches is not None and len(found.matches) == 3
    assert found.matches[0].usage == "lpf(frequency)"


def test_a_category_is_listed(ask: Ask) -> None:
    found = ask(category="Envelopes")
    assert found.category == "envelopes" and {"attack", "adsr", "penv"} <= set(found.functions or [])
    with pytest.raises(InvalidInput, match="Did you mean 'filters'"):
        ask(category="filtres")


def test_without_a_question_the_categories_are_listed(ask: Ask) -> None:
    found = ask()
    assert [each.category for each in found.categories or []] == list(categories())
    assert sum(each.function_count for each in found.categories or []) == len(described_functions())


def test_answers_are_compact(ask: Ask) -> None:
    def size(found: FunctionInfo) -> int:
        return len(json.dumps(found.model_dump(exclude_none=True), ensure_ascii=False, separators=(",", ":")))

    sizes = sorted(size(ask(entry.name)) for entry in described_functions())
    assert sizes[len(sizes) // 2] <= 600 and sizes[-1] <= 1600
    assert size(ask("make it sound like underwater")) <= 1500
