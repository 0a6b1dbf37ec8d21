"""A score's measure numbers survive in its MIDI file, where bars are chosen and reported by them."""

from fractions import Fraction

import pytest

from consort_music.errors import MusicError
from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.measure_numbers import measure_number_event, measure_numbers_of
from consort_music.midi.model import END_OF_TRACK, META, MidiFile
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.read_music import read_music
from consort_music.notation.to_midi import score_to_midi
from consort_music.performance.clock import Clock
from consort_music.performance.positions import parse_position
from consort_music.score import Score

PPQ = 480
STARTS_AT_33 = [("33", "CEGE"), ("34", "FAFA"), ("35", "GBDB")]
SPLIT = [("7", "CEGE"), ("8", "FAF"), ("X1", "A"), ("9", "GBDB"), ("10", "CEGC")]
PICKUP_0 = [("0", "G"), ("1", "CEGE"), ("2", "FAFA")]
PICKUP_1 = [("1", "G"), ("2", "CEGE"), ("3", "FAFA")]
MEASURES = [STARTS_AT_33, SPLIT, PICKUP_0, PICKUP_1]


def score_of(measures: list[tuple[str, str]]) -> Score:
    """Return a score of quarter notes in 4/4, with measures of these names. Names with X and 0 are implicit."""
    content = ""
    for place, (name, steps) in enumerate(measures):
        implicit = ' implicit="yes"' if name[0] in "X0" else ""
        metre = "<divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time>"
        notes = "".join(
            f"<note><pitch><step>{step}</step><octave>4</octave></pitch><duration>1</duration></note>" for step in steps
        )
        head = f"<attributes>{metre}</attributes>" if place == 0 else ""
        content += f'<measure number="{name}"{implicit}>{head}{notes}</measure>'
    return read_music(
        '<score-partwise><part-list><score-part id="P"><part-name>P</part-name></score-part></part-list>'
        f'<part id="P">{content}</part></score-partwise>'
    )[0]


def file_of(score: Score) -> MidiFile:
    return read_midi(write_midi(score_to_midi(score, PPQ)))


@pytest.mark.parametrize("measures", MEASURES)
def test_positions_in_the_file_are_those_of_the_score(measures: list[tuple[str, str]]) -> None:
    score = score_of(measures)
    file = file_of(score)
    clock = Clock(file, file.tracks)
    again, _ = score_from_midi(file)
    for note in score.parts[0].notes:
        expected = score.position_at(note.start)
        assert clock.bar_and_beat(int(note.start * PPQ)) == expected.text
        assert again.position_at(note.start) == expected


def test_a_compound_pickup_counts_the_beats_of_its_metre() -> None:
    jig = read_music("X:1\nM:6/8\nL:1/8\nK:G\nD|G2B dBG|A2A AGE|]")[0]
    clock = Clock(file_of(jig), file_of(jig).tracks)
    assert clock.bar_and_beat(0) == "0:2.666667"
    assert clock.bar_and_beat(PPQ // 2) == "1:1"


@pytest.mark.parametrize(
    ("measures", "first", "last", "window"),
    [
        (STARTS_AT_33, 34, 35, (4, 12)),
        (STARTS_AT_33, 1, 33, (0, 4)),
        (SPLIT, 8, 8, (4, 8)),
        (SPLIT, 9, 10, (8, 16)),
        (PICKUP_0, 1, 1, (0, 5)),
        (PICKUP_0, 2, 2, (5, 9)),
        (PICKUP_1, 2, 2, (0, 5)),
    ],
)
def test_bars_are_chosen_by_their_printed_numbers(
    measures: list[tuple[str, str]], first: int, last: int, window: tuple[int, int]
) -> None:
    assert window_of_bars(file_of(score_of(measures)), first, last) == tuple(map(Fraction, window))


def test_numbers_that_the_music_does_not_have_are_an_error() -> None:
    file = file_of(score_of(STARTS_AT_33))
    for first, last in ((1, 8), (40, 41)):
        with pytest.raises(MusicError, match="33 to 35") as raised:
            window_of_bars(file, first, last)
        assert raised.value.code == "INVALID_BARS"
    with pytest.raises(MusicError, match="begins with bar 33"):
        Clock(file, file.tracks).tick_of(parse_position("2:1", "start_at"), "start_at")
    assert Clock(file, file.tracks).tick_of(parse_position("34:2", "start_at"), "start_at") == 5 * PPQ


def test_a_file_without_such_events_counts_from_1() -> None:
    file = score_to_midi(read_music("C4:w D4:w E4:w")[0], PPQ)
    numbers = measure_numbers_of(file.tracks, PPQ)
    assert numbers.are_counted
    assert [numbers.number_of(bar) for bar in (1, 2, 3)] == [1, 2, 3]
    assert numbers.window(2, 10**6) == (2, 10**6)


@pytest.mark.parametrize("text", [b"", b"x 1", b"1 1/0", b"1", b"9999999 1", b"1 2 3"])
def test_damaged_events_are_ignored(text: bytes) -> None:
    event = (0, META, bytes((0x7F, 0x7D)) + b"measure " + text)
    assert measure_numbers_of([[event, (0, META, END_OF_TRACK)]], PPQ).are_counted


def test_events_between_bar_lines_are_ignored() -> None:
    events = [measure_number_event(7, 12, Fraction(0)), (9_000, META, END_OF_TRACK)]
    assert measure_numbers_of([events], PPQ).are_counted
