"""The labelled snippets of `code_of_concepts` are complete, and the engine accepts them."""

from collections import Counter

import pytest

from evaluation.strudel_knowledge.code_of_concepts import ConceptSnippet, concept_snippets
from tests.support.strudel_engine import RunningEngine

CONCEPTS = 228


def test_every_concept_has_one_or_two_snippets() -> None:
    counts = Counter(snippet.concept for snippet in concept_snippets())
    assert len(counts) == CONCEPTS
    assert set(counts.values()) <= {1, 2}


def test_no_snippet_is_there_twice() -> None:
    codes = Counter(snippet.code for snippet in concept_snippets())
    assert [code for code, count in codes.items() if count > 1] == []


def test_other_right_answers_are_concepts_of_the_list() -> None:
    labels = {snippet.concept for snippet in concept_snippets()}
    for snippet in concept_snippets():
        assert snippet.right_answers <= labels, snippet
        assert len(snippet.right_answers) == 1 + len(snippet.also), snippet


def test_the_engine_accepts_a_sample(engine: RunningEngine) -> None:
    for snippet in concept_snippets()[::30]:
        assert_accepted(engine, snippet)


@pytest.mark.long
def test_the_engine_accepts_every_snippet(engine: RunningEngine) -> None:
    for snippet in concept_snippets():
        assert_accepted(engine, snippet)


def assert_accepted(engine: RunningEngine, snippet: ConceptSnippet) -> None:
    verdict = engine.validate(snippet.code, fragment=snippet.is_fragment)
    assert verdict.valid, f"{snippet.code}\n{verdict.errors}"
