"""A score as JSON reads back equal and is compact."""

import json
from fractions import Fraction

from hypothesis import given

from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Lyric, Note, Part, Score
from consort_music.score_json import score_from_json, score_to_json
from tests.support.score_strategies import ANY_SCORE


@given(ANY_SCORE)
def test_a_score_reads_back_equal(score: Score) -> None:
    assert score_from_json(json.loads(json.dumps(score_to_json(score)))) == score


def test_default_values_are_left_out() -> None:
    data = score_to_json(parse_note_list("C4:q D4:e3"))
    assert data == {
        "parts": [{"name": "part 1", "notes": [[0, 1, "C4"], [1, "1/3", "D4"]]}],
        "metres": [[0, 4, 4]],
        "rest_to": "4/3",
    }


def test_the_lowest_octave_reads_back() -> None:
    score = Score((Part.of("low", [Note(Fraction(0), Fraction(1), Pitch("F", -1, -1), 100)]),))
    assert score_from_json(score_to_json(score)) == score


def test_lyrics_read_back() -> None:
    lyrics = ((Fraction(0), Lyric("la")), (Fraction(1, 3), Lyric("O", "begin", 2)))
    score = Score((Part.of("voice", [Note(Fraction(0), Fraction(1), Pitch("C", 0, 4))], None, lyrics),))
    data = score_to_json(score)
    assert data["parts"][0]["lyrics"] == [[0, "la"], ["1/3", "O", "begin", 2]]
    assert score_from_json(data) == score
