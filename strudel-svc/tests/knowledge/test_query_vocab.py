"""query_vocab: words in five languages lead to the right concept."""

import pytest

from consort_strudel.knowledge.vocabulary import concepts
from consort_strudel.knowledge.vocabulary.models import QueryVocab, VocabMatches
from consort_strudel.knowledge.vocabulary.service import query_vocabulary


def ask(concept: str = "", **more: object) -> VocabMatches:
    return query_vocabulary(QueryVocab.model_validate({"concept": concept, **more}))


def names(concept: str, **more: object) -> list[str]:
    return [match.concept for match in ask(concept, **more).matches]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("darker", "darker"),
        ("DARK", "darker"),
        ("dunkler", "darker"),
        ("mach es wärmer", "warmer"),
        ("もっと暗く", "darker"),
        ("広く", "wider"),
        ("más oscuro", "darker"),
        ("mas oscuro", "darker"),
        ("un sonido más seco", "drier"),
        ("plus sombre", "darker"),
        ("un son plus chaud", "warmer"),
        ("drker", "darker"),
        ("punchyer", "punchier"),
        ("more reverb please", "more space"),
    ],
)
def test_a_word_in_any_language_finds_its_concept(query: str, expected: str) -> None:
    assert expected in names(query)[:3]


def test_names_and_synonyms_find_their_concept() -> None:
    """Every 6th name and every 20th synonym."""
    assert [names(concept.name)[0] for concept in concepts()[::6]] == [concept.name for concept in concepts()[::6]]
    synonyms = [(term, each.name) for each in concepts() for terms in each.terms.values() for term in terms]
    assert [(term, name) for term, name in synonyms[::20] if name not in names(term, limit=50)] == []


def test_a_sentence_finds_all_that_it_asks_for() -> None:
    assert {"darker", "swung"} <= set(names("Make it darker and add some swing"))


def test_a_regular_expression_finds_all_that_match() -> None:
    found = names("^(dark|bright)er$")
    assert sorted(found) == ["brighter", "darker"]
    assert "darker" in names("dark(")


def test_an_unknown_word_gets_the_nearest_concepts_and_says_so() -> None:
    answer = ask("krustiness")
    assert answer.message and "nearest" in answer.message and answer.matches
    nothing = ask("qzxv")
    assert nothing.matches == [] and nothing.total_count == 0 and "category" in str(nothing.message)


def test_a_category_is_listed_in_pages() -> None:
    first, second = ask(category="feel", limit=7), ask(category="feel", limit=7, offset=7)
    feel = [concept.name for concept in concepts() if concept.category == "feel"]
    assert first.total_count == len(feel) >= 60
    assert [match.concept for match in [*first.matches, *second.matches]] == feel[:14]


def test_a_match_has_code_and_what_it_moves() -> None:
    match = ask("darker").matches[0]
    assert match.strudel_code == ".lpf(500)"
    assert match.moves and (match.moves.measure, match.moves.direction) == ("brightness", "down")
    assert match.other_ways and "brighter" in match.related_concepts
