"""Bars as places: notes are read, changed, removed, added and replaced by first_bar and last_bar."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consort_compose.songs.models import AddSection, CreateSong, UndoLastAction
from consort_compose.songs.note_models import (
    AddNotes,
    EditNotes,
    GetNotes,
    NoteSelection,
    RemoveNotes,
)
from consort_music.beats import parse_beats
from consort_music.errors import MusicError
from tests.song_desk import Desk

SECTIONS = [
    {"name": "Waltz", "start_measure": 3, "end_measure": 4, "time_signature": "3/4"},
    {"name": "Odd", "start_measure": 5, "end_measure": 5, "time_signature": "7/8"},
]
BAR_LINES = [Fraction(0), Fraction(4), Fraction(8), Fraction(11), Fraction(14), Fraction(35, 2)]
"""Of the bars 1 to 6; after that all are four quarters long."""


def line_of(bar: int) -> Fraction:
    return BAR_LINES[bar - 1] if bar <= 6 else BAR_LINES[5] + 4 * (bar - 6)


@pytest.fixture
def song(desk: Desk) -> str:
    body = {"tracks": {"Lead": "Flute", "Kit": "drums"}, "sections": SECTIONS}
    song_id = desk.run(desk.songs.create(CreateSong.model_validate(body))).song_id
    add(desk, song_id, notes={"Lead": "C4 1/2 x64", "Kit": "kick 1 x32"})
    return song_id


def add(desk: Desk, song_id: str, **fields: Any) -> Any:
    return desk.run(desk.editor.add_notes(AddNotes(song_id=song_id, **fields)))


def starts(desk: Desk, song_id: str, **fields: Any) -> list[Fraction]:
    page = desk.run(desk.editor.notes(GetNotes(song_id=song_id, format="objects", limit=2000, **fields)))
    assert isinstance(page.notes, list)
    return [parse_beats(note.start) for note in page.notes]


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(first=st.none() | st.integers(1, 9), length=st.none() | st.integers(0, 4))
def test_bars_select_what_their_beats_select(desk: Desk, song: str, first: int | None, length: int | None) -> None:
    last = None if length is None else (first or 1) + length
    begin, end = line_of(first or 1), None if last is None else line_of(last + 1)
    by_bars = starts(desk, song, track="Lead", first_bar=first, last_bar=last)
    by_beats = starts(desk, song, track="Lead", start_time=str(begin), end_time=None if end is None else str(end))
    origin = begin if first is not None else 0
    assert [origin + start for start in by_bars] == by_beats


def test_changed_and_removed_by_bars(desk: Desk, song: str) -> None:
    edited = desk.run(
        desk.editor.edit_notes(EditNotes(song_id=song, track="Lead", first_bar=3, last_bar=4, velocity=9))
    )
    assert edited.edited_notes == 12, "two bars of 3/4 in eighths"
    removed = desk.run(desk.editor.remove_notes(RemoveNotes(song_id=song, track="Lead", first_bar=5, last_bar=5)))
    assert removed.removed_notes == 7
    assert desk.run(desk.editor.remove_notes(RemoveNotes(song_id=song, first_bar=6))).removed_notes > 0
    assert max(starts(desk, song)) < line_of(6)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"first_bar": 2, "start_time": 4},
            "Give bars (first_bar, last_bar) or beats (start_time, end_time), not both",
        ),
        ({"last_bar": 2, "end_time": 4}, "Give bars (first_bar, last_bar) or beats (start_time, end_time), not both"),
        ({"first_bar": 2, "section": "Waltz"}, "Give a section or bars (first_bar, last_bar), not both"),
        ({"start_time": 2, "section": "Waltz"}, "Give a section or beats (start_time, end_time), not both"),
        ({"first_bar": 5, "last_bar": 4}, "last_bar is 4, which is before first_bar 5"),
    ],
)
def test_two_ways_to_name_a_place_are_one_too_many(desk: Desk, song: str, fields: Any, message: str) -> None:
    requests = (
        GetNotes(song_id=song, **fields),
        RemoveNotes(song_id=song, **fields),
        EditNotes(song_id=song, velocity=1, **fields),
    )
    for request, tool in zip(
        requests, (desk.editor.notes, desk.editor.remove_notes, desk.editor.edit_notes), strict=True
    ):
        with pytest.raises(MusicError) as refused:
            desk.run(tool(request))  # type: ignore[operator]
        assert message in refused.value.message and refused.value.suggestions


def test_what_was_read_by_bars_is_written_back_by_bars(desk: Desk, song: str) -> None:
    add(desk, song, notes={"Lead": "E5 @35/2 1/3; F5; G5 v90"})
    read = desk.run(desk.editor.notes(GetNotes(song_id=song, first_bar=5, last_bar=7)))
    assert read.beat_0_is_bar == 5
    before = starts(desk, song)
    add(desk, song, notes=read.notes, first_bar=5, last_bar=7, replace=True)
    assert starts(desk, song) == before
    whole = desk.run(desk.editor.notes(GetNotes(song_id=song, limit=2000)))
    assert whole.beat_0_is_bar is None and starts(desk, song)[:2] == [0, Fraction(1, 2)]


def test_notes_are_added_from_the_first_bar_on(desk: Desk, song: str) -> None:
    added = add(desk, song, track="Lead", notes="C5 1; D5 @3 1", first_bar=5)
    assert (added.tracks[0].start_time, added.tracks[0].end_time) == (14, 18)
    old_name = AddNotes.model_validate({"song_id": song, "track": "Lead", "notes": "C5", "measure": 4})
    assert desk.run(desk.editor.add_notes(old_name)).tracks[0].start_time == 11


def test_a_note_behind_the_last_bar_is_refused(desk: Desk, song: str) -> None:
    """The error says that beats count from first_bar, not from the beginning of the song."""
    with pytest.raises(MusicError) as refused:
        add(desk, song, track="Lead", notes="C5 @14 1", first_bar=5, last_bar=6)
    assert refused.value.field == "last_bar"
    assert "beat 14, counted from the beginning of bar 5, is in bar 8" in refused.value.message


def test_replacing_bars_is_one_step(desk: Desk, song: str) -> None:
    before = starts(desk, song, track="Kit")
    version = desk.run(desk.editor.notes(GetNotes(song_id=song))).version
    answer = add(desk, song, notes={"Kit": "snare @1 1; snare @3 1"}, first_bar=1, last_bar=2, replace=True)
    assert (answer.version, answer.added, answer.removed_notes) == (version + 1, 2, 8)
    assert starts(desk, song, track="Kit") == [1, 3, *before[8:]]
    assert len(starts(desk, song, track="Lead")) == 64, "other tracks stay"
    desk.run(desk.editor.undo(UndoLastAction(song_id=song)))
    assert starts(desk, song, track="Kit") == before


def test_without_a_last_bar_the_bars_of_the_new_notes_are_replaced(desk: Desk, song: str) -> None:
    answer = add(desk, song, notes={"Kit": "snare @1 4"}, first_bar=2, replace=True)
    assert answer.removed_notes == 7, "bar 2 and the three beats of bar 3, where the note ends"


def test_without_bars_only_what_the_new_notes_cover_is_replaced(desk: Desk, song: str) -> None:
    answer = add(desk, song, notes={"Kit": "snare @5 3", "Lead": "G5 @6 1"}, replace=True)
    assert answer.removed_notes == 3 + 2
    assert starts(desk, song, track="Kit")[:8] == [0, 1, 2, 3, 4, 5, 8, 9]


def test_a_track_that_gets_nothing_is_emptied_in_the_bars(desk: Desk, song: str) -> None:
    answer = add(desk, song, notes={"Kit": "", "Lead": "C5 4"}, first_bar=1, last_bar=1, replace=True)
    assert answer.removed_notes == 4 + 8
    assert starts(desk, song, track="Kit", last_bar=1) == []


@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), min_size=1, max_size=6), st.integers(1, 8), st.booleans()
)
def test_replaced_is_removed_and_added(
    desk: Desk, song: str, tones: list[tuple[int, int]], bar: int, by_bars: bool
) -> None:
    """The same as remove_notes_in_range and add_notes one after the other."""
    other = desk.run(desk.songs.create(CreateSong(from_song_id=song))).song_id
    text = "; ".join(f"C6 @{start}/4 {length}/4" for start, length in tones)
    begin = line_of(bar) if by_bars else 0
    add(desk, song, notes={"Lead": text}, replace=True, **({"first_bar": bar, "last_bar": bar + 9} if by_bars else {}))
    first, last = min(tones)[0], max(start + length for start, length in tones)
    place: dict[str, Any] = {"first_bar": bar, "last_bar": bar + 9}
    if not by_bars:
        place = {"start_time": f"{first}/4", "end_time": f"{last}/4"}
    desk.run(desk.editor.remove_notes(RemoveNotes(song_id=other, track="Lead", **place)))
    add(desk, other, notes={"Lead": "; ".join(f"C6 @{begin}+{start}/4 {length}/4" for start, length in tones)})
    assert starts(desk, song) == starts(desk, other)


def test_other_names_of_bars_are_understood() -> None:
    for first, last in (
        ("start_bar", "end_bar"),
        ("start_measure", "end_measure"),
        ("firstBar", "lastBar"),
        ("from_bar", "to_bar"),
    ):
        meant = NoteSelection.model_validate({first: 17, last: 24})
        assert (meant.first_bar, meant.last_bar) == (17, 24)


def test_sections_that_come_later_move_the_bars(desk: Desk) -> None:
    song = desk.run(desk.songs.create(CreateSong(tracks={"Lead": "Flute"}))).song_id
    add(desk, song, track="Lead", notes="C4 1 x12")
    assert starts(desk, song, first_bar=2, last_bar=2) == [0, 1, 2, 3]
    section = AddSection(song_id=song, name="A", start_measure=1, end_measure=1, time_signature="3/4")
    desk.run(desk.editor.add_section(section))
    found = desk.run(desk.editor.notes(GetNotes(song_id=song, first_bar=2, last_bar=2)))
    assert found.note_count == 4 and starts(desk, song, start_time=3, end_time=7) == [3, 4, 5, 6]
