"""identify_pattern: what code does, with the real engine, the whole vocabulary and clips in Postgres."""

from collections.abc import Callable

import pytest

from consort_kit.errors import ConsortError
from consort_strudel.knowledge.identify.labels import label_parts
from consort_strudel.knowledge.identify.models import IdentifiedPatterns, IdentifyPattern
from consort_strudel.knowledge.identify.parts import parts_of
from consort_strudel.knowledge.identify.service import PatternKnowledge
from consort_strudel.knowledge.identify.vocabulary import read_vocabulary
from consort_strudel.knowledge.vocabulary import concepts
from consort_strudel.knowledge.vocabulary.models import QueryVocab
from consort_strudel.knowledge.vocabulary.service import query_vocabulary
from consort_strudel.similarity.code.reading import read_snippet
from tests.support.strudel_clips import ClipServices

pytestmark = pytest.mark.usefixtures("shelf")

Identify = Callable[..., IdentifiedPatterns]


@pytest.fixture(scope="module")
def identify(clips: ClipServices) -> Identify:
    knowledge = PatternKnowledge(clips.engine, clips.searching)

    def ask(code: str, top_k: int = 5) -> IdentifiedPatterns:
        return clips.run(knowledge.identify(IdentifyPattern(code_snippet=code, top_k=top_k)))

    return ask


@pytest.mark.parametrize("code", [".late('[0 .01]*4')", '.late("[0 .01]*4")'])
def test_the_example_of_the_document(identify: Identify, code: str) -> None:
    first = identify(code).identified_patterns[0]
    assert (first.concept, first.source, first.source_id) == ("swing", "vocab", "vocab_swing")
    assert first.similarity_score >= 0.9
    assert "rhythm" in first.tags and first.description


@pytest.mark.parametrize(
    ("code", "concept"),
    [
        (".crush(5)", "bit crush"),
        ('s("bd*4")', "four-on-the-floor"),
        ('s("cp(3,8)")', "euclidean rhythm"),
        (".jux(rev)", "stereo widening (jux)"),
        (".lpf(450)", "darker"),
        (".lpf(7000)", "brighter"),
        ('s("break").chop(16)', "chop"),
    ],
)
def test_code_leads_to_its_concept(identify: Identify, code: str, concept: str) -> None:
    assert concept in [found.concept for found in identify(code).identified_patterns]


def test_every_part_of_a_chain_gets_a_label(identify: Identify) -> None:
    found = identify(".lpf(400).room(.8).jux(rev)")
    parts = {label.part for label in found.identified_patterns}
    assert {".lpf(400)", ".room(.8)", ".jux(rev)"} <= parts
    assert found.unknown_parts is None and found.message is None


def test_a_part_that_nothing_explains_is_named(identify: Identify) -> None:
    found = identify(".qwerty(3).jux(rev)")
    assert found.unknown_parts == [".qwerty(3)"]
    assert found.identified_patterns[0].part == ".jux(rev)"


@pytest.mark.parametrize("code", ['foo(1).bar("x")', "wibble", "let a = 1 + 1", "zork({ a: 1 })"])
def test_nonsense_gets_low_scores_and_the_answer_says_so(identify: Identify, code: str) -> None:
    found = identify(code)
    assert all(label.similarity_score < 0.3 for label in found.identified_patterns)
    assert found.message and "get_function_info" in found.message


def test_a_clip_is_found_by_its_code_and_get_clip_reads_it(identify: Identify, clips: ClipServices) -> None:
    code = 'note("<c2 c2 f2 g1>*8").s("sawtooth").lpf(sine.range(300,1800).slow(8)).lpq(9)'
    found = next(label for label in identify(code, 10).identified_patterns if label.source == "clip")
    assert found.concept == "Acid line" and found.similarity_score > 0.7 and "bass" in found.tags
    assert clips.get(found.source_id).name == "Acid line"


def test_ids_of_concepts_are_read_by_query_vocab(identify: Identify) -> None:
    for label in identify(".lpf(400).room(.8).jux(rev)").identified_patterns:
        if label.source == "vocab":
            matches = query_vocabulary(QueryVocab(concept=label.source_id)).matches
            assert [match.concept for match in matches] == [label.concept]


def test_every_ninth_concept_is_found_by_its_own_code(clips: ClipServices) -> None:
    """The concept is among the best five for its own code. A few have the same code as others."""

    async def ranks() -> list[bool]:
        index = await read_vocabulary(clips.engine)
        found = []
        for concept in concepts()[::9]:
            snippet = await read_snippet(clips.engine, concept.code, "code")
            found.append(concept.id in [match.subject for match in index.rank(parts_of(snippet))[:5]])
        return found

    right = clips.run(ranks())
    assert sum(right) / len(right) > 0.95


def test_as_many_labels_as_asked_for_and_best_known_first(identify: Identify) -> None:
    code = 's("bd*4, hh*8").lpf(500).room(.5).delay(.4)'
    assert [len(identify(code, top_k).identified_patterns) for top_k in (1, 3, 8)] == [1, 3, 8]
    assert all(0 <= label.similarity_score <= 1 for label in identify(code, 20).identified_patterns)


def test_the_ranking_needs_no_database(clips: ClipServices) -> None:
    async def labels() -> list[str]:
        index = await read_vocabulary(
            clips.engine, [each for each in concepts() if each.name in ("swing", "bit crush")]
        )
        parts = parts_of(await read_snippet(clips.engine, ".crush(3)", "code"))
        return [label.subject for label in label_parts(index, parts, 5).labels]

    assert clips.run(labels()) == ["vocab_bit_crush"]


@pytest.mark.parametrize(
    ("code", "error_code"), [("s((", "SYNTAX_ERROR"), ("bd sd hh", "SYNTAX_ERROR"), (" ", "INVALID_INPUT")]
)
def test_code_that_cannot_be_parsed(identify: Identify, code: str, error_code: str) -> None:
    with pytest.raises(ConsortError) as error:
        identify(code)
    assert error.value.body.code == error_code and error.value.body.field == "code_snippet"
