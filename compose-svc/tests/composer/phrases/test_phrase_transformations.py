"""Test the nine transformations: compare them with their definitions and with music21."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import music21
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_compose.composer.phrases.transformations import TRANSFORMATIONS, TransformOptions, join_scores, transform
from consort_music.errors import MusicError
from consort_music.intervals import Interval, interval_between, parse_interval
from consort_music.keys import Key, parse_key
from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

C_MAJOR = parse_key("C major")
keys = st.builds(Key, st.sampled_from("CDEFGAB"), st.integers(-1, 1), st.sampled_from(["major", "minor", "dorian"]))
lengths = st.fractions(Fraction(1, 8), 4, max_denominator=12)


@st.composite
def phrases(draw: st.DrawFn, in_key: Key | None = None) -> Score:
    notes, now = [], draw(st.sampled_from([Fraction(0), Fraction(1, 2)]))
    for _ in range(draw(st.integers(1, 12))):
        pitch = Pitch(draw(st.sampled_from("CDEFGAB")), draw(st.integers(-1, 1)), draw(st.integers(4, 5)))
        if in_key:
            pitch = Pitch(pitch.step, dict(in_key.scale)[pitch.step], pitch.octave)
        duration = draw(lengths)
        notes.append(Note(now, duration, pitch))
        now += duration + draw(st.sampled_from([Fraction(0), Fraction(1)]))
    return Score((Part.of("a", notes),), rest_to=now)


def names(score: Score) -> list[str]:
    return [note.pitch.name for note in score.parts[0].notes]


def transformed(text: str, name: str, **options: object) -> list[str]:
    """Return the names of the pitches after the transformation `name` of a note list in C major."""
    return names(transform(parse_note_list(text), [name], replace(TransformOptions(C_MAJOR), **options)))  # type: ignore[arg-type]


def test_textbook_examples() -> None:
    assert transformed("C4 D4 E4", "repeat", repetitions=2) == ["C4", "D4", "E4"] * 2
    assert transformed("C4 D4 E4", "sequence", repetitions=2) == ["D4", "E4", "F#4", "E4", "F#4", "G#4"]
    assert transformed("C4 D4 E4", "sequence", repetitions=2, tonal=True) == ["D4", "E4", "F4", "E4", "F4", "G4"]
    assert transformed("E4 D4", "sequence", upward=False, interval=parse_interval("m3")) == ["C#4", "B3"]
    assert transformed("C4 E4 D4 B3", "inversion") == ["C4", "A3", "B3", "D4"]
    assert transformed("C4 E4 G4", "inversion", upward=False) == ["D5", "B4", "G4"]
    assert transformed("C4 E4 G4", "inversion", chromatic=True) == ["C4", "Ab3", "F3"]
    assert transformed("F#4 G4 A4", "inversion") == ["F#4", "E4", "D4"]
    assert transformed("C4 D4 E4", "retrograde") == ["E4", "D4", "C4"]
    assert transformed("C4 D4 E4", "retrograde_inversion") == ["A3", "B3", "C4"]
    assert transformed("C4 D4 E4 F4", "fragment_first", repetitions=2) == ["C4", "D4"]
    assert transformed("C4 D4 E4 F4", "fragment_last", repetitions=3) == ["D4", "E4", "F4"]


@given(phrases())
def test_opposite_transformations_cancel_out(phrase: Score) -> None:
    options = TransformOptions(C_MAJOR)
    assert transform(phrase, ["retrograde", "retrograde"], options).parts == phrase.parts
    assert transform(phrase, ["augmentation", "diminution"], options).parts == phrase.parts
    assert transform(phrase, ["retrograde"], options).length == phrase.length


@given(st.data(), keys)
def test_inverting_twice_gives_the_same_pitches(data: st.DataObject, key: Key) -> None:
    phrase = data.draw(phrases(in_key=key))
    for chromatic in (False, True):
        twice = transform(phrase, ["inversion", "inversion"], TransformOptions(key, chromatic=chromatic))
        assert [note.midi for note in twice.parts[0].notes] == [note.midi for note in phrase.parts[0].notes]


@given(st.data(), keys)
def test_diatonic_inversion_agrees_with_music21(data: st.DataObject, key: Key) -> None:
    phrase = data.draw(phrases(in_key=key))
    stream: Any = music21.stream.Stream()
    stream.keySignature = music21.key.Key(key.tonic_name.replace("b", "-"), key.mode)
    for note in phrase.parts[0].notes:
        stream.append(music21.note.Note(note.pitch.name.replace("b", "-")))
    oracle = stream.invertDiatonic(stream.notes[0])
    inverted = transform(phrase, ["inversion"], TransformOptions(key))
    assert [note.midi for note in inverted.parts[0].notes] == [note.pitch.midi for note in oracle.notes]


@given(phrases(), st.sampled_from(["M2", "m3", "P4", "d5", "P8"]), st.booleans(), st.integers(1, 2))
def test_an_exact_sequence_moves_every_note_by_the_interval(phrase: Score, name: str, up: bool, times: int) -> None:
    interval = parse_interval(name)
    result = transform(phrase, ["sequence"], TransformOptions(C_MAJOR, repetitions=times, interval=interval, upward=up))
    count = len(phrase.parts[0].notes)
    for index, note in enumerate(result.parts[0].notes):
        original = phrase.parts[0].notes[index % count]
        step = (index // count + 1) * (1 if up else -1)
        assert note.midi == original.midi + step * interval.semitones
        assert note.start == original.start + (index // count) * phrase.length
        assert note.duration == original.duration


@given(keys, st.sampled_from(["m2", "M2", "m3", "M3", "A4", "P5", "m6", "M7"]), st.booleans(), st.integers(1, 3))
def test_an_exact_sequence_is_spelled_readably(key: Key, name: str, up: bool, times: int) -> None:
    """A transposed scale has seven different letters, and at most 8 accidentals or as many as the scale itself."""
    scale = [Pitch.parse(f"{step}{'#' * alter}{'b' * -alter}5") for step, alter in key.scale]
    phrase = Score((Part.of("part 1", [Note(Fraction(at), Fraction(1), pitch) for at, pitch in enumerate(scale)]),))
    options = TransformOptions(key, repetitions=times, interval=parse_interval(name), upward=up)
    for place in range(times):
        moved = transform(phrase, ["sequence"], options).parts[0].notes[7 * place : 7 * place + 7]
        letters = [note.pitch.step for note in moved]
        assert len(set(letters)) == 7
        assert sum(abs(note.pitch.alter) for note in moved) <= max(8, sum(abs(alter) for _, alter in key.scale))


@given(st.data(), keys, st.integers(1, 4))
def test_a_tonal_sequence_stays_in_the_key(data: st.DataObject, key: Key, letters: int) -> None:
    phrase = data.draw(phrases(in_key=key))
    result = transform(phrase, ["sequence"], TransformOptions(key, interval=Interval(letters, 2 * letters), tonal=True))
    for before, after in zip(phrase.parts[0].notes, result.parts[0].notes, strict=True):
        assert after.midi % 12 in key.pitch_classes
        assert interval_between(before.pitch, after.pitch).steps == letters


@given(phrases(), st.sampled_from(sorted(TRANSFORMATIONS)))
def test_the_result_follows_the_phrase_without_a_gap(phrase: Score, name: str) -> None:
    result = transform(phrase, [name], TransformOptions(C_MAJOR))
    both = join_scores([phrase, result])
    assert both.length == phrase.length + result.length
    assert both.parts[0].notes[: len(phrase.parts[0].notes)] == phrase.parts[0].notes
    assert all(note.start >= 0 and note.duration > 0 for note in result.parts[0].notes)


def test_results_out_of_range_are_rejected() -> None:
    with pytest.raises(MusicError) as caught:
        transformed("C8", "sequence", repetitions=16, interval=parse_interval("P8"))
    assert caught.value.code == "INVALID_RANGE"
    with pytest.raises(MusicError):
        transformed("C0 C8", "inversion")
    with pytest.raises(MusicError) as caught:
        transform(parse_note_list("C4 " * 9000), ["repeat"], TransformOptions(C_MAJOR, repetitions=16))
    assert caught.value.code == "TOO_LARGE"
