"""The list of composed scores."""

import pytest

from consort_kit.errors import InvalidInput
from consort_music.notation.note_list import parse_note_list
from tests.support.song_services import SongServices


def test_newest_scores_come_first_in_pages(services: SongServices) -> None:
    kept = [services.run(services.scores.keep(parse_note_list(f"C4:q {pitch}4:q"))) for pitch in "DEF"]
    first = services.run(services.scores.newest(2, None))
    assert [item.score_id for item in first.items] == [kept[2], kept[1]] and first.next_cursor is not None
    assert first.items[0].parts == ["part 1"] and first.items[0].title is None
    second = services.run(services.scores.newest(2, first.next_cursor))
    assert second.items[0].score_id == kept[0]


def test_a_wrong_cursor_is_rejected(services: SongServices) -> None:
    with pytest.raises(InvalidInput, match="next_cursor"):
        services.run(services.scores.newest(2, "nonsense"))
