"""The expected notes of references."""

from dataclasses import replace
from fractions import Fraction

import pytest
from music21 import chord as m21_chord
from music21 import scale as m21_scale
from pydantic import ValidationError

from consort_audio.comparison.reference.build import build_reference
from consort_audio.comparison.reference.parameter_errors import check_parameters
from consort_audio.comparison.reference.parameters import ExerciseReference, MidiFileReference, ScaleReference
from consort_audio.comparison.reference.stored_music import stored_music
from consort_music.errors import MusicError
from consort_music.metre import COMMON_TIME
from consort_music.midi.writer import write_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.read_music import read_music
from consort_music.notation.to_midi import score_to_midi
from consort_music.printed_measures import PrintedMeasure
from tests.support.played_takes import scale, tune

MIDI_ID = "midi_" + "0" * 26


def names(music: object) -> list[str]:
    return [note.name for note in music.notes]  # type: ignore[attr-defined]


@pytest.mark.parametrize("tonic", ["C", "D", "F#", "Bb", "Eb", "A"])
@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("major", m21_scale.MajorScale),
        ("minor", m21_scale.MinorScale),
        ("dorian", m21_scale.DorianScale),
        ("harmonic minor", m21_scale.HarmonicMinorScale),
    ],
)
@pytest.mark.parametrize("octaves", [1, 2])
def test_scales_are_spelled_as_by_music21(tonic: str, mode: str, kind: type, octaves: int) -> None:
    low, high = f"{tonic}4".replace("b", "-"), f"{tonic}{4 + octaves}".replace("b", "-")
    expected = [pitch.nameWithOctave.replace("-", "b") for pitch in kind(tonic.replace("b", "-")).getPitches(low, high)]
    assert names(scale(f"{tonic} {mode}", octaves=octaves)) == expected
    assert names(scale(f"{tonic} {mode}", octaves=octaves, pattern="up_down")) == expected + expected[-2::-1]


def test_a_scale_goes_down_from_its_first_note() -> None:
    music = scale("G major", pattern="down", start_note="G5")
    assert names(music) == ["G5", "F#5", "E5", "D5", "C5", "B4", "A4", "G4"]
    assert not music.is_any_octave
    assert scale("G major").is_any_octave


def test_melodic_minor_descends_as_natural_minor() -> None:
    found = names(scale("A melodic minor", pattern="up_down"))
    assert found[5:7] == ["F#5", "G#5"]
    assert found[8:10] == ["G5", "F5"]


def test_thirds_skip_a_note_each_time() -> None:
    assert names(scale("C major", pattern="thirds"))[:6] == ["C4", "E4", "D4", "F4", "E4", "G4"]


def test_tonic_and_mode_may_be_given_apart() -> None:
    assert names(scale("D", mode="dorian")) == names(scale("D dorian"))


@pytest.mark.parametrize("symbol", ["Cmaj", "Amin", "G7", "F#m7", "Bbmaj7"])
def test_arpeggios_have_the_tones_of_the_chord(symbol: str) -> None:
    music = build_reference("exercise", {"kind": "arpeggio", "chord": symbol, "octaves": 2}, None, 10**6)
    pitches = [note.pitch for note in music.notes]
    figure = symbol.replace("maj7", "M7").replace("maj", "").replace("min", "m").replace("Bb", "B-")
    from music21 import harmony

    classes = set(harmony.ChordSymbol(figure).pitchClasses)
    assert {pitch % 12 for pitch in pitches} == classes
    assert pitches == sorted(pitches)
    assert pitches[-1] == pitches[0] + 24
    assert isinstance(m21_chord.Chord(pitches), m21_chord.Chord)


def test_intervals_are_played_above_every_note_of_the_key() -> None:
    music = build_reference("exercise", {"kind": "interval", "interval": "P4", "key": "C major"}, None, 10**6)
    assert names(music)[:6] == ["C4", "F4", "D4", "G4", "E4", "A4"]


def test_times_follow_the_tempo_and_the_note_values() -> None:
    music = tune("C4:q R:q E4:h C4:e D4:e", tempo=60)
    assert [note.start for note in music.notes] == pytest.approx([0, 2, 4, 4.5])
    assert [(note.bar, note.beat) for note in music.notes] == [(1, 1), (1, 3), (2, 1), (2, 1.5)]
    assert music.has_tempo
    assert ScaleReference(scale="C major", note_value="e").note_value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("model", "given", "suggestion"),
    [
        (ScaleReference, {"scale": "C major", "patern": "up"}, "pattern"),
        (ScaleReference, {"scale": "C major", "octavs": 2}, "octaves"),
        (ExerciseReference, {"kind": "arpeggio", "chrod": "C"}, "chord"),
    ],
)
def test_unknown_fields_name_the_nearest_one(
    model: type[ScaleReference], given: dict[str, object], suggestion: str
) -> None:
    with pytest.raises(ValidationError, match=f"Did you mean '{suggestion}'"):
        model.model_validate(given)


def test_a_start_note_outside_the_scale_is_an_error_with_the_field() -> None:
    with pytest.raises(MusicError) as caught:
        scale("C major", start_note="F#4")
    assert caught.value.field == "reference_params.start_note"


def test_stored_music_is_cut_to_bars_and_tracks() -> None:
    text = '"melody" C4:q D4:q E4:q F4:q G4:w A4:q B4:q C5:h\n"bass" C3:w G2:w C3:w'
    content = write_midi(score_to_midi(parse_note_list(text)))
    both = stored_music(content, 10**6, MidiFileReference(midi_file_id=MIDI_ID))
    assert both.is_polyphonic
    assert both.warnings
    one = stored_music(content, 10**6, MidiFileReference(midi_file_id=MIDI_ID, track="melody", first_bar=2, last_bar=3))
    assert names(one) == ["G4", "A4", "B4", "C5"]
    assert [note.bar for note in one.notes] == [2, 3, 3, 3]
    assert one.notes[0].start == 0
    assert not one.is_polyphonic
    slow = stored_music(content, 10**6, MidiFileReference(midi_file_id=MIDI_ID, tempo=60))
    assert max(note.start for note in slow.notes) == pytest.approx(10)


def test_stored_music_has_printed_measure_numbers() -> None:
    """In a tune with a pickup, bar 1 is the first full bar. Bars that follow a split bar keep their numbers."""
    tune_with_pickup = read_music("X:1\nM:3/4\nL:1/4\nK:C\nG|CEG|FAc|GBd|c2|]")[0]
    content = write_midi(score_to_midi(tune_with_pickup))
    whole = stored_music(content, 10**6, MidiFileReference(midi_file_id=MIDI_ID))
    assert [(note.bar, note.beat) for note in whole.notes][:4] == [(0, 3.0), (1, 1.0), (1, 2.0), (1, 3.0)]
    assert [bar.number for bar in whole.bars] == [0, 1, 2, 3, 4]
    part = stored_music(content, 10**6, MidiFileReference(midi_file_id=MIDI_ID, first_bar=2, last_bar=3))
    assert names(part) == ["F4", "A4", "C5", "G4", "B4", "D5"]
    split = replace(
        parse_note_list("C4:q E4:q G4:q C5:q D4:w"),
        metres=((Fraction(0), COMMON_TIME), (Fraction(3), COMMON_TIME), (Fraction(4), COMMON_TIME)),
        printed_measures=(
            PrintedMeasure(Fraction(0), 8),
            PrintedMeasure(Fraction(3), 8, Fraction(3)),
            PrintedMeasure(Fraction(4), 9),
        ),
    )
    music = stored_music(write_midi(score_to_midi(split)), 10**6, MidiFileReference(midi_file_id=MIDI_ID))
    assert [(note.bar, note.beat) for note in music.notes] == [(8, 1), (8, 2), (8, 3), (8, 4), (9, 1)]
    assert [bar.number for bar in music.bars] == [8, 9]


@pytest.mark.parametrize(("kind", "field"), [("score", "score_id"), ("midi_file", "midi_file_id")])
def test_a_piece_of_the_score_library_is_a_reference(kind: str, field: str) -> None:
    assert check_parameters(kind, {field: "corpus:bach/bwv66.6#1-4"}).music_id == "corpus:bach/bwv66.6#1-4"  # type: ignore
