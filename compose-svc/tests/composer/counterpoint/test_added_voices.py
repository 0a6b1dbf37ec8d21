"""Test add_voice with free and species voices against tunes of any rhythm. The checks do not use the engine's rules."""

import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.composer.counterpoint.add_voice_to_score import ScoreWithVoice, VoiceRequest, add_voice_to_score
from consort_compose.composer.counterpoint.engine.task_and_result import Relationship
from consort_compose.composer.counterpoint.models import AddVoice
from consort_compose.composer.counterpoint.service import run_add_voice
from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_music.chords.progression import progression_over
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.notation.note_list import format_note_list, parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

TUNE = (
    "G4:q G4:e A4:e B4:q G4:q A4:q A4:e B4:e C5:q A4:q B4:q C5:e B4:e A4:q D5:q B4:h G4:h "
    "G4:qd A4:e B4:q C5:q D5:h C5:q B4:q A4:q B4:q C5:q F#4:q G4:w"
)
CHORDS = "G | D7 | G D | G | G | G C | D D7 | G"


def tune(text: str = TUNE) -> Score:
    return Score(parse_note_list(text).parts)


def request_for(voice: str = "alto", relationship: str = "contrary", **more: object) -> VoiceRequest:
    given = {"voice": voice, "relationship": Relationship(relationship), "key": parse_key("G major"), "seed": 1}
    return VoiceRequest(**(given | more))  # type: ignore[arg-type]


def heard_together(upper: Part, lower: Part) -> list[tuple[Fraction, Note, Note]]:
    """Return the moment and both notes whenever a note begins and both parts sound."""
    moments = sorted({note.start for note in (*upper.notes, *lower.notes)})
    found = []
    for moment in moments:
        high = next((note for note in upper.notes if note.start <= moment < note.end), None)
        low = next((note for note in lower.notes if note.start <= moment < note.end), None)
        if high and low:
            found.append((moment, high, low))
    return found


def parallels(result: ScoreWithVoice) -> list[Fraction]:
    """Return the times of parallel fifths and octaves."""
    upper, lower = result.combined.parts[:2]
    found = []
    for (_, high, low), (moment, high_after, low_after) in pairwise(heard_together(upper, lower)):
        if high.end < high_after.start or low.end < low_after.start:
            continue
        before, after = (high.midi - low.midi) % 12, (high_after.midi - low_after.midi) % 12
        moves = (high_after.midi - high.midi) * (low_after.midi - low.midi)
        if moves > 0 and before == after and after in (0, 7):
            found.append(moment)
    return found


@pytest.mark.parametrize("voice", list(VOICE_RANGES))
@pytest.mark.parametrize("relationship", list(Relationship))
@pytest.mark.parametrize("chords", [None, CHORDS])
def test_a_voice_stays_in_range_and_key_and_has_no_parallels(voice: str, relationship: str, chords: str | None) -> None:
    score = tune()
    laid = progression_over(chords, score.bars) if chords else []
    result = add_voice_to_score(score, request_for(voice, relationship, chords=laid))
    low, high = VOICE_RANGES[voice].midi
    assert all(low <= note.midi <= high for note in result.voice.notes)
    assert parallels(result) == []
    allowed = {*parse_key("G major").pitch_classes, 0}
    assert {note.midi % 12 for note in result.voice.notes} <= allowed
    assert result.voice.notes[0].start == 0
    assert result.voice.end == score.parts[0].end
    assert all(one.end <= other.start for one, other in pairwise(result.voice.notes))


@pytest.mark.parametrize(("relationship", "letters"), [("parallel_thirds", 2), ("parallel_sixths", 5)])
@pytest.mark.parametrize("voice", ["soprano", "bass"])
def test_parallel_voices_keep_their_interval_and_the_rhythm(relationship: str, letters: int, voice: str) -> None:
    score = tune()
    result = add_voice_to_score(score, request_for(voice, relationship))
    upper, lower = result.combined.parts
    assert [note.start for note in upper.notes] == [note.start for note in lower.notes]
    distances = [high.pitch.staff - low.pitch.staff for high, low in zip(upper.notes, lower.notes, strict=True)]
    left = [distance for distance in distances if distance % 7 != letters]
    assert bool(left) == bool(result.relaxations)
    assert len(left) <= 3
    assert all(relaxed.rule == "relationship" for relaxed in result.relaxations)


def test_most_motion_is_contrary() -> None:
    result = add_voice_to_score(tune(), request_for("bass", "contrary"))
    upper, lower = result.combined.parts
    contrary = similar = 0
    for (_, high, low), (_, high_after, low_after) in pairwise(heard_together(upper, lower)):
        moves = (high_after.midi - high.midi) * (low_after.midi - low.midi)
        contrary += moves < 0
        similar += moves > 0
    assert contrary > 2 * similar


def test_an_oblique_voice_has_at_most_half_as_many_notes_as_the_tune() -> None:
    result = add_voice_to_score(tune(), request_for("alto", "oblique"))
    assert len(result.voice.notes) <= len(tune().parts[0].notes) / 2


def test_the_voice_has_a_chord_tone_where_a_chord_begins() -> None:
    score = tune()
    laid = progression_over(CHORDS, score.bars)
    result = add_voice_to_score(score, request_for("tenor", "free", chords=laid))
    assert not result.relaxations
    for chord in laid:
        note = next(note for note in result.voice.notes if note.start <= chord.start < note.end)
        assert note.midi % 12 in chord.chord.pitch_classes


def test_the_leading_tone_is_raised_in_minor() -> None:
    score = tune("A4:q B4:q C5:q D5:q E5:h D5:h C5:h B4:h A4:w")
    result = add_voice_to_score(score, request_for("tenor", "contrary", key=parse_key("A minor")))
    assert result.voice.notes[-2].pitch.name == "G#4"


def test_the_side_depends_on_the_voice_and_the_room_unless_it_is_given() -> None:
    assert not add_voice_to_score(tune(), request_for("alto")).above
    assert add_voice_to_score(tune(), request_for("soprano")).above
    assert not add_voice_to_score(tune(), request_for("soprano", above=False)).above
    low = tune("C3:w D3:w E3:w C3:w")
    assert add_voice_to_score(low, request_for("alto")).above
    assert add_voice_to_score(low, request_for("tenor")).above
    assert [part.name for part in add_voice_to_score(low, request_for("tenor")).combined.parts] == ["tenor", "bass"]


def test_the_same_seed_writes_the_same_voice_in_every_process() -> None:
    code = (
        "from fractions import Fraction\n"
        "from consort_compose.composer.counterpoint.add_voice_to_score import *\n"
        "from consort_music.keys import parse_key\n"
        "from consort_music.notation.note_list import *\n"
        f"score = parse_note_list({TUNE!r})\n"
        "for species in range(6):\n"
        "    request = VoiceRequest('alto', parse_key('G major'), 7, Relationship.FREE, species)\n"
        "    print(format_note_list(score.with_parts([add_voice_to_score(score, request).voice])))\n"
    )
    voices = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": hashes}, capture_output=True, check=True, text=True
        ).stdout
        for hashes in ("0", "1")
    }
    assert len(voices) == 1


def test_different_seeds_write_different_voices() -> None:
    voices = {
        format_note_list(tune().with_parts([add_voice_to_score(tune(), request_for(seed=seed)).voice]))
        for seed in range(8)
    }
    assert len(voices) == 8


def test_parallels_can_be_allowed() -> None:
    runs = [
        add_voice_to_score(tune(), request_for("alto", "free", seed=seed, avoid_parallels=False)) for seed in range(12)
    ]
    assert any(parallels(result) for result in runs)


def test_a_range_whose_low_end_is_above_its_high_end_is_rejected() -> None:
    with pytest.raises(MusicError, match="'range_low' is D5") as caught:
        add_voice_to_score(tune(), request_for(low=Pitch.parse("D5"), high=Pitch.parse("F3")))
    assert caught.value.code == "INVALID_RANGE"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"low": Pitch.parse("C2"), "high": Pitch.parse("B2"), "above": True}, "is below the existing voice"),
        ({"low": Pitch.parse("C6"), "high": Pitch.parse("B6"), "above": False}, "is above the existing voice"),
        ({"low": Pitch.parse("F3"), "high": Pitch.parse("G3")}, "has only 2 notes of G major"),
    ],
)
def test_an_impossible_range_is_explained(more: dict[str, Any], reason: str) -> None:
    with pytest.raises(MusicError, match=reason) as caught:
        add_voice_to_score(tune(), request_for(**more))
    assert caught.value.code == "UNSATISFIABLE_CONSTRAINTS"


def test_each_broken_rule_is_reported_with_its_measure() -> None:
    narrow = request_for("alto", species=1, low=Pitch.parse("C4"), high=Pitch.parse("F4"), key=parse_key("C major"))
    result = add_voice_to_score(tune("C4:w E4:w F4:w G4:w E4:w D4:w C4:w"), narrow)
    assert result.relaxations
    assert all(1 <= relaxed.measure <= 7 for relaxed in result.relaxations)
    assert parallels(result) == []
    assert "voice_crossing" in {relaxed.rule for relaxed in result.relaxations}


@pytest.mark.parametrize("voice", ["bass", "alto"])
def test_a_free_voice_in_minor_closes_with_the_raised_leading_tone(voice: str) -> None:
    score = tune("E4:q A4:q A4:q D5:q C5:q B4:q A4:h")
    closes = [
        add_voice_to_score(score, request_for(voice, seed=seed, key=parse_key("A minor"))).voice.notes
        for seed in range(10)
    ]
    assert sum(notes[-2].pitch.name[:-1] == "G#" for notes in closes) >= 7


@pytest.mark.parametrize("seed", range(4))
def test_a_bass_mostly_has_the_bass_notes_of_the_chords(seed: int) -> None:
    score = tune()
    laid = progression_over("G | D7/F# | Em D | G | G | G C | D D7 | G", score.bars)
    bass = add_voice_to_score(score, request_for("bass", chords=laid, seed=seed)).voice
    sung = {note.start: note.midi % 12 for note in bass.notes}
    hits = [sung.get(span.start) == span.chord.bass_pitch_class for span in laid]
    assert sum(hits) >= 0.7 * len(hits)


def test_the_fourth_species_reports_each_downbeat_without_a_tie() -> None:
    # Below this cantus an alto can have at most one tie, and then its cadence would need a tritone.
    result = add_voice_to_score(
        tune("C4:w C4:w C4:w D4:w C4:w"), request_for("alto", species=4, key=parse_key("C major"))
    )
    assert [(relaxed.rule, relaxed.measure) for relaxed in result.relaxations] == [
        ("syncopation", measure) for measure in (2, 3, 4)
    ]


def test_a_rule_broken_in_several_measures_gives_one_warning() -> None:
    body = AddVoice(existing_voice="…", new_voice_type="alto", species=4, key=parse_key("C major"), seed=1)
    _, _, warnings = run_add_voice(tune("C4:w C4:w C4:w D4:w C4:w"), body)
    assert [(warning.code, warning.measure) for warning in warnings] == [("CONSTRAINT_RELAXED", 2)]
    assert warnings[0].message.startswith("In measures 2-4 the downbeat is struck")


@pytest.mark.parametrize("seed", range(4))
def test_the_fourth_species_has_ties_in_every_relationship(seed: int) -> None:
    for relationship in Relationship:
        request = request_for("soprano", relationship, species=4, seed=seed, key=parse_key("C major"))
        result = add_voice_to_score(tune("C4:w D4:w C4:w"), request)
        assert [note.duration for note in result.voice.notes] == [4, 2, 4], relationship
        assert not result.relaxations


def test_no_note_is_tied_across_a_silent_bar() -> None:
    result = add_voice_to_score(tune("C4:w D4:w E4:w R:w D4:w E4:w D4:w C4:w"), request_for("soprano", species=4))
    silent = result.combined.bars[3]
    assert not [note for note in result.voice.notes if note.start < silent.end and note.end > silent.start]


@pytest.mark.parametrize("metre", ["2/4", "3/4", "5/4", "2/2", "3/2", "3/8", "6/8", "7/8", "9/8", "12/8"])
@pytest.mark.parametrize("species", [1, 2, 3, 4, 5])
def test_species_in_every_metre(metre: str, species: int) -> None:
    bar = parse_metre(metre).bar
    names = ["C4", "D4", "F4", "E4", "G4", "A4", "F4", "E4", "D4", "C4"]
    notes = [Note(place * bar, bar, Pitch.parse(name)) for place, name in enumerate(names)]
    score = Score((Part.of("cantus", notes),), metres=((Fraction(0), parse_metre(metre)),))
    result = add_voice_to_score(score, request_for("soprano", species=species, key=parse_key("C major")))
    assert not result.relaxations
    assert not result.remarks
    assert result.voice.notes[-1].start == 9 * bar
    assert result.voice.end == 10 * bar
    assert all(one.end == other.start for one, other in pairwise(result.voice.notes))
    a_bar = [note for note in result.voice.notes if 3 * bar <= note.start < 4 * bar]
    assert len(a_bar) >= (1, 2, 3, 1, 1)[species - 1]


def test_an_equal_cantus_in_short_notes_is_read_note_by_note() -> None:
    result = add_voice_to_score(tune("C4 D4 F4 E4 D4 C4"), request_for("soprano", species=2, key=parse_key("C major")))
    assert [note.duration for note in result.voice.notes] == [Fraction(1, 2)] * 9 + [Fraction(1)]
    assert "each note was taken" in result.remarks[0]


def test_an_unequal_tune_is_read_bar_by_bar() -> None:
    result = add_voice_to_score(tune(), request_for("alto", species=3))
    assert "each bar was taken" in result.remarks[0]
    assert {note.duration for note in result.voice.notes[:-1]} == {Fraction(1)}


def test_the_first_species_has_the_rhythm_of_the_tune_with_its_rests() -> None:
    score = tune("C4:q D4:e E4:e R:q F4:q E4:h D4:h C4:w")
    result = add_voice_to_score(score, request_for("soprano", species=1, key=parse_key("C major")))
    existing = [(note.start, note.duration) for note in score.parts[0].notes]
    assert [(note.start, note.duration) for note in result.voice.notes] == existing


def test_only_the_top_notes_of_the_first_part_are_used() -> None:
    result = add_voice_to_score(
        tune('"top" C4+E4:w F4:w E4:w\n"low" C3:w C3:w C3:w'), request_for("soprano", key=parse_key("C major"))
    )
    assert [part.name for part in result.combined.parts] == ["soprano", "top", "low"]
    assert [note.pitch.name for note in result.combined.parts[1].notes] == ["E4", "F4", "E4"]
    assert "several parts" in result.remarks[0]
    assert "only the highest" in result.remarks[1]


METRES = st.sampled_from(["4/4", "3/4", "6/8", "5/4", "7/8"])
DURATIONS = st.sampled_from([Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3)])
VOICES = st.sampled_from(list(VOICE_RANGES))
RELATIONSHIPS = st.sampled_from(list(Relationship))


@st.composite
def tunes(draw: st.DrawFn) -> Score:
    notes, at = [], Fraction(0)
    for _ in range(draw(st.integers(1, 24))):
        duration = draw(DURATIONS)
        notes.append(Note(at, duration, parse_key("G major").spell(draw(st.integers(55, 79)))))
        at += duration * draw(st.sampled_from([1, 2]))
    return Score((Part.of("tune", notes),), metres=((Fraction(0), parse_metre(draw(METRES))),))


def assert_is_voice(result: ScoreWithVoice, voice: str, score: Score) -> None:
    """Assert that the new voice is one line in its range, not longer than the score, and without parallels."""
    low, high = VOICE_RANGES[voice].midi
    assert all(low <= note.midi <= high for note in result.voice.notes)
    assert all(one.end <= other.start for one, other in pairwise(result.voice.notes))
    assert result.voice.end <= score.length
    assert parallels(result) == []


@settings(max_examples=20)
@given(tunes(), VOICES, RELATIONSHIPS, st.integers(0, 5), st.integers(0, 9))
def test_every_tune_gets_a_voice(score: Score, voice: str, relationship: str, species: int, seed: int) -> None:
    result = add_voice_to_score(score, request_for(voice, relationship, species=species, seed=seed))
    assert_is_voice(result, voice, score)


@settings(max_examples=20)
@given(tunes(), VOICES, RELATIONSHIPS, st.integers(0, 5), st.booleans())
def test_a_given_side_is_used_or_rejected_if_the_range_is_on_the_other_side(
    score: Score, voice: str, relationship: str, species: int, above: bool
) -> None:
    request = request_for(voice, relationship, species=species, above=above)
    low, high = VOICE_RANGES[voice].midi
    pitches = [note.midi for note in score.parts[0].notes]
    if high < min(pitches) if above else low > max(pitches):
        with pytest.raises(MusicError) as caught:
            add_voice_to_score(score, request)
        assert caught.value.code == "UNSATISFIABLE_CONSTRAINTS"
    else:
        result = add_voice_to_score(score, request)
        assert result.above == above
        assert_is_voice(result, voice, score)


@pytest.mark.parametrize("seed", range(3))
def test_there_are_no_parallel_fifths_with_an_unusual_spelling(seed: int) -> None:
    music = tune("C5:q Eb5:q C5:q G5:q Gb5:e F5:e Eb5:q C5:q F5:q Ab5:q Bb5:q Ab5:e F5:e Eb5:q C5:h")
    assert not parallels(add_voice_to_score(music, request_for("bass", key=parse_key("C major"), seed=seed)))
