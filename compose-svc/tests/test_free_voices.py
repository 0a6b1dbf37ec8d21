"""Free voices against tunes of any rhythm: judged by what is heard, with nothing of the engine's rules."""

import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.composer.counterpoint.added import Added, Wish, add_voice_to
from consort_compose.composer.counterpoint.models import AddVoice
from consort_compose.composer.counterpoint.service import write
from consort_compose.composer.counterpoint.task import Relationship
from consort_compose.composer.voice_ranges import VOICE_RANGES
from consort_music.chords.layout import progression_over
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.note_list import format_note_list, parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

TUNE = (
    "G4:q G4:e A4:e B4:q G4:q A4:q A4:e B4:e C5:q A4:q B4:q C5:e B4:e A4:q D5:q B4:h G4:h "
    "G4:qd A4:e B4:q C5:q D5:h C5:q B4:q A4:q B4:q C5:q F#4:q G4:w"
)
CHORDS = "G | D7 | G D | G | G | G C | D D7 | G"


def tune(text: str = TUNE) -> Score:
    return Score(parse_note_list(text).parts)


def wish(voice: str = "alto", relationship: str = "contrary", **more: object) -> Wish:
    given = {"voice": voice, "relationship": Relationship(relationship), "key": parse_key("G major"), "seed": 1}
    return Wish(**(given | more))  # type: ignore[arg-type]


def heard_together(upper: Part, lower: Part) -> list[tuple[Fraction, Note, Note]]:
    """Both notes at each moment at which one begins while both sound."""
    moments = sorted({note.start for note in (*upper.notes, *lower.notes)})
    found = []
    for moment in moments:
        high = next((note for note in upper.notes if note.start <= moment < note.end), None)
        low = next((note for note in lower.notes if note.start <= moment < note.end), None)
        if high and low:
            found.append((moment, high, low))
    return found


def parallels(added: Added) -> list[Fraction]:
    upper, lower = added.combined.parts[:2]
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
def test_stays_in_range_and_key_and_has_no_parallels(voice: str, relationship: str, chords: str | None) -> None:
    score = tune()
    laid = progression_over(chords, score.bars) if chords else []
    added = add_voice_to(score, wish(voice, relationship, chords=laid))
    low, high = VOICE_RANGES[voice].midi
    assert all(low <= note.midi <= high for note in added.voice.notes)
    assert parallels(added) == []
    allowed = {*parse_key("G major").pitch_classes, *(0,)}
    assert {note.midi % 12 for note in added.voice.notes} <= allowed
    assert added.voice.notes[0].start == 0
    assert added.voice.end == score.parts[0].end
    assert all(one.end <= other.start for one, other in pairwise(added.voice.notes))


@pytest.mark.parametrize(("relationship", "letters"), [("parallel_thirds", 2), ("parallel_sixths", 5)])
@pytest.mark.parametrize("voice", ["soprano", "bass"])
def test_parallel_voices_keep_their_interval_and_the_rhythm(relationship: str, letters: int, voice: str) -> None:
    score = tune()
    added = add_voice_to(score, wish(voice, relationship))
    upper, lower = added.combined.parts
    assert [note.start for note in upper.notes] == [note.start for note in lower.notes]
    distances = [high.pitch.staff - low.pitch.staff for high, low in zip(upper.notes, lower.notes, strict=True)]
    left = [distance for distance in distances if distance % 7 != letters]
    assert bool(left) == bool(added.relaxations)
    assert len(left) <= 3
    assert all(relaxed.rule == "relationship" for relaxed in added.relaxations)


def test_contrary_motion_prevails() -> None:
    added = add_voice_to(tune(), wish("bass", "contrary"))
    upper, lower = added.combined.parts
    contrary = similar = 0
    for (_, high, low), (_, high_after, low_after) in pairwise(heard_together(upper, lower)):
        moves = (high_after.midi - high.midi) * (low_after.midi - low.midi)
        contrary += moves < 0
        similar += moves > 0
    assert contrary > 2 * similar


def test_oblique_holds() -> None:
    added = add_voice_to(tune(), wish("alto", "oblique"))
    assert len(added.voice.notes) <= len(tune().parts[0].notes) / 2


def test_strong_beats_have_a_tone_of_the_chord() -> None:
    score = tune()
    laid = progression_over(CHORDS, score.bars)
    added = add_voice_to(score, wish("tenor", "free", chords=laid))
    assert not added.relaxations
    for chord in laid:
        note = next(note for note in added.voice.notes if note.start <= chord.start < note.end)
        assert note.midi % 12 in chord.chord.pitch_classes


def test_a_leading_tone_is_raised_in_minor() -> None:
    score = tune("A4:q B4:q C5:q D5:q E5:h D5:h C5:h B4:h A4:w")
    added = add_voice_to(score, wish("tenor", "contrary", key=parse_key("A minor")))
    assert all(note.pitch.name != "G3" for note in added.voice.notes[-2:])


def test_the_side_follows_from_the_voice_and_can_be_said() -> None:
    assert not add_voice_to(tune(), wish("alto")).above
    assert add_voice_to(tune(), wish("soprano")).above
    assert not add_voice_to(tune(), wish("soprano", above=False)).above
    low = tune("C3:w D3:w E3:w C3:w")
    assert add_voice_to(low, wish("alto")).above
    assert add_voice_to(low, wish("tenor")).above
    assert [part.name for part in add_voice_to(low, wish("tenor")).combined.parts] == ["tenor", "bass"]


def test_the_same_seed_writes_the_same_voice_in_every_process() -> None:
    code = (
        "from fractions import Fraction\n"
        "from consort_compose.composer.counterpoint.added import *\n"
        "from consort_music.keys import parse_key\n"
        "from consort_music.note_list import *\n"
        f"score = parse_note_list({TUNE!r})\n"
        "for species in range(6):\n"
        "    wish = Wish('alto', parse_key('G major'), 7, Relationship.FREE, species)\n"
        "    print(format_note_list(score.with_parts([add_voice_to(score, wish).voice])))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": hashes}, capture_output=True, check=True, text=True
        ).stdout
        for hashes in ("0", "1")
    }
    assert len(said) == 1


def test_other_seeds_write_other_voices() -> None:
    voices = {format_note_list(tune().with_parts([add_voice_to(tune(), wish(seed=seed)).voice])) for seed in range(8)}
    assert len(voices) == 8


def test_parallels_can_be_allowed() -> None:
    runs = [add_voice_to(tune(), wish("alto", "free", seed=seed, avoid_parallels=False)) for seed in range(12)]
    assert any(parallels(added) for added in runs)


def test_a_range_that_is_upside_down_is_refused() -> None:
    with pytest.raises(MusicError, match="'range_low' is D5, and must be below 'range_high', F3") as refused:
        add_voice_to(tune(), wish(low=Pitch.parse("D5"), high=Pitch.parse("F3")))
    assert refused.value.code == "INVALID_RANGE"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"low": Pitch.parse("C2"), "high": Pitch.parse("B2"), "above": True}, "is below the existing voice"),
        ({"low": Pitch.parse("C6"), "high": Pitch.parse("B6"), "above": False}, "is above the existing voice"),
        ({"low": Pitch.parse("F3"), "high": Pitch.parse("G3")}, "has only 2 notes of G major"),
    ],
)
def test_an_impossible_range_names_the_conflict(more: dict[str, Any], reason: str) -> None:
    with pytest.raises(MusicError, match=reason) as refused:
        add_voice_to(tune(), wish(**more))
    assert refused.value.code == "UNSATISFIABLE_CONSTRAINTS"


def test_what_cannot_be_kept_is_told_with_its_measure() -> None:
    narrow = wish("alto", species=1, low=Pitch.parse("C4"), high=Pitch.parse("F4"), key=parse_key("C major"))
    added = add_voice_to(tune("C4:w E4:w F4:w G4:w E4:w D4:w C4:w"), narrow)
    assert added.relaxations
    assert all(1 <= relaxed.measure <= 7 for relaxed in added.relaxations)
    assert parallels(added) == []
    assert "voice_crossing" in {relaxed.rule for relaxed in added.relaxations}


@pytest.mark.parametrize("voice", ["bass", "alto"])
def test_a_free_voice_in_minor_closes_with_the_raised_leading_tone(voice: str) -> None:
    score = tune("E4:q A4:q A4:q D5:q C5:q B4:q A4:h")
    closes = [add_voice_to(score, wish(voice, seed=seed, key=parse_key("A minor"))).voice.notes for seed in range(10)]
    assert sum(notes[-2].pitch.name[:-1] == "G#" for notes in closes) >= 7


@pytest.mark.parametrize("seed", range(4))
def test_a_bass_sings_the_basses_of_the_chords(seed: int) -> None:
    score = tune()
    laid = progression_over("G | D7/F# | Em D | G | G | G C | D D7 | G", score.bars)
    bass = add_voice_to(score, wish("bass", chords=laid, seed=seed)).voice
    sung = {note.start: note.midi % 12 for note in bass.notes}
    hits = [sung.get(span.start) == span.chord.bass_pitch_class for span in laid]
    assert sum(hits) >= 0.7 * len(hits)


def test_a_fourth_species_without_room_for_ties_says_where() -> None:
    # one tie is all that an alto below this cantus could have, and the close then needs a tritone
    added = add_voice_to(tune("C4:w C4:w C4:w D4:w C4:w"), wish("alto", species=4, key=parse_key("C major")))
    assert [(relaxed.rule, relaxed.measure) for relaxed in added.relaxations] == [
        ("syncopation", measure) for measure in (2, 3, 4)
    ]


def test_a_rule_that_is_broken_again_and_again_is_one_warning() -> None:
    body = AddVoice(existing_voice="…", new_voice_type="alto", species=4, key="C major", seed=1)
    _, _, warnings = write(tune("C4:w C4:w C4:w D4:w C4:w"), body)
    assert [(warning.code, warning.measure) for warning in warnings] == [("CONSTRAINT_RELAXED", 2)]
    assert warnings[0].message.startswith("In measures 2-4 the downbeat is struck")


@pytest.mark.parametrize("seed", range(4))
def test_a_fourth_species_ties_whatever_the_relationship(seed: int) -> None:
    for relationship in Relationship:
        asked = wish("soprano", relationship, species=4, seed=seed, key=parse_key("C major"))
        added = add_voice_to(tune("C4:w D4:w C4:w"), asked)
        assert [note.duration for note in added.voice.notes] == [4, 2, 4], relationship
        assert not added.relaxations


def test_no_note_is_tied_across_a_silent_bar() -> None:
    added = add_voice_to(tune("C4:w D4:w E4:w R:w D4:w E4:w D4:w C4:w"), wish("soprano", species=4))
    silent = added.combined.bars[3]
    assert not [note for note in added.voice.notes if note.start < silent.end and note.end > silent.start]


@pytest.mark.parametrize("metre", ["2/4", "3/4", "5/4", "2/2", "3/2", "3/8", "6/8", "7/8", "9/8", "12/8"])
@pytest.mark.parametrize("species", [1, 2, 3, 4, 5])
def test_species_in_every_metre(metre: str, species: int) -> None:
    bar = parse_metre(metre).bar
    names = ["C4", "D4", "F4", "E4", "G4", "A4", "F4", "E4", "D4", "C4"]
    notes = [Note(place * bar, bar, Pitch.parse(name)) for place, name in enumerate(names)]
    score = Score((Part.of("cantus", notes),), metres=((Fraction(0), parse_metre(metre)),))
    added = add_voice_to(score, wish("soprano", species=species, key=parse_key("C major")))
    assert not added.relaxations
    assert not added.remarks
    assert added.voice.notes[-1].start == 9 * bar
    assert added.voice.end == 10 * bar
    assert all(one.end == other.start for one, other in pairwise(added.voice.notes))
    a_bar = [note for note in added.voice.notes if 3 * bar <= note.start < 4 * bar]
    assert len(a_bar) >= (1, 2, 3, 1, 1)[species - 1]


def test_an_even_cantus_in_short_notes_is_taken_note_by_note() -> None:
    added = add_voice_to(tune("C4 D4 F4 E4 D4 C4"), wish("soprano", species=2, key=parse_key("C major")))
    assert {note.duration for note in added.voice.notes[:-1]} <= {Fraction(1, 2), Fraction(1)}
    assert len(added.voice.notes) in (9, 10)
    assert "each of its notes" in added.remarks[0]


def test_an_uneven_tune_is_taken_bar_by_bar() -> None:
    added = add_voice_to(tune(), wish("alto", species=3))
    assert "each bar was taken" in added.remarks[0]
    assert {note.duration for note in added.voice.notes[:-1]} == {Fraction(1)}


def test_note_against_note_matches_the_rhythm_with_its_rests() -> None:
    score = tune("C4:q D4:e E4:e R:q F4:q E4:h D4:h C4:w")
    added = add_voice_to(score, wish("soprano", species=1, key=parse_key("C major")))
    existing = [(note.start, note.duration) for note in score.parts[0].notes]
    assert [(note.start, note.duration) for note in added.voice.notes] == existing


def test_of_chords_the_top_counts_and_of_parts_the_first() -> None:
    added = add_voice_to(
        tune('"top" C4+E4:w F4:w E4:w\n"low" C3:w C3:w C3:w'), wish("soprano", key=parse_key("C major"))
    )
    assert len(added.remarks) == 2
    assert len(added.combined.parts) == 3


METRES = st.sampled_from(["4/4", "3/4", "6/8", "5/4", "7/8"])
DURATIONS = st.sampled_from([Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3)])
ITEMS = st.lists(st.tuples(st.integers(55, 79), DURATIONS, st.booleans()), min_size=1, max_size=24)


@settings(max_examples=40)
@given(
    items=ITEMS,
    metre=METRES,
    voice=st.sampled_from(list(VOICE_RANGES)),
    relationship=st.sampled_from(list(Relationship)),
    species=st.integers(0, 5),
    seed=st.integers(0, 9),
    above=st.sampled_from([None, True, False]),
)
def test_any_tune_gets_a_voice_or_a_reason(
    items: list[tuple[int, Fraction, bool]],
    metre: str,
    voice: str,
    relationship: Relationship,
    species: int,
    seed: int,
    above: bool | None,
) -> None:
    notes, at = [], Fraction(0)
    for midi, duration, rests in items:
        notes.append(Note(at, duration, parse_key("G major").spell(midi)))
        at += duration * (2 if rests else 1)
    score = Score((Part.of("tune", notes),), metres=((Fraction(0), parse_metre(metre)),))
    try:
        added = add_voice_to(score, wish(voice, relationship, species=species, seed=seed, above=above))
    except MusicError as refused:
        assert refused.code == "UNSATISFIABLE_CONSTRAINTS" and above is not None
        return
    low, high = VOICE_RANGES[voice].midi
    assert all(low <= note.midi <= high for note in added.voice.notes)
    assert all(one.end <= other.start for one, other in pairwise(added.voice.notes))
    assert added.voice.end <= score.length
    assert parallels(added) == []


@pytest.mark.parametrize("seed", range(3))
def test_fifths_that_only_the_spelling_hides_are_parallels(seed: int) -> None:
    music = tune("C5:q Eb5:q C5:q G5:q Gb5:e F5:e Eb5:q C5:q F5:q Ab5:q Bb5:q Ab5:e F5:e Eb5:q C5:h")
    assert not parallels(add_voice_to(music, wish("bass", key=parse_key("C major"), seed=seed)))
