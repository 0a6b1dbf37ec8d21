"""Pieces of the score library: found, read as music21 reads them, in part, and with what their files say of rights."""

from fractions import Fraction

import pytest
from music21 import corpus

from consort_compose.score_library.models import FindScores, FoundScores
from consort_kit.errors import NotFound
from consort_music.errors import MusicError
from consort_music.score import Score
from tests.support.song_services import SongServices


def find(services: SongServices, **request: object) -> FoundScores:
    return services.run(services.library.find(FindScores.model_validate(request)))


def read(services: SongServices, reference: str) -> Score:
    return services.run(services.library.read(reference, "music")).score


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"query": "BWV 66.6"}, "corpus:bach/bwv66.6"),
        ({"query": "bach", "key": "F# minor", "metre": "4/4", "parts": 4, "bars": "9"}, "corpus:bach/bwv66.6"),
        ({"query": "irish washerwoman", "metre": "6/8"}, "corpus:airdsAirs/book4/0619"),
        ({"query": "palestrina agnus", "parts": 6}, None),
        ({"query": "Lobt Gott, ihr Christen", "composer": None}, None),
    ],
)
def test_a_piece_is_found_by_what_is_known_of_it(
    services: SongServices, request_: dict[str, object], expected: str | None
) -> None:
    found = find(services, **{name: value for name, value in request_.items() if value is not None})
    assert found.items
    assert expected is None or expected in [item.score for item in found.items]
    for item in found.items:
        assert "parts" not in request_ or item.parts == request_["parts"]
        assert "metre" not in request_ or item.metre == request_["metre"]


def test_a_limit_gives_the_best_of_all(services: SongServices) -> None:
    few, many = find(services, query="reel", limit=5), find(services, query="reel", limit=50)
    assert few.items == many.items[:5] and few.total == many.total > 50


def test_words_that_no_piece_has_are_named(services: SongServices) -> None:
    assert "zauberfloete" in str(find(services, query="mozart zauberfloete").note)
    nothing = find(services, query="qqqqq")
    assert not nothing.items and nothing.note


PIECES = ["bach/bwv66.6", "mozart/k155/movement2", "palestrina/Agnus"]


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_has_the_notes_that_music21_reads(services: SongServices, name: str) -> None:
    ours = read(services, f"corpus:{name}")
    theirs = corpus.parse(name).stripTies().flatten().notes
    pitches = sorted(note.midi for part in ours.parts for note in part.notes)
    assert pitches == sorted(pitch.midi for note in theirs for pitch in note.pitches if not note.duration.isGrace)


def test_bars_of_a_piece(services: SongServices) -> None:
    whole, part = read(services, "corpus:bach/bwv66.6"), read(services, "corpus:bach/bwv66.6#3-4")
    start, end = whole.bar_lines.start_of(3), whole.bar_lines.start_of(5)
    expected = [(note.start - start, note.pitch) for note in whole.parts[0].notes if start <= note.start < end]
    assert [(note.start, note.pitch) for note in part.parts[0].notes] == expected
    assert part.length == end - start == Fraction(8)
    assert read(services, "corpus:bach/bwv66.6#1-4").pickup == whole.pickup == 1


@pytest.mark.parametrize(
    ("reference", "code"),
    [("corpus:bach/bwv66.6#40-44", "INVALID_BARS"), ("corpus:bach/bwv66.6#four", "INVALID_INPUT")],
)
def test_bars_that_do_not_exist(services: SongServices, reference: str, code: str) -> None:
    with pytest.raises(MusicError) as raised:
        read(services, reference)
    assert (raised.value.code, raised.value.field) == (code, "music")
    assert "corpus:bach/bwv66.6#1-" in raised.value.suggestions[0]


@pytest.mark.parametrize("name", ["bach/bwv66.7777", "../../etc/passwd", "bach", ""])
def test_an_unknown_piece_is_not_found(services: SongServices, name: str) -> None:
    with pytest.raises(NotFound) as raised:
        read(services, f"corpus:{name}")
    assert raised.value.body.field == "music" and raised.value.body.suggestions


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("palestrina/Agnus_00", "John Miller"),
        ("essenFolksong/altdeu10/1", "non-commercial"),
        ("johnson_j_r/lift_every_voice", "Public Domain"),
    ],
)
def test_what_a_file_says_of_rights_is_passed_on(services: SongServices, name: str, words: str) -> None:
    piece = services.run(services.library.read(f"corpus:{name}", "music"))
    assert words in piece.warnings[0]
