"""A cursor comes back as it went out; anything else is refused."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from consort_kit.cursor import read_cursor, write_cursor
from consort_kit.errors import InvalidInput
from consort_kit.ids import new_id


@given(st.datetimes(timezones=st.just(UTC)))
def test_cursor_is_read_back(time: datetime) -> None:
    row_id = new_id("midi")
    assert read_cursor(write_cursor(time, row_id), "list_midi") == (time, row_id)


@given(st.text(max_size=60))
def test_any_other_cursor_is_refused_clearly(text: str) -> None:
    try:
        read_cursor(text, "list_midi")
    except InvalidInput as refused:
        assert refused.body.code == "INVALID_CURSOR" and "list_midi" in refused.body.message
