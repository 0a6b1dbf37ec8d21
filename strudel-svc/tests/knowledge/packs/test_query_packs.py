"""query_packs: filters, a wish in words, pages, what can be heard offline."""

import time
from pathlib import Path
from typing import Any

import pytest

from consort_kit.errors import ConsortError
from consort_strudel.knowledge.packs.models import FoundPacks, QueryPacks
from consort_strudel.knowledge.packs.service import PackKnowledge
from consort_strudel.packs import known_packs
from consort_strudel.sounds.library import SoundLibrary, SoundOrigin

LIBRARY = SoundLibrary(
    Path(),
    Path(),
    {"bd": ["drums/bd.flac"], "sd": ["drums/sd.flac"]},
    origins=(SoundOrigin("crate", "github:eddyflux/crate", "none stated", "packs/crate"),),
)


def ask(query: dict[str, Any] | str | None = None, **more: Any) -> FoundPacks:
    return PackKnowledge(LIBRARY).query(QueryPacks.model_validate({"query": query or {}, **more}))


def names(query: dict[str, Any] | str | None = None, **more: Any) -> list[str]:
    return [pack.name for pack in ask(query, **more).packs]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"name_pattern": "^dough-am"}, ["Dough-Amen", "Dough-Amiga"]),
        ({"name_pattern": "eddyflux/"}, ["crate", "wax"]),
        ({"tags": "^(capoeira|carnatic)$"}, ["mrid", "capoeira_strudel"]),
        ({"type": "wavetables", "licensed": True}, ["gc-wavetables", "emrexdeger-strudelSamples"]),
        ({"type": "Keys", "character": "acoustic"}, ["estuary-samples", "piano", "VCSL"]),
        ({"type": "piano|wavetable", "character": "orchestral"}, ["VCSL"]),
        ({"character": "analogue", "type": "bass"}, ["RikyBac15-samples"]),
        ({"name_pattern": "nothing has this name"}, []),
    ],
)
def test_every_filter(query: dict[str, Any], expected: list[str]) -> None:
    found = ask(query)
    assert [pack.name for pack in found.packs] == expected
    assert found.total_count == len(expected)
    assert bool(found.message) == (not expected)


def test_a_licence_that_is_not_stated_counts_as_none() -> None:
    licensed, other = names({"licensed": True}, limit=100), names({"licensed": False}, limit=100)
    assert len(licensed) + len(other) == len(known_packs())
    assert {"uzu-drumkit", "VCSL", "TodePond-samples"} <= set(licensed)
    assert {"Dirt-Samples", "EmuSP12", "tidal-drum-machines", "blu-mar-ten"} <= set(other)
    assert all(pack.license for pack in ask({"licensed": True}, limit=100).packs)


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("dusty lo-fi drums", "crate"),
        ("boom bap drum kit", "EmuSP12"),
        ("amen break", "Dough-Amen"),
        ("funkydrummer", "clean-breaks"),
        ("orchestral instruments", "VCSL"),
        ("grand piano", "piano"),
        ("video game sounds", "a-maze"),
        ("glitches", "gc-glitches"),
        ("Indian percussion", "mrid"),
        ("808 drum machine", "tidal-drum-machines"),
        ("fretless bass", "samples-flbass"),
        ("choir singing", "polifonia-samples"),
        ("growling wavetables for bass", "glorkglunk-wavetables"),
        ("trap hats", "mamalLivecoder-samples"),
    ],
)
def test_a_wish_in_words_finds_the_pack(wish: str, expected: str) -> None:
    assert expected in names(wish, limit=3)


def test_a_wish_and_filters_together() -> None:
    found = names({"text": "drums for jungle", "licensed": True}, limit=5)
    assert found and not {"clean-breaks", "Dough-Amen"} & set(found)
    assert names("qzxv wqqk") == []


def test_pages_cover_everything_once() -> None:
    pages = [ask(limit=20, offset=offset) for offset in range(0, 100, 20)]
    assert [pack.name for page in pages for pack in page.packs] == [pack.name for pack in known_packs()]
    assert {page.total_count for page in pages} == {75}


def test_categories_have_counts_and_a_limit() -> None:
    pack = ask({"name_pattern": "^Dirt-Samples$"}).packs[0]
    assert len(pack.categories) == len(pack.sample_counts) == 12
    assert (pack.category_count, pack.sample_count) == (218, 2038)
    whole = ask({"name_pattern": "^Dirt-Samples$"}, all_categories=True).packs[0]
    assert len(whole.categories) == 218 and sum(whole.sample_counts) == 2038
    assert dict(zip(whole.categories, whole.sample_counts, strict=True))["bd"] == 24


def test_an_answer_says_how_to_load_a_pack_and_where_the_facts_are_from() -> None:
    pack = ask("spicule").packs[0]
    assert pack.github == "github:yaxu/spicule"
    assert pack.loading_syntax == "samples('github:yaxu/spicule/master')"
    assert pack.data == {"branch": "master", "commit": "625bcff3088b", "commit_date": "2023-06-09"}
    assert "problem" in ask({"name_pattern": "livecoding-samples"}).packs[0].data


def test_what_can_be_heard_offline() -> None:
    fetched = ask({"name_pattern": "^crate$"}).packs[0]
    assert fetched.fetched and fetched.offline == "all"
    kit = ask({"name_pattern": "^uzu-drumkit"}).packs[0]
    assert not kit.fetched and kit.offline == "local sounds play for 2 of 16 names"
    assert ask({"name_pattern": "^bflute$"}).packs[0].offline == "nothing"


@pytest.mark.parametrize("field", ["type", "character"])
def test_an_unknown_type_is_an_error_that_lists_those_there_are(field: str) -> None:
    with pytest.raises(ConsortError) as error:
        ask({field: "fluffy"})
    assert error.value.body.field == f"query.{field}"
    assert "Use one of:" in error.value.body.message and error.value.body.suggestions


@pytest.mark.parametrize("field", ["name_pattern", "tags"])
@pytest.mark.parametrize("pattern", ["(", "[a", "*x", r"(a)\1", "(?=a)b", "((((a{0,99}){0,99}){0,99}){0,99})"])
def test_a_pattern_that_re2_refuses(field: str, pattern: str) -> None:
    with pytest.raises(ConsortError) as error:
        ask({field: pattern})
    assert error.value.body.code == "INVALID_PATTERN" and error.value.body.field == f"query.{field}"
    assert error.value.body.message.startswith(f"'{field}' is")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(.*)*x(.*)*y", "'; drop table packs; --"])
def test_a_pattern_bomb_takes_no_time(pattern: str) -> None:
    begin = time.monotonic()
    ask({"name_pattern": pattern, "tags": pattern})
    assert time.monotonic() - begin < 5  # milliseconds on a machine that is not busy
