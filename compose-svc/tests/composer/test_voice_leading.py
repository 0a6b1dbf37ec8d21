"""The score of the voice leading, and each kind of fault with its measure and beat."""

from fractions import Fraction

import pytest

from consort_compose.composer.voice_leading import VoiceLeading, analyze_voice_leading
from consort_music.metre import Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score


def part(name: str, text: str, length: Fraction = Fraction(1)) -> Part:
    """Return a part with these notes one after another. `-` is a rest, and `C4:2` is twice as long as `C4`."""
    notes, at = [], Fraction(0)
    for word in text.split():
        pitch, _, times = word.partition(":")
        duration = length * int(times or 1)
        if pitch != "-":
            notes.append(Note(at, duration, Pitch.parse(pitch)))
        at += duration
    return Part.of(name, notes)


def judge(upper: str, lower: str, spacing: int | None = None, metre: Metre | None = None) -> VoiceLeading:
    voices = (part("soprano", upper), part("alto", lower))
    score = Score(voices, metres=((Fraction(0), metre or Metre(4, 4)),))
    return analyze_voice_leading(voices, score.position_at, [spacing])


def test_voices_without_faults_score_one() -> None:
    found = judge("E5 D5 C5", "C4 B3 C4")
    assert found.score == 1.0
    assert not found.parallel_fifths and not found.parallel_octaves and not found.direct_intervals


def test_parallel_fifths_have_their_place() -> None:
    found = judge("G4 A4 G4 F4 D5", "C4 D4 E4 F4 B3")
    (fault,) = found.parallel_fifths
    assert (fault.location, fault.place.measure, float(fault.place.beat), fault.interval) == (1, 1, 2, "P5")
    assert fault.voices == ("soprano", "alto")
    assert found.score == pytest.approx(0.85)


def test_parallel_octaves_are_found() -> None:
    assert len(judge("C5 D5 E5", "C4 D4 E4").parallel_octaves) == 2
    assert judge("C5 D5 E5", "C4 D4 E4").score == pytest.approx(0.70)


def test_parallel_unisons_and_compound_fifths_count_too() -> None:
    assert len(judge("C4 D4", "C4 D4").parallel_octaves) == 1
    assert len(judge("G5 A5", "C4 D4").parallel_fifths) == 1


def test_a_fifth_after_an_octave_in_the_same_direction_is_direct() -> None:
    found = judge("C5 E5", "C4 A4")
    assert [(float(fault.place.beat), fault.interval) for fault in found.direct_intervals] == [(2, "P5")]
    assert found.score == pytest.approx(0.95)


def test_contrary_and_oblique_motion_into_a_fifth_are_allowed() -> None:
    assert judge("A4 G4", "B3 C4").score == 1.0
    assert judge("A4 G4", "C4 C4").score == 1.0


def test_repeated_fifths_are_not_parallel() -> None:
    assert judge("G4 G4", "C4 C4").score == 1.0


def test_moments_separated_by_a_rest_are_not_compared() -> None:
    assert judge("G4 - A4", "C4 - D4").score == 1.0
    assert judge("G4 - A4", "C4:2 D4").score == 1.0


def test_voices_that_move_at_different_times_are_compared_where_both_sound() -> None:
    found = judge("G4:2 A4:2", "E4 C4 C4 D4")
    assert found.parallel_fifths == []
    found = judge("E4 G4 A4:2", "C4:2 D4:2")
    assert [(fault.location, float(fault.place.beat)) for fault in found.parallel_fifths] == [(2, 3)]


def test_each_moment_of_a_crossing_counts() -> None:
    found = judge("C4 D4", "E4 F4")
    assert [fault.place.beat for fault in found.voice_crossings] == [1, 2]
    assert found.score == pytest.approx(0.80)


def test_spacing_is_checked_only_with_a_limit() -> None:
    assert judge("E5 E5", "C4 D4").spacing_issues == []
    assert [fault.interval for fault in judge("E5 E5", "C4 D4", spacing=12).spacing_issues] == ["M10", "M9"]


def test_leaps() -> None:
    found = judge("C4 A4 C5 B4", "A3:4")
    assert [(fault.kind, fault.interval, float(fault.place.beat)) for fault in found.leaps] == [
        ("no_recovery", "M6", 2),
        ("same_direction", "M6", 2),
    ]
    assert found.score == pytest.approx(0.95)
    assert judge("C4 A4 G4", "A3:3").leaps == []


def test_places_depend_on_the_metre() -> None:
    found = judge("E4 E4 E4 G4 A4", "C4 C4 C4 C4 D4", metre=Metre(3, 4))
    assert [(fault.place.measure, float(fault.place.beat)) for fault in found.parallel_fifths] == [(2, 2)]


def test_the_score_is_never_negative() -> None:
    scale = "C4 D4 E4 F4 G4 A4 B4 C5 D5"
    assert judge(scale, scale).score == 0.0


def test_four_voices_are_compared_pair_by_pair() -> None:
    voices = [
        part("soprano", "G4 A4"),
        part("alto", "E4 F4"),
        part("tenor", "C4 D4"),
        part("bass", "C3 D3"),
    ]
    found = analyze_voice_leading(voices, Score(tuple(voices)).position_at)
    assert {fault.voices for fault in found.parallel_fifths} == {("soprano", "tenor"), ("soprano", "bass")}
    assert {fault.voices for fault in found.parallel_octaves} == {("tenor", "bass")}
    assert found.spacing_issues == []
