"""Text without invisible characters, checked against Unicode's own lists of them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.notation.read_music import read_music
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.texts.visible_text import is_visible_line, note_removals, visible_line, visible_text

JOINERS = "\u200c\u200d"
DEFAULT_IGNORABLE = [
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010)),
    *(*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0),
    *(*range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
]
"""The code points of Unicode's property Default_Ignorable_Code_Point."""
HIDDEN = [chr(code) for code in (*DEFAULT_IGNORABLE, 0x2028, 0x2029, 0x2800)]
hidden_characters = st.sampled_from(HIDDEN) | st.characters(categories=("Cf", "Zl", "Zp"))
visible_words = st.text(st.characters(categories=("L", "N", "P", "Sc"), exclude_characters=HIDDEN), min_size=1)
any_text = st.text(st.characters(exclude_categories=["Cs"]) | hidden_characters)


def test_every_default_ignorable_character_is_removed_between_digits() -> None:
    assert [hex(ord(letter)) for letter in HIDDEN if visible_text(f"1{letter}2") not in ("12", "1 2")] == []


@given(any_text)
def test_what_stays_is_visible_and_stays_again(text: str) -> None:
    kept = visible_text(text)
    assert visible_text(kept) == kept
    assert is_visible_line(visible_line(text))
    for letter in kept:
        useful = letter in (*JOINERS, "\ufe0e", "\ufe0f", "\t", "\n", "\r") or letter > "\U000e0000"
        assert useful or letter not in HIDDEN
        assert useful or unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp")


@given(st.lists(visible_words, min_size=1), st.lists(hidden_characters, min_size=1))
def test_a_message_in_hidden_characters_does_not_survive(words: list[str], message: list[str]) -> None:
    """Between words, where no joiner has a use."""
    clean = " ".join(words)
    spoiled = " ".join(word + "!" + "".join(message) for word in words)
    assert "".join(visible_text(spoiled).split()) == "".join((clean.replace(" ", "! ") + "!").split())


@given(visible_words)
def test_visible_text_is_unchanged_and_not_reported(text: str) -> None:
    with note_removals() as removals:
        assert visible_text(text, "title") == text
    assert removals == []


SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
USEFUL_EMOJI = [
    "❤\ufe0f jazz",
    "☎\ufe0e",
    "👩\u200d🎤",
    "🏳\ufe0f\u200d🌈",
    "👩🏽\u200d🚀",
    "1\ufe0f\u20e3",
    SCOTLAND,
    "🇩🇪",
    "🫨",
]
USEFUL_LETTERS = [
    "\u0645\u06cc\u200c\u062e\u0648",
    "क्\u200dष",
    "ශ්\u200dරී",
    "café",
    "F♯ \u2013 B♭",
    "ピアノ",
    "line\n\tend",
]


@pytest.mark.parametrize("text", [*USEFUL_EMOJI, SCOTLAND, "🇩🇪", "🫨", *USEFUL_LETTERS, "ピアノ", "line\n\tend"])
def test_useful_characters_stay(text: str) -> None:
    assert visible_text(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        *(("a\ufe0fb", "ab"), ("❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f"), ("a\u200d\u200cb", "ab"), ("\u200da\u200d", "a")),
        *(("a\u200d❤", "a❤"), ("1\ufe0f", "1"), ("🏴\U000e0067\U000e0068\U000e007f", "🏴"), ("x\u2028y", "x y")),
        *(("e\u202evil\u202c", "evil"), ("\ufeffTitle", "Title"), ("a\x1b[31m\x00", "a[31m"), ("\u3164", "")),
    ],
)
def test_characters_without_use_are_removed(text: str, kept: str) -> None:
    assert visible_text(text) == kept


def test_removals_are_reported_by_field_once_but_control_characters_are_not() -> None:
    with note_removals() as removals:
        for text, field in [("a\u200bb", "title"), ("c\u200b", "title"), ("d\ufe01", ""), ("Piano\x00", "name")]:
            visible_text(text, field)
    assert removals == ["title", ""]


SPOILED = "Mor\u200bning\U000e0041\ufe05"
MUSICXML = (
    f"<score-partwise><work><work-title>{SPOILED}</work-title></work><part-list><score-part id='P1'>"
    f"<part-name>{SPOILED}</part-name></score-part></part-list><part id='P1'><measure number='1'><attributes>"
    "<divisions>1</divisions></attributes><note><pitch><step>C</step><octave>4</octave></pitch><duration>4</duration>"
    f"<lyric><text>{SPOILED}</text></lyric></note></measure></part></score-partwise>"
)
ABC = f'X:1\nT:{SPOILED}\nL:1/4\nK:C\nV:1 name="{SPOILED}"\nC4|\nw: {SPOILED}\n'


@pytest.mark.parametrize("music", [MUSICXML, ABC], ids=["MusicXML", "ABC"])
def test_texts_in_notation_are_read_without_hidden_characters(music: str) -> None:
    with note_removals() as removals:
        score, _ = read_music(music)
    part = score.parts[0]
    assert (score.title, part.name, [lyric.text for _, lyric in part.lyrics]) == ("Morning", "Morning", ["Morning"])
    assert removals == [""]


def test_names_of_tracks_in_midi_text_are_read_without_hidden_characters() -> None:
    result = read_midi_text(f'tempo 120\ntrack "{SPOILED}" piano\nC4 80\n')
    assert [track.name for track in result.music.tracks] == ["Morning"]
