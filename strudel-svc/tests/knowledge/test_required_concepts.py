"""Every concept that the vocabulary must have is found by the words that a musician uses for it."""

import tomllib
from pathlib import Path

import pytest

from consort_strudel.knowledge.vocabulary.models import QueryVocab
from consort_strudel.knowledge.vocabulary.service import query_vocabulary
from tests import support

AREAS: dict[str, dict[str, str]] = tomllib.loads(
    Path(support.__file__).with_name("strudel_concepts.toml").read_text("utf-8")
)


@pytest.mark.parametrize("area", AREAS)
def test_every_required_concept_comes_first_or_second(area: str) -> None:
    answers = {wording: query_vocabulary(QueryVocab(concept=wording, limit=2)).matches for wording in AREAS[area]}
    found = {wording: [match.concept for match in matches] for wording, matches in answers.items()}
    assert {wording: names for wording, names in found.items() if AREAS[area][wording] not in names} == {}


def test_most_required_concepts_come_first() -> None:
    wanted = [(wording, name) for area in AREAS.values() for wording, name in area.items()]
    firsts = [query_vocabulary(QueryVocab(concept=wording, limit=1)).matches[0].concept for wording, _ in wanted]
    missed = [wording for (wording, name), first in zip(wanted, firsts, strict=True) if first != name]
    assert len(missed) <= len(wanted) * 0.05, missed
