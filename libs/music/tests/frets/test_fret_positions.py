"""Tablature: every note gets a playable place or a report. An independent checker judges the places."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.frets.fret_positions import FretHints, Tablature, TabNote, fret_positions
from consort_music.frets.fretboards import Fretboard
from evaluation.checkers.tabs import CheckedFretboard, CheckedTabNote, tab_faults
from evaluation.corpora.random_tabs import BOARDS, RandomTab, random_tabs


def melody(*pitches: int, length: float = 0.5) -> list[TabNote]:
    return [TabNote(index * length, length, pitch) for index, pitch in enumerate(pitches)]


def chord(*pitches: int) -> list[TabNote]:
    return [TabNote(0, 1, pitch) for pitch in pitches]


def places(tab: Tablature) -> list[tuple[int | None, int | None]]:
    return [(position.string, position.fret) for position in tab.positions]


def checked(notes: list[TabNote], tab: Tablature) -> list[CheckedTabNote]:
    return [
        CheckedTabNote(note.start, note.duration, note.pitch, position.string, position.fret)
        for note, position in zip(notes, tab.positions, strict=True)
        if position.string is not None and position.fret is not None
    ]


def checked_board(board: Fretboard) -> CheckedFretboard:
    frets = board.highest_fret + board.capo
    return CheckedFretboard(board.open_pitches, board.scale_mm, frets, board.capo, board.first_frets)


@pytest.mark.parametrize("piece", random_tabs(36, seed=7), ids=lambda piece: piece.name)
def test_playable_pieces_are_played_without_a_violation(piece: RandomTab) -> None:
    notes = [TabNote(note.start, note.duration, note.pitch) for note in piece.notes]
    tab = fret_positions(notes, piece.instrument, piece.tuning, piece.capo)
    assert not tab.problems
    assert tab_faults(piece.board, checked(notes, tab)) == []


random_notes = st.lists(
    st.builds(
        TabNote,
        st.integers(0, 24).map(lambda eighth: eighth / 4),
        st.sampled_from((0.1, 0.25, 0.5, 1.0, 3.0)),
        st.integers(20, 100),
    ),
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(random_notes, st.sampled_from(BOARDS))
def test_any_notes_are_placed_or_reported(
    notes: list[TabNote], instrument: tuple[str, str, int, CheckedFretboard]
) -> None:
    name, tuning, capo, board = instrument
    tab = fret_positions(notes, name, tuning, capo)
    assert [position.pitch for position in tab.positions] == [note.pitch for note in notes]
    for position in tab.positions:
        if position.string is None or position.fret is None:
            problem = position.problem
            assert problem is not None
            assert problem.kind in ("out_of_range", "no_string")
            assert board.sounds(*problem.nearest_place) == problem.nearest_pitch
        else:
            assert board.sounds(position.string, position.fret) == position.pitch
    if not tab.problems:
        assert tab_faults(checked_board(tab.board), checked(notes, tab)) == []


@pytest.mark.parametrize(
    ("instrument", "pitches", "expected"),
    [
        ("guitar", (48, 50, 52, 53, 55, 57, 59, 60), "5:3 4:0 4:2 4:3 3:0 3:2 2:0 2:1"),
        ("bass", (28, 33, 38, 43), "4:0 3:0 2:0 1:0"),
        ("ukulele", (60, 62, 64, 65), "3:0 3:2 2:0 2:1"),
        ("ukulele", (67, 72, 76, 72), "4:0 1:3 1:7 1:3"),
        ("mandolin", (55, 57, 59, 60, 62), "4:0 4:2 4:4 4:5 3:0"),
        ("banjo", (67, 62, 59, 55), "5:0 1:0 2:0 3:0"),
    ],
)
def test_easy_tunes_are_in_the_first_position(instrument: str, pitches: tuple[int, ...], expected: str) -> None:
    tab = fret_positions(melody(*pitches), instrument)
    assert " ".join(f"{string}:{fret}" for string, fret in places(tab)) == expected


def test_chords_have_the_usual_shapes() -> None:
    assert places(fret_positions(chord(48, 52, 55, 60, 64))) == [(5, 3), (4, 2), (3, 0), (2, 1), (1, 0)]
    barre = fret_positions(chord(41, 48, 53, 57, 60, 65))
    assert places(barre) == [(6, 1), (5, 3), (4, 3), (3, 2), (2, 1), (1, 1)]


def test_a_ringing_note_keeps_its_string() -> None:
    notes = [TabNote(0, 4, 64), TabNote(1, 1, 65), TabNote(2, 1, 67)]
    tab = fret_positions(notes)
    assert tab.positions[0].string not in {position.string for position in tab.positions[1:]}
    assert not tab.problems


def test_two_voices_in_unison_share_a_place() -> None:
    tab = fret_positions([TabNote(0, 2, 64, "up"), TabNote(0, 1, 64, "down")])
    assert len(set(places(tab))) == 1


def test_notes_out_of_range_are_reported_with_the_nearest_octave() -> None:
    tab = fret_positions(melody(38, 64, 100), "guitar")
    low, inside, high = tab.positions
    assert inside.problem is None
    assert low.problem is not None and low.problem.kind == "out_of_range"
    assert low.problem.nearest_pitch == 50
    assert "D2" in low.problem.message and "D3" in low.problem.message
    assert high.problem is not None and high.problem.nearest_pitch == 88


def test_a_chord_with_too_many_notes_keeps_bass_and_top() -> None:
    tab = fret_positions(chord(40, 41, 42, 43, 44, 45, 76))
    reported = [position for position in tab.positions if position.problem]
    assert reported
    assert all(position.problem and position.problem.kind == "no_string" for position in reported)
    assert tab.positions[-1].problem is None


def test_a_shift_that_is_too_fast_is_reported() -> None:
    tab = fret_positions([TabNote(0, 0.1, 41), TabNote(0.1, 0.1, 88)])
    assert [position.problem and position.problem.kind for position in tab.positions] == [None, "fast_shift"]


def test_a_position_is_preferred() -> None:
    frets = [fret for _, fret in places(fret_positions(melody(57, 60, 62, 64), hints=FretHints(position=5)))]
    assert all(fret is not None and 5 <= fret <= 9 for fret in frets)


def test_open_strings_can_be_preferred_avoided_or_excluded() -> None:
    notes = melody(59, 64, 55, 60)
    without = fret_positions(notes, hints=FretHints(open_strings=False))
    avoided = fret_positions(notes, hints=FretHints(open_strings="avoid"))
    assert all(position.fret for position in (*without.positions, *avoided.positions))
    assert [position.fret for position in fret_positions(notes, hints=FretHints(open_strings=True)).positions][:3] == [
        0
    ] * 3
    lowest = fret_positions(melody(40), hints=FretHints(open_strings=False))
    assert places(lowest) == [(6, 0)]  # there is no other place


def test_pinned_notes_stay() -> None:
    notes = [TabNote(0, 1, 64, "a"), TabNote(1, 1, 65, "b")]
    tab = fret_positions(notes, hints=FretHints(pinned={"a": 3, "b": (2, 6)}))
    assert places(tab) == [(3, 9), (2, 6)]


@pytest.mark.parametrize(
    "hints",
    [
        FretHints(pinned={"x": 3}),
        FretHints(pinned={"a": 9}),
        FretHints(pinned={"a": (1, 5)}),
        FretHints(pinned={"a": 6}, max_fret=12),
        FretHints(position=99),
        FretHints(max_fret=0),
    ],
)
def test_a_hint_that_cannot_be_followed_is_an_error(hints: FretHints) -> None:
    with pytest.raises(MusicError) as error:
        fret_positions([TabNote(0, 1, 64, "a")], hints=hints)
    assert error.value.code == "INVALID_FRET_HINT"


def test_max_fret_limits_the_range() -> None:
    tab = fret_positions(melody(76), hints=FretHints(max_fret=5))
    assert tab.positions[0].problem is not None


def test_times_in_quarter_notes() -> None:
    notes = [TabNote(0, 1, 41), TabNote(1, 1, 88)]
    assert not fret_positions(notes, bpm=60).problems
    assert fret_positions(notes, bpm=600).problems


def test_nothing_to_play() -> None:
    assert fret_positions([]).positions == ()


def test_the_checker_finds_what_a_hand_cannot_do() -> None:
    board = BOARDS[0][3]
    one = CheckedTabNote(0, 1, 65, 1, 1)
    assert tab_faults(board, [one]) == []
    assert tab_faults(board, [CheckedTabNote(0, 1, 66, 1, 1)])  # another pitch
    assert tab_faults(board, [one, CheckedTabNote(0.3, 1, 66, 1, 2)])  # one string twice
    assert tab_faults(board, [one, CheckedTabNote(0, 1, 66, 2, 7)])  # too wide
    assert tab_faults(board, [CheckedTabNote(0, 0.1, 65, 1, 1), CheckedTabNote(0.1, 0.1, 76, 1, 12)])  # too fast
    crowded = [
        CheckedTabNote(0, 1, board.open_pitches[string] + 1 + string % 2, string + 1, 1 + string % 2)
        for string in range(6)
    ]
    assert tab_faults(board, crowded) == []  # a barre and three fingers
    crowded[2] = CheckedTabNote(0, 1, board.open_pitches[2], 3, 0)
    crowded[1] = CheckedTabNote(0, 1, board.open_pitches[1] + 3, 2, 3)
    assert tab_faults(board, crowded)  # an open string under the barre
