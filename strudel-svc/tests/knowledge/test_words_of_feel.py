"""Words of feel keep their promise: the measure that a word names moves in the direction that it names."""

from collections.abc import Sequence

import pytest

from consort_strudel.knowledge.vocabulary import Concept, concepts
from tests.support.strudel_feel import BASE_PATTERNS, FeelRig
from tests.support.strudel_rendering import RenderRig

WORDS = {concept.name: concept for concept in concepts() if concept.moves}
A_FEW = ("darker", "punchier", "wider", "swung", "straighter", "busier")
MOST_UNMOVED = 1
"""Of ten patterns."""


@pytest.fixture(scope="module")
def feel(rig: RenderRig) -> FeelRig:
    return FeelRig(rig)


def _unmoved(feel: FeelRig, word: Concept, names: Sequence[str]) -> list[str]:
    return [name for name in names if not feel.moves(word, BASE_PATTERNS[name])]


@pytest.mark.parametrize("word", A_FEW)
def test_words_move_what_they_name(feel: FeelRig, word: str) -> None:
    assert _unmoved(feel, WORDS[word], ("saw bass", "rock beat")) == []


@pytest.mark.long
@pytest.mark.parametrize("word", WORDS)
def test_every_word_moves_what_it_names_in_most_patterns(feel: FeelRig, word: str) -> None:
    assert len(_unmoved(feel, WORDS[word], list(BASE_PATTERNS))) <= MOST_UNMOVED
