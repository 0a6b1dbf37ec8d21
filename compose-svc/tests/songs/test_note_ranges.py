"""Reading, changing, removing, adding and replacing notes by first_bar and last_bar."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consort_compose.songs.models.notes import AddNotes, EditNotes, GetNotes, NoteSelectionFields, RemoveNotes
from consort_compose.songs.models.sections import AddSection
from consort_compose.songs.models.songs import CreateSong, UndoLastAction
from consort_music.beats import parse_beats
from consort_music.errors import MusicError
from tests.support.song_services import SongServices

SECTIONS = [
    {"name": "Waltz", "start_measure": 3, "end_measure": 4, "time_signature": "3/4"},
    {"name": "Odd", "start_measure": 5, "end_measure": 5, "time_signature": "7/8"},
]
BAR_LINES = [Fraction(0), Fraction(4), Fraction(8), Fraction(11), Fraction(14), Fraction(35, 2)]
"""Start of bars 1 to 6; later bars are four quarters long."""


def start_of_bar(bar: int) -> Fraction:
    return BAR_LINES[bar - 1] if bar <= 6 else BAR_LINES[5] + 4 * (bar - 6)


@pytest.fixture
def song(services: SongServices) -> str:
    body = {"tracks": {"Lead": "Flute", "Kit": "drums"}, "sections": SECTIONS}
    song_id = services.run(services.songs.create(CreateSong.model_validate(body))).song_id
    services.add_notes(song_id, notes={"Lead": "C4 1/2 x64", "Kit": "kick 1 x32"})
    return song_id


def starts(services: SongServices, song_id: str, **fields: Any) -> list[Fraction]:
    page = services.run(services.reader.notes(GetNotes(song_id=song_id, format="objects", limit=2000, **fields)))
    assert isinstance(page.notes, list)
    return [parse_beats(note.start) for note in page.notes]


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(first=st.none() | st.integers(1, 9), length=st.none() | st.integers(0, 4))
def test_bars_select_the_same_notes_as_their_beats(
    services: SongServices, song: str, first: int | None, length: int | None
) -> None:
    last = None if length is None else (first or 1) + length
    begin, end = start_of_bar(first or 1), None if last is None else start_of_bar(last + 1)
    by_bars = starts(services, song, track="Lead", first_bar=first, last_bar=last)
    by_beats = starts(services, song, track="Lead", start_time=str(begin), end_time=None if end is None else str(end))
    origin = begin if first is not None else 0
    assert [origin + start for start in by_bars] == by_beats


def test_edit_and_remove_by_bars(services: SongServices, song: str) -> None:
    edited = services.run(
        services.editor.edit_notes(EditNotes(song_id=song, track="Lead", first_bar=3, last_bar=4, velocity=9))
    )
    assert edited.edited_notes == 12, "two bars of 3/4 in eighths"
    removed = services.run(
        services.editor.remove_notes(RemoveNotes(song_id=song, track="Lead", first_bar=5, last_bar=5))
    )
    assert removed.removed_notes == 7
    assert services.run(services.editor.remove_notes(RemoveNotes(song_id=song, first_bar=6))).removed_notes > 0
    assert max(starts(services, song)) < start_of_bar(6)


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
        ({"first_bar": 5, "last_bar": 4}, "'last_bar' is 4, which is before 'first_bar', 5"),
    ],
)
def test_range_given_in_two_ways_is_rejected(services: SongServices, song: str, fields: Any, message: str) -> None:
    requests = (
        GetNotes(song_id=song, **fields),
        RemoveNotes(song_id=song, **fields),
        EditNotes(song_id=song, velocity=1, **fields),
    )
    for request, tool in zip(
        requests, (services.reader.notes, services.editor.remove_notes, services.editor.edit_notes), strict=True
    ):
        with pytest.raises(MusicError) as caught:
            services.run(tool(request))  # type: ignore[operator]
        assert message in caught.value.message and caught.value.suggestions


def test_notes_read_by_bars_can_be_written_back(services: SongServices, song: str) -> None:
    services.add_notes(song, notes={"Lead": "E5 @35/2 1/3; F5; G5 v90"})
    read = services.run(services.reader.notes(GetNotes(song_id=song, first_bar=5, last_bar=7)))
    assert read.beat_0_is_bar == 5
    before = starts(services, song)
    services.add_notes(song, notes=read.notes, first_bar=5, last_bar=7, replace=True)
    assert starts(services, song) == before
    whole = services.run(services.reader.notes(GetNotes(song_id=song, limit=2000)))
    assert whole.beat_0_is_bar is None and starts(services, song)[:2] == [0, Fraction(1, 2)]


def test_notes_are_added_from_the_first_bar(services: SongServices, song: str) -> None:
    added = services.add_notes(song, track="Lead", notes="C5 1; D5 @3 1", first_bar=5)
    assert (added.tracks[0].start_time, added.tracks[0].end_time) == (14, 18)
    old_name = AddNotes.model_validate({"song_id": song, "track": "Lead", "notes": "C5", "measure": 4})
    assert services.run(services.editor.add_notes(old_name)).tracks[0].start_time == 11


def test_note_after_the_last_bar_is_rejected(services: SongServices, song: str) -> None:
    """The error explains that beats count from first_bar."""
    with pytest.raises(MusicError) as caught:
        services.add_notes(song, track="Lead", notes="C5 @14 1", first_bar=5, last_bar=6)
    assert caught.value.field == "last_bar"
    assert "beat 14, counted from the beginning of bar 5, is in bar 8" in caught.value.message


def test_replacing_bars_is_one_undo_step(services: SongServices, song: str) -> None:
    before = starts(services, song, track="Kit")
    version = services.run(services.reader.notes(GetNotes(song_id=song))).version
    answer = services.add_notes(song, notes={"Kit": "snare @1 1; snare @3 1"}, first_bar=1, last_bar=2, replace=True)
    assert (answer.version, answer.added, answer.removed_notes) == (version + 1, 2, 8)
    assert starts(services, song, track="Kit") == [1, 3, *before[8:]]
    assert len(starts(services, song, track="Lead")) == 64, "other tracks stay"
    services.run(services.editor.undo(UndoLastAction(song_id=song)))
    assert starts(services, song, track="Kit") == before


def test_replace_without_last_bar_ends_with_the_bar_of_the_last_note(services: SongServices, song: str) -> None:
    answer = services.add_notes(song, notes={"Kit": "snare @1 4"}, first_bar=2, replace=True)
    assert answer.removed_notes == 7, "bar 2 and bar 3, where the note ends"


def test_replace_without_bars_covers_only_the_new_notes(services: SongServices, song: str) -> None:
    answer = services.add_notes(song, notes={"Kit": "snare @5 3", "Lead": "G5 @6 1"}, replace=True)
    assert answer.removed_notes == 3 + 2
    assert starts(services, song, track="Kit")[:8] == [0, 1, 2, 3, 4, 5, 8, 9]


def test_replace_with_no_notes_empties_the_bars(services: SongServices, song: str) -> None:
    answer = services.add_notes(song, notes={"Kit": "", "Lead": "C5 4"}, first_bar=1, last_bar=1, replace=True)
    assert answer.removed_notes == 4 + 8
    assert starts(services, song, track="Kit", last_bar=1) == []


@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), min_size=1, max_size=6), st.integers(1, 8), st.booleans()
)
def test_replace_equals_remove_and_add(
    services: SongServices, song: str, tones: list[tuple[int, int]], bar: int, by_bars: bool
) -> None:
    """`replace` does the same as remove_notes_in_range and then add_notes."""
    other = services.run(services.songs.create(CreateSong(from_song_id=song))).song_id
    text = "; ".join(f"C6 @{start}/4 {length}/4" for start, length in tones)
    begin = start_of_bar(bar) if by_bars else 0
    services.add_notes(
        song,
        notes={"Lead": text},
        replace=True,
        **({"first_bar": bar, "last_bar": bar + 9} if by_bars else {}),
    )
    first, last = min(tones)[0], max(start + length for start, length in tones)
    place: dict[str, Any] = {"first_bar": bar, "last_bar": bar + 9}
    if not by_bars:
        place = {"start_time": f"{first}/4", "end_time": f"{last}/4"}
    services.run(services.editor.remove_notes(RemoveNotes(song_id=other, track="Lead", **place)))
    services.add_notes(other, notes={"Lead": "; ".join(f"C6 @{begin}+{start}/4 {length}/4" for start, length in tones)})
    assert starts(services, song) == starts(services, other)


def test_other_names_of_bar_fields_are_accepted() -> None:
    for first, last in (
        ("start_bar", "end_bar"),
        ("start_measure", "end_measure"),
        ("firstBar", "lastBar"),
        ("from_bar", "to_bar"),
    ):
        meant = NoteSelectionFields.model_validate({first: 17, last: 24})
        assert (meant.first_bar, meant.last_bar) == (17, 24)


def test_a_later_section_in_another_metre_moves_the_bars(services: SongServices) -> None:
    song = services.run(services.songs.create(CreateSong(tracks={"Lead": "Flute"}))).song_id
    services.add_notes(song, track="Lead", notes="C4 1 x12")
    assert starts(services, song, first_bar=2, last_bar=2) == [0, 1, 2, 3]
    section = AddSection(song_id=song, name="A", start_measure=1, end_measure=1, time_signature="3/4")
    services.run(services.editor.add_section(section))
    found = services.run(services.reader.notes(GetNotes(song_id=song, first_bar=2, last_bar=2)))
    assert found.note_count == 4 and starts(services, song, start_time=3, end_time=7) == [3, 4, 5, 6]
