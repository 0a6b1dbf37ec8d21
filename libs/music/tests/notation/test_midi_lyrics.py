"""The lyrics of MIDI files stand below the notes that they are sung to."""

import pytest

from consort_music.midi.model import META, Event, MidiFile
from consort_music.notation.midi_lyrics import with_midi_lyrics
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.performance_to_score import read_performance
from consort_music.notation.to_midi import score_to_midi

TUNE = "C4:q C4:q G4:q G4:q A4:q A4:q G4:h"
BASS = "C2:w C2:w"


def sung(*syllables: str) -> list[tuple[str, str]]:
    """Return the text and position in the word of each syllable, if these are the lyric events of a tune."""
    made = score_to_midi(parse_note_list(f"bass: {BASS}\ntune: {TUNE}"))
    times = [0, 1, 2, 3, 4, 5, 6]
    words: list[Event] = [
        (place * made.division, META, b"\x05" + text.encode()) for place, text in zip(times, syllables, strict=False)
    ]
    file = MidiFile(1, made.division, [*made.tracks, [*words, (8 * made.division, META, b"\x2f")]])
    score = with_midi_lyrics(read_performance(file), file)
    assert [part.name for part in score.parts if any(chord.lyrics for chord in part.chords)] in ([], ["tune"])
    return [(one.text, one.syllabic) for part in score.parts for chord in part.chords for one in chord.lyrics]


@pytest.mark.parametrize(
    "syllables",
    [
        ("Twin-", "kle", "twin-", "kle", "lit-", "tle", "star"),
        ("Twin", "kle ", "twin", "kle ", "lit", "tle ", "star\r"),
        ("\\Twin", "kle", " twin", "kle", " lit", "tle", " star"),
    ],
)
def test_words_are_divided(syllables: tuple[str, ...]) -> None:
    expected = [("Twin", "begin"), ("kle", "end"), ("twin", "begin"), ("kle", "end"), ("lit", "begin"), ("tle", "end")]
    assert sung(*syllables) == [*expected, ("star", "single")]


def test_words_without_signs_stay_whole() -> None:
    assert sung("down", "by", "the") == [("down", "single"), ("by", "single"), ("the", "single")]


def test_a_file_without_lyrics_has_none() -> None:
    assert sung() == []
