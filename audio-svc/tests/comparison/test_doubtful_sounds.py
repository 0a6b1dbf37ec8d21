"""Right takes whose sound is doubtful have no faults, and recordings that are no take are not judged."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.answer import answer
from consort_audio.comparison.take.one_voice.doubtful_notes.ghost_notes import remove_ghosts
from consort_audio.comparison.take.one_voice.doubtful_notes.second_look import look_again
from consort_audio.comparison.take.one_voice.doubtful_notes.split_notes import join_splits
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.comparison.take.one_voice.faded_notes import with_faded_ends
from consort_audio.comparison.take.one_voice.pitches.note_pitch import with_own_pitches
from consort_audio.comparison.take.one_voice.starts.soft_starts import settle_starts
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording, recording_from_samples
from evaluation.sounds.voices import spoken
from tests.support.listening_models import require_models
from tests.support.played_takes import play, tones, tune

STEPS = "C4:q E4:q G4:q E4:q F4:q D4:q B3:q C4:q"


def recorded(sound: np.ndarray) -> Recording:
    return recording_from_samples(sound.astype(np.float32), RATE)


def heard(notes: Sequence[PlayedNote]) -> tuple[Recording, TakeEvidence]:
    recording = recorded(tones(notes))
    return recording, TakeEvidence(recording, notes)


def compared(sound: np.ndarray) -> dict[str, Any]:
    options = {"reference_type": "exercise", "reference_params": {"kind": "notes", "notes": STEPS, "tempo": 100}}
    recording = recorded(sound)
    return answer(ListeningTask("compare_to_reference", options, [Path("a.wav")], lambda _: recording, lambda _: None))


@pytest.mark.parametrize("lost", [0, 3, 7])
def test_a_note_that_was_not_found_is_looked_for_at_both_ends_too(lost: int) -> None:
    music = tune(STEPS, tempo=80)
    notes = play(music)
    recording, evidence = heard(notes)
    found = look_again(recording, music, align(music, [*notes[:lost], *notes[lost + 1 :]]), evidence)
    assert [round(note.pitch) for note in found] == [note.pitch for note in music.notes]
    assert found[lost].start == pytest.approx(notes[lost].start, abs=0.05)


@pytest.mark.parametrize("lost", [0, 3, 7])
def test_a_note_that_was_left_out_is_not_found(lost: int) -> None:
    music = tune(STEPS, tempo=80)
    notes = play(music)
    played = [*notes[:lost], *notes[lost + 1 :]]
    recording, evidence = heard(played)
    assert len(look_again(recording, music, align(music, played), evidence)) == len(played)


@pytest.mark.parametrize("is_played", [True, False])
def test_a_neighbour_that_is_heard_instead_of_a_note_does_not_make_it_wrong(is_played: bool) -> None:
    music = tune(STEPS, tempo=80)
    notes = play(music)
    wrong = [*notes[:3], notes[3]._replace(pitch=notes[2].pitch), *notes[4:]]
    recording, evidence = heard(notes if is_played else wrong)
    found = look_again(recording, music, align(music, wrong), evidence)
    assert round(found[3].pitch) == round((notes if is_played else wrong)[3].pitch)


def test_a_very_short_part_of_a_note_is_no_note() -> None:
    music = tune(STEPS, tempo=80)
    notes = play(music)
    parts = [notes[2]._replace(end=notes[2].start + 0.06), notes[2]._replace(start=notes[2].start + 0.1)]
    _, evidence = heard([*notes[:2], *parts, *notes[3:]])
    joined = join_splits(music, align(music, [*notes[:2], *parts, *notes[3:]]), evidence)
    assert [round(note.pitch) for note in joined] == [note.pitch for note in music.notes]


def test_a_step_on_the_way_to_the_next_note_belongs_to_it() -> None:
    notes = play(tune(STEPS, tempo=80))
    step = notes[0]._replace(start=notes[1].start - 0.1, end=notes[1].start, pitch=62.0)
    taken = [notes[0]._replace(end=step.start), step, *notes[1:]]
    _, evidence = heard(taken)
    placed = [note is not step for note in taken]
    kept = remove_ghosts(taken, placed, evidence, 59, 67)
    assert [round(note.pitch) for note in kept] == [round(note.pitch) for note in notes]
    assert kept[1].start == pytest.approx(step.start)


def glided(begin: float, seconds: float = 0.6) -> Recording:
    """Return a C4 that begins so many semitones off and slides into tune, after a rest."""
    times = np.arange(round(seconds * RATE)) / RATE
    pitch = 60 + begin * np.exp(-times / 0.12)
    phase = 2 * np.pi * np.cumsum(440 * 2 ** ((pitch - 69) / 12)) / RATE
    tone = sum(np.sin(number * phase) / number for number in range(1, 7))
    rest = np.zeros(round(0.2 * RATE))
    return recorded(np.concatenate([rest, 0.15 * tone * np.minimum(1, times / 0.02), rest]))


@pytest.mark.parametrize("begin", [-1.2, 0.0])
def test_a_note_that_slides_into_tune_is_in_tune(begin: float) -> None:
    found = with_own_pitches(glided(begin), [PlayedNote(0.2, 0.8, 60.0 + begin / 3, 1.0)], {0: 60.0})
    assert 100 * (found[0].pitch - 60) == pytest.approx(0, abs=15)


def test_a_held_note_that_is_flat_stays_flat() -> None:
    note = PlayedNote(0.5, 1.3, 59.6, 1.0)
    found = with_own_pitches(recorded(tones([note])), [note], {0: 60.0})
    assert 100 * (found[0].pitch - 60) == pytest.approx(-40, abs=6)


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_a_note_is_too_short_only_if_it_stops_sounding(share: float) -> None:
    music = tune("C4:h E4:h G4:h C4:h E4:h C4:h", tempo=80)
    notes = play(music)
    length = notes[2].end - notes[2].start
    played = [*notes[:2], notes[2]._replace(end=notes[2].start + share * length), *notes[3:]]
    recording, evidence = heard(played)
    lost = [*notes[:2], notes[2]._replace(end=notes[2].start + 0.3 * length), *notes[3:]]
    found = with_faded_ends(recording, music, align(music, lost), evidence)
    assert found[2].end - found[2].start == pytest.approx(share * length, abs=0.25 * length)


def test_soft_repeats_do_not_move_the_times_at_which_other_notes_are_due() -> None:
    music = tune("C4:q E4:q G4:q G4:q G4:q G4:q E4:q C4:q D4:q E4:q", tempo=80)
    notes = play(music)
    held = [note._replace(end=after.start) for note, after in pairwise(notes)] + notes[-1:]
    late = [note._replace(start=note.start + 0.17) if 2 < index < 6 else note for index, note in enumerate(held)]
    late = [note._replace(end=after.start) for note, after in pairwise(late)] + late[-1:]
    whole = [*held[:2], held[2]._replace(end=held[5].end), *held[6:]]
    _, evidence = heard(whole)
    found = settle_starts(music, align(music, late), evidence)
    assert [note.start for note in found] == pytest.approx([note.start for note in held], abs=0.05)


@pytest.mark.parametrize("seed", [1, 2])
def test_speech_is_not_judged(seed: int) -> None:
    require_models()
    found = compared(spoken(8, np.random.default_rng(seed)))
    assert (found["comparison"]["overall"], found["error_count"], found["restarts"]) == (0.0, 0, [])
    assert "speech" in found["remarks"][0]
    assert found["confidence"] <= 0.1


def test_two_players_are_not_judged_as_one() -> None:
    require_models()
    notes = play(tune(STEPS, tempo=100))
    other = play(tune("A4:q F#5:q Bb4:e Eb5:q C#5:q G#4:e A4:q F#5:q Bb4:q Eb5:q", tempo=110))
    sound = np.zeros(10 * RATE)
    for part in (tones(notes), tones(other)):
        sound[: len(part)] += part[: len(sound)]
    found = compared(sound)
    assert found["error_count"] == 0
    assert "Several notes" in found["remarks"][0] and found["confidence"] <= 0.1


def test_a_player_with_many_mistakes_is_judged() -> None:
    notes = play(tune(STEPS, tempo=100))
    wrong = [note._replace(pitch=note.pitch + 1) if index in (1, 4, 6) else note for index, note in enumerate(notes)]
    found = compared(tones(wrong))
    assert found["error_types"] == {"wrong_note": 3}
