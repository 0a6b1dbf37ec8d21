"""The vocabulary: the real engine plays every code, and every word leads somewhere."""

from collections import Counter
from collections.abc import Iterator

import pytest

from consort_strudel.knowledge.vocabulary import CATEGORIES, MEASURES, Concept, concepts
from consort_strudel.validation import ScriptVerdict
from tests.support.strudel_engine import RunningEngine

NEUTRAL = 'note("c3 e3 g3").s("sawtooth")'
HARMLESS = ("on this machine", "is longer than the note")
"""Parts of warnings that do not mean silence, or that come from the short notes of the neutral pattern."""


def _scripts(concept: Concept) -> Iterator[str]:
    codes = [concept.code, *(way.code for way in concept.other_ways)]
    yield from (f"{NEUTRAL}{code}" if code.startswith(".") else code for code in codes)
    yield concept.example


def _faults(script: str, verdict: ScriptVerdict) -> list[str]:
    doubts = [each.message for each in verdict.warnings if not any(part in each.message for part in HARMLESS)]
    return [f"{script}: {text}" for text in [*(each.message for each in verdict.errors), *doubts]]


def _faults_of(engine: RunningEngine, scripts: list[str]) -> list[str]:
    verdicts = engine.validate_all(scripts)
    return [fault for script, verdict in zip(scripts, verdicts, strict=True) for fault in _faults(script, verdict)]


def test_a_sample_of_codes_plays_without_doubts(engine: RunningEngine) -> None:
    """Try some scripts; the long test tries all."""
    scripts = sorted({script for concept in concepts() for script in _scripts(concept)})
    assert _faults_of(engine, scripts[::24]) == []


@pytest.mark.long
def test_every_code_plays_without_doubts(engine: RunningEngine) -> None:
    scripts = sorted({script for concept in concepts() for script in _scripts(concept)})
    assert _faults_of(engine, scripts) == []


def test_names_are_unique_and_related_names_exist() -> None:
    names = [concept.name for concept in concepts()]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert [each.id for each in concepts()] == list(dict.fromkeys(each.id for each in concepts()))
    assert {name for each in concepts() for name in each.related} - set(names) == set()
    assert [each.name for each in concepts() if each.name in each.related] == []


def test_every_concept_is_complete() -> None:
    """Every concept has words in all languages, and a word of feel names what it changes."""
    for each in concepts():
        assert each.category in CATEGORIES
        assert each.description.endswith(".") and len(each.description) <= 240, each.name
        assert not each.example.startswith("."), each.name
        assert each.related, each.name
        for language in ("de", "ja", "es", "fr"):
            assert each.terms.get(language), f"{each.name}: {language}"
        if each.moves:
            assert each.is_fragment and each.moves.measure in MEASURES, each.name
