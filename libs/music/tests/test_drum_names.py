"""Names of drums and pitches."""

import pytest

from consort_music.drum_names import find_drum, nearest_drums, parse_pitch_or_drum
from consort_music.errors import MusicError


@pytest.mark.parametrize(("name", "pitch"), [("kick", 36), ("Open Hat", 46), ("open-hi-hat", 46), ("Ride_Bell", 53)])
def test_drums_are_found_in_any_spelling(name: str, pitch: int) -> None:
    assert find_drum(name) == pitch


@pytest.mark.parametrize(
    ("word", "found"), [("snare", (38, True)), ("F#4", (66, False)), ("66", (66, False)), ("0", (0, False))]
)
def test_a_word_is_a_drum_a_pitch_or_a_number(word: str, found: tuple[int, bool]) -> None:
    assert parse_pitch_or_drum(word) == found


@pytest.mark.parametrize(
    ("word", "suggestion"), [("kik", "kick"), ("snaer", "snare"), ("128", "60"), ("H4", "C4"), ("xyzzy", "kick")]
)
def test_other_words_are_rejected_with_suggestions(word: str, suggestion: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_pitch_or_drum(word)

    assert raised.value.code == "INVALID_PITCH"
    assert suggestion in raised.value.suggestions


def test_each_suggested_drum_is_another_one() -> None:
    names = nearest_drums("closed hat")

    assert names and len({find_drum(name) for name in names}) == len(names) <= 3
