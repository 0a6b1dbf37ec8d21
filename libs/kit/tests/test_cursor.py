"""Cursors and pages of a list."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_kit.errors import InvalidInput
from consort_kit.ids import new_id
from consort_kit.tools.cursor import first_page, read_cursor, write_cursor


@given(st.datetimes(timezones=st.just(UTC)))
def test_cursor_is_read_back(time: datetime) -> None:
    row_id = new_id("midi")
    assert read_cursor(write_cursor(time, row_id), "list_midi") == (time, row_id)


@pytest.mark.parametrize(("count", "shown", "has_more"), [(0, 0, False), (2, 2, False), (3, 2, True)])
def test_a_page_has_the_cursor_of_the_next_one(count: int, shown: int, has_more: bool) -> None:
    rows = [(datetime(2026, 1, 3 - number, tzinfo=UTC), f"id{number}") for number in range(count)]
    page, cursor = first_page(rows, 2, lambda row: row)
    assert list(page) == rows[:shown]
    assert (cursor and read_cursor(cursor, "list_midi")) == (rows[1] if has_more else None)


@given(st.text(max_size=60))
def test_any_other_text_is_an_invalid_cursor(text: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_cursor(text, "list_midi")
    assert raised.value.body.code == "INVALID_CURSOR" and "list_midi" in raised.value.body.message
