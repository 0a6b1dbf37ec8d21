"""Music becomes code and, through the real engine, the same music again. `consort bench strudel` does more of them."""

import pytest

from consort_strudel.transcribing.write_script import WritingOptions
from evaluation.corpora.grid_pieces import GridPiece, band_pieces, chord_pieces, drum_loops, tunes
from evaluation.engine_runs.strudel_round_trip import round_trip
from tests.support.strudel_engine import RunningEngine

PIECES = [*tunes(2), *drum_loops(2), *chord_pieces(3), *band_pieces(2)]


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_code_is_short_and_plays_the_notes_and_tempos_of_the_piece(piece: GridPiece, engine: RunningEngine) -> None:
    found = engine.run(lambda real: round_trip(real, piece.music))
    assert found.error is None
    assert (found.right, found.extra) == (found.note_count, 0)
    assert found.are_tempos_right
    assert found.velocity_error < 7
    if piece.has_repeats and piece.kind == "tracks":
        assert len(found.script) <= found.unfolded_size / 2


def test_velocities_can_be_exact(engine: RunningEngine) -> None:
    piece = tunes(1)[0]
    found = engine.run(lambda real: round_trip(real, piece.music, WritingOptions(velocity="exact")))
    assert found.is_exact
    assert found.velocity_error == 0
