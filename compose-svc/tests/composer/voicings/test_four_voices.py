"""Four voices, tested with a checker in this module that uses only intervals and ranges, not the engine."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.composer.voicings.engine.satb import Realization, realize_satb
from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol

SINGABLE = {"soprano": (60, 81), "alto": (53, 74), "tenor": (48, 69), "bass": (40, 64)}
ROOTS = ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
QUALITIES = [
    "",
    "m",
    "7",
    "m7",
    "maj7",
    "6",
    "m7b5",
    "dim",
    "dim7",
    "aug",
    "sus4",
    "9",
    "7b9",
    "13",
    "7alt",
    "m6",
    "add9",
]


def chords_of(text: str) -> list[ChordSymbol]:
    return [parse_chord(symbol) for symbol in text.split()]


def columns(result: Realization) -> list[list[int]]:
    """Return the MIDI notes of each chord from the bass up."""
    assert all(chord is not None for chord in result.chords)
    return [[pitch.midi for pitch in reversed(chord)] for chord in result.chords if chord is not None]


def broken_rules(columns_: list[list[int]]) -> list[str]:
    """Return a text for every broken rule of part writing."""
    found = []
    for number, notes in enumerate(columns_):
        if notes != sorted(notes):
            found.append(f"{number}: voices cross")
        for (low, high), note in zip(reversed(SINGABLE.values()), notes, strict=True):
            if not low <= note <= high:
                found.append(f"{number}: {note} cannot be sung")
        if notes[3] - notes[2] > 12 or notes[2] - notes[1] > 12:
            found.append(f"{number}: upper voices too far apart")
    for number, (old, new) in enumerate(itertools.pairwise(columns_), start=1):
        for low, high in itertools.combinations(range(4), 2):
            both_up = new[low] > old[low] and new[high] > old[high]
            both_down = new[low] < old[low] and new[high] < old[high]
            before, after = (old[high] - old[low]) % 12, (new[high] - new[low]) % 12
            if (both_up or both_down) and before == after and before in (0, 7):
                found.append(f"{number}: parallel {before} between {low} and {high}")
        for low in range(3):
            if new[low] > old[low + 1] or new[low + 1] < old[low]:
                found.append(f"{number}: voices {low} and {low + 1} overlap")
    return found


@pytest.mark.parametrize(
    "text",
    [
        "C F G7 C",
        "Am Dm E7 Am",
        "C Am F G C",
        "C D Em F G Am Bdim C",
        "C/E F C/G G7 C",
        "Eb Ab Bb7 Eb Cm Fm Bb7 Eb",
        "Dm7 G7 Cmaj7 Fmaj7 Bm7b5 E7 Am7",
        "Cmaj9 A13b9 Dm9 G13 C6/9",
        "C7alt Fm7 Bb9 Ebmaj7#11",
        "C Db D Eb E F",
        "C5 D5 E5 F5",
        "Csus4 C Gsus4 G7 C",
    ],
)
def test_textbook_progressions_have_no_faults(text: str) -> None:
    chords = chords_of(text)
    result = realize_satb(chords)
    assert broken_rules(columns(result)) == []
    assert result.faults == []
    for chord, notes in zip(chords, columns(result), strict=True):
        assert notes[0] % 12 == chord.bass_pitch_class
        assert {note % 12 for note in notes} <= chord.pitch_classes
        if len(chord.tones) <= 3 and chord.bass is None:
            assert len({note % 12 for note in notes}) >= 2


def test_triads_are_complete_and_double_the_root() -> None:
    for chord, notes in zip(chords_of("C F G C"), columns(realize_satb(chords_of("C F G C"))), strict=True):
        classes = [note % 12 for note in notes]
        assert set(classes) == chord.pitch_classes
        assert classes.count(chord.root_pitch_class or 0) == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ROOTS), st.sampled_from(QUALITIES)), min_size=2, max_size=12))
def test_random_progressions_have_no_faults(parts: list[tuple[str, str]]) -> None:
    chords = [parse_chord(root + quality) for root, quality in parts]
    result = realize_satb(chords)
    assert broken_rules(columns(result)) == []
    for chord, notes in zip(chords, columns(result), strict=True):
        classes = {note % 12 for note in notes}
        assert notes[0] % 12 == chord.root_pitch_class
        assert classes <= chord.pitch_classes
        third = next((tone.pitch_class for tone in chord.tones if tone.interval in ("M3", "m3", "P4")), None)
        if third is not None:
            assert third in classes
        seventh = next((tone.pitch_class for tone in chord.tones if tone.interval in ("M7", "m7", "d7")), None)
        if seventh is not None:
            assert seventh in classes


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_melody_stays_the_soprano(data: st.DataObject) -> None:
    parts = data.draw(
        st.lists(st.tuples(st.sampled_from(ROOTS), st.sampled_from(QUALITIES[:8])), min_size=2, max_size=10)
    )
    chords = [parse_chord(root + quality) for root, quality in parts]
    melody: list[int | None] = []
    note = 68
    for chord in chords:
        near = [other for other in range(61, 80) if other % 12 in chord.pitch_classes and abs(other - note) <= 7]
        note = data.draw(st.sampled_from(near))
        melody.append(note)
    result = realize_satb(chords, melody, free_bass=True)
    assert [chord.soprano.midi for chord in result.chords if chord] == melody
    mistakes = broken_rules(columns(result))
    assert bool(mistakes) == any(fault.kind != "missing_tone" for fault in result.faults), (mistakes, result.faults)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(ROOTS), st.sampled_from(QUALITIES), st.integers(0, 127)), min_size=1, max_size=5)
)
def test_the_faults_of_an_impossible_melody_are_listed(parts: list[tuple[str, str, int]]) -> None:
    chords = [parse_chord(root + quality) for root, quality, _ in parts]
    melody: list[int | None] = [note for _, _, note in parts]
    result = realize_satb(chords, melody)
    voicings = columns(result)
    assert [notes[3] for notes in voicings] == melody
    assert all(notes == sorted(notes) for notes in voicings)
    assert bool(broken_rules(voicings)) == any(fault.kind != "missing_tone" for fault in result.faults)


def test_faults_name_chord_and_voices() -> None:
    result = realize_satb(chords_of("C D"), [84, 98])
    assert {(fault.position, fault.kind) for fault in result.faults} >= {(0, "out_of_range"), (1, "out_of_range")}
    assert all(fault.voices for fault in result.faults if fault.kind != "missing_tone")


def test_no_chord_is_a_rest() -> None:
    result = realize_satb(chords_of("C N.C. G"))
    assert result.chords[1] is None
    assert result.chords[0] is not None
    assert realize_satb([]).chords == []


def test_pitches_are_spelled_by_their_chord() -> None:
    for chord, voices in zip(chords_of("Ebm B7 Gbdim7"), realize_satb(chords_of("Ebm B7 Gbdim7")).chords, strict=True):
        assert voices is not None
        spelled = {(tone.step, tone.alter) for tone in chord.tones}
        assert {(pitch.step, pitch.alter) for pitch in voices} <= spelled
