"""Random pieces of the score library are read, analysed and engraved without an internal error."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.notation.make_notation import NotationWork, make_notation
from consort_compose.notation.models import MidiToNotation
from consort_compose.score_library.catalogue import CataloguedScore, the_catalogue
from consort_compose.score_library.piece_reading import read_piece
from consort_kit.score_library_folder import score_library_folder
from consort_music.errors import MusicError
from consort_music.notation.score_bars import cut_bars
from consort_music.score_json import score_to_json

_EXPECTED = {"TOO_LARGE", "EMPTY_INPUT", "TOO_MANY_NOTES"}


def some_pieces(count: int) -> list[CataloguedScore]:
    """Return pieces of all collections: half of them not folk tunes, which are most of the library."""
    rng = random.Random(19)
    pieces = the_catalogue().pieces
    others = [piece for piece in pieces if not piece.file.endswith(".abc")]
    return [*rng.sample(list(pieces), count - count // 2), *rng.sample(others, count // 2)]


@pytest.mark.parametrize("count", [6, pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(1800)])])
def test_pieces_are_read_analysed_and_engraved(count: int, tmp_path: Path) -> None:
    refused = 0
    for piece in some_pieces(count):
        try:
            score = read_piece(piece, None, score_library_folder()).score
            assert score.note_count, piece.name
            analyze(score, AnalyzeHarmony(music="C4:q"))
        except MusicError as error:
            assert error.code in _EXPECTED and error.message, (piece.name, error)
            refused += 1
            continue
        first = score.position_at(Fraction(0)).measure
        part = cut_bars(score, first, first + 11) if len(score.bars) > 12 else score
        if not part.note_count:
            continue
        source = {"kind": "score", "score": score_to_json(part), "marks": []}
        options = MidiToNotation(music="C4:q").model_dump(mode="json")
        made = make_notation(NotationWork(source, options, tmp_path, tmp_path / "fonts"))
        assert made["pages"], piece.name
    assert refused <= count // 50
