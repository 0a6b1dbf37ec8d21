"""The code that is known only for comparison: it belongs to concepts, and the real engine accepts it."""

import pytest

from consort_strudel.knowledge.identify.vocabulary import further_exemplars
from consort_strudel.knowledge.vocabulary import concepts
from tests.support.strudel_engine import RunningEngine


def _errors(engine: RunningEngine, codes: list[str]) -> list[str]:
    verdicts = engine.validate_all(codes, fragments=True)
    return [
        f"{code}: {error.message}" for code, verdict in zip(codes, verdicts, strict=True) for error in verdict.errors
    ]


def test_each_belongs_to_a_concept_and_most_concepts_have_some() -> None:
    names = {concept.name for concept in concepts()}
    assert further_exemplars().keys() <= names
    assert len(further_exemplars()) >= 300 and all(further_exemplars().values())


def test_a_sample_is_accepted_by_the_engine(engine: RunningEngine) -> None:
    codes = sorted({code for codes in further_exemplars().values() for code in codes})
    assert _errors(engine, codes[::40]) == []


@pytest.mark.long
def test_all_are_accepted_by_the_engine(engine: RunningEngine) -> None:
    codes = sorted({code for codes in further_exemplars().values() for code in codes})
    assert _errors(engine, codes) == []
