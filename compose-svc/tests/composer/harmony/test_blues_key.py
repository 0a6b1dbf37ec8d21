"""A blues is detected in every key, from notes, symbols, MIDI and melodies; other music is not detected as a blues."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.composer.harmony.blues_key import blues_key
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_compose.composer.music_reading import read_typed
from consort_compose.composer.voicings.engine.progression import realize_progression
from consort_compose.composer.voicings.voicing_score import score_of_equal_steps
from consort_music.chords.grammar import parse_chord
from consort_music.chords.timed_chords import ChordMark
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi
from consort_music.pitch import Pitch
from consort_music.score import Score
from evaluation.corpora.music21_tunes import all_tunes

TWELVE_BARS = "C7 C7 C7 C7 F7 F7 C7 C7 G7 F7 C7 G7"
QUICK_CHANGE = "C7 F7 C7 C7 F7 F7 C7 C7 G7 F7 C7 C7"
JAZZ_BLUES = "C7 F7 C7 C7 F7 F#dim7 C7 A7 Dm7 G7 C7 G7"
BLUE_LINE = (
    "C5:q Eb5:e F5:e G5:q Gb5:e F5:e Eb5:q C5:q Bb4:q G4:q C5:q Eb5:e F5:e G5:q Bb5:q G5:q Eb5:q C5:h "
    "Eb5:e E5:e G5:q Bb5:q G5:e Gb5:e Eb5:q C5:q C5:h"
)
ORDINARY = {
    "I7 leads to IV": "C C7 F F C C7 F C G7 G7 C C",
    "a turnaround of dominants": "C A7 D7 G7 C A7 D7 G7 C C7 F C",
    "IV7 between major triads": "C F7 C F7 C G7 C C C F7 G7 C",
    "minor": "Cm Fm Cm Cm Fm Fm Cm Cm G7 Fm Cm G7",
    "the bridge of a rhythm tune": "E7 E7 A7 A7 D7 D7 G7 G7 C C C C",
    "a fall of fifths": "C7 F7 Bb7 Eb7 C7 F7 Bb7 Eb7 C7 F7 Bb Bb",
    "a major tune": "C F C G7 C F G7 C",
}


def voiced(chords: str) -> Score:
    """Return the chords as notes, without their symbols."""
    steps = realize_progression([parse_chord(symbol) for symbol in chords.split()], "piano", inversions=False).steps
    return replace(score_of_equal_steps(steps, "piano", Fraction(4)), chords=())


def lead_sheet(chords: str) -> Score:
    marks = tuple(ChordMark(Fraction(4 * bar), symbol) for bar, symbol in enumerate(chords.split()))
    return replace(parse_note_list("G4:h C5:q G4:q " * len(marks)), chords=marks)


def transposed(score: Score, semitones: int) -> Score:
    parts = [
        replace(part, notes=tuple(note._replace(pitch=Pitch.from_midi(note.midi + semitones)) for note in part.notes))
        for part in score.parts
    ]
    return score.with_parts(parts)


def as_midi(score: Score) -> Score:
    return score_from_midi(read_midi(write_midi(score_to_midi(score))))[0]


@pytest.mark.parametrize("chords", [TWELVE_BARS, QUICK_CHANGE, JAZZ_BLUES])
def test_dominant_sevenths_on_the_first_and_fourth_degree_are_a_blues(chords: str) -> None:
    music = voiced(chords)
    for semitones in range(12):
        for score in (transposed(music, semitones), as_midi(transposed(music, semitones))):
            key = blues_key(score)
            assert key is not None and (key.mode, key.tonic) == ("blues", semitones)
    assert blues_key(lead_sheet(chords)) == parse_key("C blues")


def test_a_melody_in_the_blues_scale_is_a_blues() -> None:
    for semitones in range(12):
        key = blues_key(transposed(parse_note_list(BLUE_LINE), semitones))
        assert key is not None and (key.mode, key.tonic) == ("blues", semitones)
    pentatonic = BLUE_LINE.replace("Gb5", "G5").replace(" E5", " Eb5")
    assert blues_key(parse_note_list(pentatonic)) is None


@pytest.mark.parametrize("chords", ORDINARY.values(), ids=ORDINARY)
def test_other_dominant_sevenths_are_not_a_blues(chords: str) -> None:
    for score in (voiced(chords), lead_sheet(chords)):
        assert blues_key(score) is None


def test_music_that_states_another_mode_is_not_a_blues() -> None:
    score = replace(voiced(TWELVE_BARS), keys=((Fraction(0), parse_key("C mixolydian")),))
    assert blues_key(score) is None


def test_both_harmony_tools_recognize_a_blues() -> None:
    data, _, _ = analyze(voiced(TWELVE_BARS), AnalyzeHarmony(music="…"))
    assert data.key == "C blues"
    assert data.chords is not None
    assert {chord.roman_numeral for chord in data.chords} == {"I7", "IV7", "V7"}
    blue = find_harmonizations(parse_note_list(BLUE_LINE), Reharmonize(melody="…", style="jazz", num_options=1))
    assert blue.key.name == "C blues"
    assert {choice.chord.root for choice in blue.options[0].choices} <= {0, 5, 7}
    classical = find_harmonizations(
        parse_note_list(BLUE_LINE), Reharmonize(melody="…", style="classical", num_options=1)
    )
    assert classical.key.mode != "blues"


@pytest.mark.parametrize("sample", [40, pytest.param(300, marks=pytest.mark.long)])
def test_chorales_and_folk_tunes_are_not_a_blues(sample: int) -> None:
    checked = 0
    for tune in random.Random(12).sample(sorted(all_tunes()), sample):
        try:
            score = read_typed(tune.text(), None).score
        except MusicError:  # the reader rejects a few tunes of the corpus
            continue
        if score.note_count:
            assert blues_key(score) is None, tune.name
            checked += 1
    assert checked > sample / 2
