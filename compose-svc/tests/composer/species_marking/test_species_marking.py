"""Test the marking of species counterpoint: planted faults are found at their place, and correct voices have none."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest

from consort_compose.composer.counterpoint.add_voice_to_score import VoiceRequest, add_voice_to_score
from consort_compose.composer.species_marking.mark_exercise import mark_exercise
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from evaluation.checkers.counterpoint import CheckedNote, cantus_notes
from evaluation.corpora.cantus_firmi import CANTUS_FIRMI, Cantus
from evaluation.engine_runs.species_counterpoint import judge
from tests.support.planted_counterpoint_faults import PlantedFault, plant

SPECIES = (1, 2, 3, 4, 5)
OF_EACH_KIND = 4


def part(name: str, notes: list[CheckedNote]) -> Part:
    return Part.of(
        name,
        [
            Note(
                note.onset,
                note.length,
                Pitch.from_staff(note.letter, note.midi - Pitch.from_staff(note.letter, 0).midi),
            )
            for note in notes
        ],
    )


def solution(cantus: Cantus, species: int, above: bool, seed: int = 0) -> list[CheckedNote]:
    written = judge(cantus, species, above, seed).voice.notes
    return [CheckedNote(note.onset, note.duration, note.tone.midi, note.tone.step) for note in written]


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("species", SPECIES)
def test_generated_voices_have_no_faults(species: int, step: int) -> None:
    for number, cantus in enumerate(CANTUS_FIRMI[::step]):
        for above in (True, False):
            voice = part("part 2", solution(cantus, species, above, seed=number))
            given = part("part 1", cantus_notes(cantus, 4))
            parts = (given, voice) if number % 2 else (voice, given)
            for key in (parse_key(cantus.key), None):
                assert mark_exercise(Score(parts), species, key)[1] == [], (cantus, above, key)


@pytest.mark.parametrize("species", SPECIES)
@pytest.mark.parametrize(("metre", "value"), [("3/4", "hd"), ("6/8", "hd"), ("4/4", "h"), ("2/2", "w"), ("5/4", "5")])
def test_other_metres_and_note_values_have_no_faults(species: int, metre: str, value: str) -> None:
    cantus = parse_note_list(" ".join(f"{letter}4:{value}" for letter in "DFEDGFAGFED"))
    cantus = replace(cantus, metres=((Fraction(0), parse_metre(metre)),))
    for voice in ("soprano", "bass"):
        both = add_voice_to_score(cantus, VoiceRequest(voice, parse_key("D dorian"), seed=1, species=species)).combined
        assert mark_exercise(both, species, None)[1] == [], voice


def planted(species: int) -> list[PlantedFault]:
    """Return several faults of every kind, planted in several solutions."""
    found: dict[str, list[PlantedFault]] = defaultdict(list)
    for cantus in CANTUS_FIRMI[::20]:
        for above in (True, False):
            notes = cantus_notes(cantus, 4)
            seen: dict[str, int] = defaultdict(int)
            for fault in plant(cantus, notes, solution(cantus, species, above), species, above):
                seen[fault.kind] += 1
                if seen[fault.kind] % 7 == 1 and seen[fault.kind] < 7 * OF_EACH_KIND:
                    found[fault.kind].append(fault)
    return [fault for faults in found.values() for fault in faults]


@pytest.mark.parametrize("species", [1, 2, pytest.param(3, marks=pytest.mark.long), 4, 5])
def test_planted_faults_are_found_at_their_place(species: int) -> None:
    faults = planted(species)
    missed = []
    for fault in faults:
        score = Score((part("part 1", list(fault.voice)), part("part 2", list(fault.cantus))))
        _, marked = mark_exercise(score, species, None)
        if fault.moment not in {one.moment for one in marked}:
            missed.append((fault.fault, marked))
    assert len(faults) >= 200 and len({fault.kind for fault in faults}) >= 15
    assert len(missed) <= 0.02 * len(faults), missed[:5]


CANTUS = '"cantus" D4:w F4:w E4:w D4:w'


@pytest.mark.parametrize(
    ("species", "voice", "place", "kind"),
    [
        (1, "A4:w C5:w C#5:w D5:w", (2, 1), "parallel_fifths"),
        (1, "A4:w A4:w C5:w D5:w", (3, 1), "leading_tone"),
        (2, "R:h A4:h F5:h E5:h C5:h C#5:h D5:w", (2, 3), "weak_dissonance"),
        (2, "R:h A4:h D5:h B4:h C5:h C#5:h D5:w", (2, 3), "weak_dissonance"),
        (4, "R:h A4:w D5:w E5:h D5:w", (3, 1), "suspension_not_resolved"),
    ],
)
def test_faults_that_a_teacher_marks(species: int, voice: str, place: tuple[int, int], kind: str) -> None:
    score = parse_note_list(f'"student" {voice}\n{CANTUS}')
    exercise, faults = mark_exercise(score, species, None)
    assert exercise.cantus_name == "cantus" and exercise.key.name == "D dorian"
    assert (*place, kind) in {
        (place.measure, int(place.beat), fault.kind) for fault in faults for place in [score.position_at(fault.moment)]
    }


def test_a_part_named_after_a_voice_must_stay_in_its_range() -> None:
    high = "A4:w C6:w C#5:w D5:w"
    assert "range" in {
        fault.kind for fault in mark_exercise(parse_note_list(f'"soprano" {high}\n{CANTUS}'), 1, None)[1]
    }
    assert "range" not in {
        fault.kind for fault in mark_exercise(parse_note_list(f'"flute" {high}\n{CANTUS}'), 1, None)[1]
    }


def test_two_parts_of_one_note_can_be_marked() -> None:
    assert mark_exercise(parse_note_list('"a" D4:w\n"b" D5:w'), 1, None)[1] == []


def test_three_voices_are_rejected() -> None:
    with pytest.raises(MusicError) as caught:
        mark_exercise(parse_note_list(f'{CANTUS}\n"a" D5:w\n"b" D5:w'), 1, None)
    assert caught.value.field == "species" and "3 parts" in caught.value.message


@pytest.mark.parametrize("name", ["bass", "part 2"])
def test_a_bass_under_a_high_cantus_stays_within_a_twelfth(name: str) -> None:
    """Generated voices have no faults under either name, and a distance of more than a twelfth is marked."""
    cantus = parse_note_list("E4:w A4:w G4:w B4:w C5:w B4:w E5:w C5:w B4:w A4:w G4:w F#4:w E4:w")
    key = parse_key("E minor")
    for species in SPECIES:
        for seed in range(2):
            both = add_voice_to_score(cantus, VoiceRequest("bass", key, seed=seed, species=species)).combined
            parts = (both.parts[0], replace(both.parts[1], name=name))
            assert mark_exercise(replace(both, parts=parts), species, key)[1] == [], (species, seed)
    wide = parse_note_list(f'"cantus" E4:w A4:w B4:w A4:w F#4:w E4:w\n"{name}" E3:w C3:w D3:w F#3:w D#3:w E3:w')
    assert [fault.moment for fault in mark_exercise(wide, 1, key)[1] if fault.kind == "spacing"] == [4, 8]


THIRD_SPECIES = """
"cantus" G4:w E4:w F#4:w G4:w D4:w E4:w D4:w B3:w C4:w A3:w G3:w
"voice" D5:q E5:q D5:q B4:q | C5:q D5:q E5:q G5:q | F#5:q A5:q F#5:q E5:q | D5:q B4:q C5:q D5:q | B4:q A4:q G4:q A4:q |\
 G4:q A4:q B4:q C5:q | D5:q C5:q D5:q A4:q | G4:q A4:q B4:q A4:q | G4:q E4:q D4:q E4:q | F#4:q G4:q A4:q F#4:q | G4:w
"""


def test_only_leaps_beyond_a_fifth_need_a_step_back() -> None:
    key = parse_key("G major")
    assert mark_exercise(parse_note_list(THIRD_SPECIES), 3, key)[1] == []  # D5 A4 G4 is a fourth down and a step down
    octave = THIRD_SPECIES.replace("D5:q C5:q D5:q A4:q | G4:q", "D5:q C5:q A4:q A5:q | G4:q")
    assert (Fraction(27), "leap_not_recovered") in [
        (fault.moment, fault.kind) for fault in mark_exercise(parse_note_list(octave), 3, key)[1]
    ]
