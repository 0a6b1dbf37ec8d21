"""MIDI text: problems are reported line by line, and written text reads back the same."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.note_sequence.midi_text import read_midi_text, write_midi_text
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.texts.visible_text import visible_text

beats = st.fractions(min_value=0, max_value=500, max_denominator=64)
notes = st.builds(
    SequenceNote,
    st.integers(0, 127),
    st.integers(1, 127),
    beats,
    st.fractions(min_value=Fraction(1, 64), max_value=64, max_denominator=64),
)
tracks = st.builds(
    SequenceTrack,
    st.text(st.characters(exclude_categories=("C", "Zl", "Zp")) | st.sampled_from(' #/"\\()'), max_size=20)
    .map(visible_text)
    .filter(bool),
    st.sampled_from([*INSTRUMENTS, DRUMS]),
    st.lists(notes, min_size=1, max_size=8),
)


@given(
    st.lists(st.tuples(beats, st.fractions(4, 1000, max_denominator=1000)), min_size=1, max_size=3),
    st.lists(st.tuples(beats, st.integers(1, 16), st.sampled_from([1, 2, 4, 8, 16])), min_size=1, max_size=3),
    st.lists(tracks, min_size=1, max_size=3),
)
def test_what_is_written_reads_back_the_same(
    tempos: list[tuple[Fraction, Fraction]],
    time_signatures: list[tuple[Fraction, int, int]],
    tracks: list[SequenceTrack],
) -> None:
    music = NoteSequence(
        sorted(tempos, key=lambda each: each[0]), sorted(time_signatures, key=lambda each: each[0]), tracks
    )
    reading = read_midi_text(write_midi_text(music))
    assert reading.errors == []
    assert reading.music == music


def test_defaults() -> None:
    reading = read_midi_text("tempo 120\nC4 80\nE4 80\nG4 90 4\nB4 90\nC5 100 (7 + 1/3) 1/3 # last\n")
    assert reading.errors == []
    assert reading.warnings == ["No time signature specified, defaulting to 4/4"]
    starts = [(note.start, note.duration) for note in reading.music.tracks[0].notes]
    assert starts == [(0, 1), (1, 1), (4, 1), (5, 1), (Fraction(22, 3), Fraction(1, 3))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("C5", "Invalid note at line 2: 'C5' should be 'C5 80'"),
        ("H4 80", "Invalid note at line 2: "),
        ("C4 0", "velocity '0' is not a whole number from 1 to 127"),
        ("C4 200", "velocity"),
        ("128 80", "128 is not a MIDI note. Write a number from 0 to 127"),
        ("C4 80 -1", "before beat 0"),
        ("C4 80 0 0", "not more than 0"),
        ("C4 80 1 + 1/3 1", "without spaces inside"),
        ("C4 80 9**9", "line 2"),
        ("C4 80 0 1/0", "line 2"),
        ("tempo fast", "Invalid tempo at line 2"),
        ("tempo 9000", "from 3.6 to 6000"),
        ("time 4/5", "Invalid time at line 2"),
        ("track Lead kazoo", "Invalid track at line 2"),
        ("play C4", "nor tempo, time or track"),
        ("B-4 80", "line 2"),
    ],
)
def test_each_problem_names_its_line_and_what_to_write(line: str, expected: str) -> None:
    errors = read_midi_text(f"tempo 120\n{line}\nC4 80\n").errors
    assert len(errors) == 1
    assert expected in errors[0]


def test_comments_need_a_space_before_them_and_are_not_read_in_quotes() -> None:
    reading = read_midi_text('\ufefftempo 120 # fast\n#none\n//none\ntrack "A # 1 // 2" piano // why\nC4 80 1 #\n')
    assert reading.errors == []
    assert [(track.name, len(track.notes)) for track in reading.music.tracks] == [("A # 1 // 2", 1)]


def test_of_two_tempos_at_a_beat_the_last_is_used_with_a_warning() -> None:
    reading = read_midi_text("tempo 120\ntempo 90\ntime 4/4\ntime 3/4 4\ntime 2/4 8/2\nC4 80\n")
    assert reading.warnings == [
        "There are several tempos at beat 0: the last one was used.",
        "There are several time signatures at beat 4: the last one was used.",
    ]


def test_parentheses_may_be_nested() -> None:
    reading = read_midi_text("tempo 120\nC4 80 ((1 + 2) * 2) (1 / (1 + 2))\n")
    assert reading.errors == []
    assert reading.music.tracks[0].notes == [SequenceNote(60, 80, Fraction(6), Fraction(1, 3))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("C4 80 (1+2 1", "A parenthesis in '(1+2 1' is not closed"),
        ("C4 80 1) 2", "it has ')' at character 2"),
        ('track "Lead piano', "A quote is not closed"),
    ],
)
def test_open_quotes_and_parentheses_are_reported(line: str, expected: str) -> None:
    errors = read_midi_text(f"tempo 120\n{line}\nC4 80\n").errors
    assert len(errors) == 1 and expected in errors[0] and "at line 2" in errors[0]


def test_all_problems_at_once() -> None:
    errors = read_midi_text("C5\nC4 300\n").errors
    assert ["line 1" in errors[0], "line 2" in errors[1]] == [True, True]
    assert errors[2:] == ["Missing tempo marker: begin with a line such as 'tempo 120'."]


def test_a_wrong_line_is_not_reported_as_missing_too() -> None:
    reading = read_midi_text("tempo 0\ntime 4/5\nH4 60\n")
    assert [error.split(":")[0] for error in reading.errors] == [
        "Invalid tempo at line 1",
        "Invalid time at line 2",
        "Invalid note at line 3",
    ]
    assert reading.warnings == []


def test_drums_by_name_in_a_drum_track() -> None:
    reading = read_midi_text("tempo 120\ntime 4/4\ntrack Kit drums\nkick 100\nOpen-Hat 80 1 1/2\nD2 90\n")
    assert not reading.errors
    assert [note.pitch for note in reading.music.tracks[0].notes] == [36, 46, 38]
    again = read_midi_text(write_midi_text(reading.music))
    assert again.music == reading.music


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kick 100", "'kick' is a drum. Write 'track Kit drums' before it"),
        ("track Kit drums\nsnar 90", "Did you mean snare?"),
        ("C4 60 1000000 1", "would end at beat 1000001. The last beat allowed is 500,000"),
        ("C4 60 0 500001", "The last beat allowed is 500,000"),
        ("tempo 90 600000\nC4 60", "beat 600000 is not from 0 to 500,000"),
    ],
)
def test_values_that_no_file_can_hold_are_reported_with_their_line(line: str, expected: str) -> None:
    errors = read_midi_text(f"tempo 120\ntime 4/4\n{line}\n").errors
    assert len(errors) == 1 and expected in errors[0] and "at line " in errors[0]


def test_many_problems_are_cut() -> None:
    assert len(read_midi_text("nonsense\n" * 10_000).errors) == 51


@given(st.text(max_size=300).filter(lambda text: "tempo" not in text.lower()))
def test_any_text_without_a_tempo_has_errors(text: str) -> None:
    errors = read_midi_text(text).errors
    assert errors and all(error.startswith(("Invalid ", "Missing tempo", "There ")) for error in errors)
