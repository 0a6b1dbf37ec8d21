"""The note list: reading, errors, and round trips."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.bars import BarPosition
from consort_music.errors import MusicError
from consort_music.notation.note_list import format_note_list, parse_note_list
from consort_music.notation.read_music import read_music
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

pitches = st.builds(Pitch, st.sampled_from("CDEFGAB"), st.integers(-2, 2), st.integers(1, 8)) | st.builds(
    Pitch.from_midi, st.integers(0, 11)
)
lengths = st.fractions(Fraction(1, 16), 8, max_denominator=24)


def sounding(score: Score) -> list[list[tuple[Fraction, Fraction, str]]]:
    return [[(note.start, note.duration, note.pitch.name) for note in part.notes] for part in score.parts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C4:q, D4:q, E4:h", [("0", "1", "C4"), ("1", "1", "D4"), ("2", "2", "E4")]),
        ("C#5:e D5:e E5:q", [("0", "1/2", "C#5"), ("1/2", "1/2", "D5"), ("1", "1", "E5")]),
        ("Bb3:qd A3:e", [("0", "3/2", "Bb3"), ("3/2", "1/2", "A3")]),
        ("C4 D4", [("0", "1", "C4"), ("1", "1", "D4")]),
        ("R:h C4:q", [("2", "1", "C4")]),
        ("| C4:h~ | C4:q |", [("0", "3", "C4")]),
        ("C4+E4+G4:h", [("0", "2", "C4"), ("0", "2", "E4"), ("0", "2", "G4")]),
        ("C4:e3 D4:e3 E4:e3", [("0", "1/3", "C4"), ("1/3", "1/3", "D4"), ("2/3", "1/3", "E4")]),
        ("11:q~ 11:q 60+C5:h", [("0", "2", "B-1"), ("2", "2", "C4"), ("2", "2", "C5")]),
        ("F##4:5/2 G4:0.25", [("0", "5/2", "F##4"), ("5/2", "1/4", "G4")]),
    ],
)
def test_note_lists_are_read(text: str, expected: list[tuple[str, str, str]]) -> None:
    [part] = sounding(parse_note_list(text))
    assert part == [(Fraction(start), Fraction(duration), pitch) for start, duration, pitch in expected]


@given(
    st.lists(
        st.lists(
            st.tuples(st.lists(pitches, max_size=3, unique_by=lambda pitch: pitch.name), lengths),
            min_size=1,
            max_size=8,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_written_and_read_back(lines: list[list[tuple[list[Pitch], Fraction]]]) -> None:
    parts: list[Part] = []
    for line in lines:
        now, notes = Fraction(0), []
        for chord, length in line:
            notes += [Note(now, length, pitch) for pitch in chord]
            now += length
        parts.append(Part.of(f"part {len(parts) + 1}", notes))
    score = Score(tuple(parts))
    if score.note_count:
        assert sounding(parse_note_list(format_note_list(score))) == sounding(score)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "EMPTY_INPUT"),
        ("R:q", "EMPTY_INPUT"),
        ("X4:q", "INVALID_NOTE"),
        ("C-4", "INVALID_NOTE"),
        ("C4:z", "INVALID_DURATION"),
        ("C4:0", "INVALID_DURATION"),
        ("C4:1/0", "INVALID_EXPRESSION"),
        ("C4 ~", "PARSE_ERROR"),
        ("C4 " * 200_000, "TOO_LARGE"),
        ("C4,\n" * 90_000, "TOO_LARGE"),
    ],
)
def test_errors_name_line_and_column(text: str, code: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_note_list(text)
    assert raised.value.code == code


def test_each_line_is_a_part_with_or_without_a_name() -> None:
    score = parse_note_list("C5:q D5:q |\n\n  | C4:h\n")
    assert [part.name for part in score.parts] == ["part 1", "part 2"]
    assert sounding(score) == [*sounding(parse_note_list("C5:q D5:q")), *sounding(parse_note_list("C4:h"))]
    mixed = parse_note_list('"part 1" C5:q\nC4:q\n"low" C3:q\nC2:q')
    assert [part.name for part in mixed.parts] == ["part 1", "part 2", "low", "part 4"]
    assert len(parse_note_list('C4:q\n"part 1" C5:q').parts) == 2


def test_a_name_may_be_written_before_a_colon() -> None:
    text = "Violin 2: E4:h D4:h\nbass-line:\tC3:w"
    assert [part.name for part in parse_note_list(text).parts] == ["Violin 2", "bass-line"]
    quoted = '"Violin 2" E4:h D4:h\n"bass-line" C3:w'
    assert sounding(parse_note_list(text)) == sounding(parse_note_list(quoted))
    assert sounding(read_music(text)[0]) == sounding(parse_note_list(quoted))


def test_lines_continue_after_a_comma_and_names_start_parts() -> None:
    assert sounding(parse_note_list("C4:q, D4:q,\n| E4:q \\\nF4")) == sounding(parse_note_list("C4 D4 E4 F4"))
    score = parse_note_list('"top" C5:h,\nD5:h\n"low" C3:w\n"top" E4:w')
    assert [part.name for part in score.parts] == ["top", "low"]
    expected = [("0", "4", "E4"), ("0", "2", "C5"), ("2", "2", "D5")]
    assert sounding(score)[0] == [(Fraction(start), Fraction(length), pitch) for start, length, pitch in expected]


@given(st.lists(st.tuples(st.fractions(0, 8, max_denominator=6), lengths, pitches), min_size=1, max_size=12))
def test_any_polyphony_reads_back(notes: list[tuple[Fraction, Fraction, Pitch]]) -> None:
    parts = [Part.of("same", [Note(*note) for note in notes]), Part.of("same", [Note(*notes[0])])]
    for score in (Score(tuple(parts)), Score(tuple(parts[:1]))):
        again = sounding(parse_note_list(format_note_list(score)))
        assert [sorted(part) for part in again] == [sorted(part) for part in sounding(score)]


def test_measures_and_beats() -> None:
    score = Score((Part.of("a", [Note(Fraction(0), Fraction(9), Pitch.parse("C4"))]),), pickup=Fraction(1))
    assert [bar.number for bar in score.bars] == [0, 1, 2]
    assert score.position_at(Fraction(0)) == BarPosition(0, Fraction(4))
    assert score.position_at(Fraction(1)) == BarPosition(1, Fraction(1))
    assert score.position_at(Fraction(13, 2)) == BarPosition(2, Fraction(5, 2))
    assert score.position_at(Fraction(17)) == BarPosition(5, Fraction(1))
    assert score.strength(Fraction(1)) > score.strength(Fraction(3)) > score.strength(Fraction(2))
