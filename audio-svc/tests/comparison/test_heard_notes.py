"""How single notes of a take are heard: soft starts, decay and damping, split notes, chords that are not exact."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.faults.judging import judge
from consort_audio.comparison.outcome import outcome
from consort_audio.comparison.take.audio_take import listen_and_align
from consort_audio.comparison.take.one_voice.doubtful_notes.split_notes import join_splits
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.comparison.take.one_voice.hearing import hear_one_voice
from consort_audio.comparison.take.one_voice.starts.own_partials import with_own_starts
from consort_audio.comparison.take.one_voice.starts.soft_starts import settle_starts
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording, recording_from_samples
from tests.support.played_takes import judged, kinds, play, tones, tune

STEPS = "C4:q E4:q G4:q E4:q F4:q D4:q B3:q C4:q"


def recorded(sound: np.ndarray) -> Recording:
    return recording_from_samples(sound.astype(np.float32), RATE)


def tone(pitch: float, envelope: np.ndarray) -> np.ndarray:
    """Return six partials with this envelope."""
    hertz = 440 * 2 ** ((pitch - 69) / 12)
    times = np.arange(len(envelope)) / RATE
    partials = (np.sin(2 * np.pi * hertz * number * times) / number for number in range(1, 7))
    return np.asarray(0.15 * envelope * sum(partials))


def mixed(parts: Sequence[tuple[float, np.ndarray]]) -> np.ndarray:
    sound = np.zeros(round((max(start for start, _ in parts) + 4) * RATE))
    for start, part in parts:
        begin = round(start * RATE)
        sound[begin : begin + len(part)] += part
    return sound


def strings(notes: Sequence[PlayedNote], decay_db_s: float) -> np.ndarray:
    """Return the sound of strings that fade by themselves until they are damped at their end."""
    parts = []
    for note in notes:
        times = np.arange(round((note.end - note.start + 0.2) * RATE)) / RATE
        fade = 10 ** (-decay_db_s * times / 20)
        damped = np.minimum(1, 10 ** (-150 * (times - (note.end - note.start)) / 20))
        parts.append((note.start, tone(note.pitch, fade * damped * np.minimum(1, times / 0.004))))
    return mixed(parts)


def test_a_string_ends_where_it_is_damped_and_not_where_it_fades() -> None:
    music = tune(STEPS, tempo=60)
    notes = play(music)
    notes[3] = notes[3]._replace(end=notes[3].start + 0.3)
    recording = recorded(strings(notes, decay_db_s=30))
    evidence = TakeEvidence(recording, notes)
    heard = [note._replace(end=after.start - 0.02) for note, after in pairwise(notes)]
    for index, note in enumerate(heard):
        assert evidence.sound_end(note) == pytest.approx(notes[index].end, abs=0.06)


def soft_sound(notes: Sequence[PlayedNote], fall_db_s: float) -> Recording:
    """Return notes that swell for 0.15 s, and die away from their end on."""
    parts = []
    for note in notes:
        times = np.arange(round((note.end - note.start + 0.35) * RATE)) / RATE
        over = np.maximum(times - (note.end - note.start), 0)
        level = np.minimum(1, times / 0.15) * 10 ** (-fall_db_s * over / 20)
        parts.append((note.start, tone(note.pitch, level)))
    return recorded(mixed(parts))


def test_a_soft_note_starts_where_its_own_partials_rise() -> None:
    music = tune(STEPS, tempo=100)
    notes = play(music)
    late = [note._replace(start=note.start + 0.16) if index in (2, 4) else note for index, note in enumerate(notes)]
    found = with_own_starts(soft_sound(notes, 40), late, music)
    assert [note.start for note in found] == pytest.approx([note.start for note in notes], abs=0.05)


def test_a_last_part_of_the_note_before_does_not_hide_a_start() -> None:
    """The note before was heard in two parts, the second of which sounds while this note already swells."""
    music = tune(STEPS, tempo=100)
    notes = play(music)
    heard = list(notes)
    heard[2] = notes[2]._replace(start=notes[2].start + 0.12)
    heard[1] = notes[1]._replace(end=notes[2].start + 0.02)
    heard.insert(2, notes[1]._replace(start=notes[2].start + 0.02, end=heard[2].start))
    found = with_own_starts(soft_sound(notes, 40), heard, music)
    assert [note.start for note in found] == pytest.approx([note.start for note in notes], abs=0.06)
    assert [note.pitch for note in found] == [note.pitch for note in notes]


def test_the_starts_of_notes_that_swell_are_judged_less_strictly() -> None:
    music = tune(STEPS, tempo=100)
    notes = play(music)
    _, swelling = hear_one_voice(soft_sound(notes, 40), music)
    _, firm = hear_one_voice(recorded(tones(notes)), music)
    assert (swelling.least_tolerance_s, firm.least_tolerance_s) == (0.12, 0.09)


def test_parts_of_one_note_are_joined_and_a_repeated_one_is_not() -> None:
    music = tune("C4:h E4:h G4:h C4:h E4:h C4:h", tempo=100)
    held = play(music)
    middle = held[2].start + 0.5
    split = [*held[:2], held[2]._replace(end=middle), held[2]._replace(start=middle), *held[3:]]
    evidence = TakeEvidence(recorded(tones(held)), held)
    assert len(join_splits(music, align(music, split), evidence)) == len(held)
    twice = [*held[:2], held[2]._replace(end=middle - 0.05), held[2]._replace(start=middle), *held[3:]]
    evidence = TakeEvidence(recorded(tones(twice)), held)
    assert len(join_splits(music, align(music, twice), evidence)) == len(twice)


def test_a_long_note_that_fades_is_not_short_and_one_that_is_damped_is() -> None:
    music = tune("C4:q D4:q E4:h F4:q G4:q A4:h G4:q F4:q E4:h C4:q D4:q C4:h", tempo=70)
    notes = play(music)
    for damped, expected in ((None, []), (3, ["too_short"])):
        if damped is not None:
            notes[damped] = notes[damped]._replace(end=notes[damped].start + 0.15)
        sound = strings(notes, decay_db_s=60)
        noise = 0.0005 * np.random.default_rng(1).standard_normal(len(sound))
        take = listen_and_align(recorded(sound + noise), music)
        assert kinds(judge(music, take.alignment, take.judgement)) == expected


@pytest.mark.parametrize("has_gap", [False, True])
def test_a_soft_repeat_is_early_only_if_the_sound_shows_it(has_gap: bool) -> None:
    music = tune("C4:q D4:q E4:q E4:q F4:q G4:q A4:q G4:q", tempo=60)
    notes = [note._replace(end=note.start + 1.0) for note in play(music)]
    early = notes[3].start - 0.25
    heard = [*notes[:2], notes[2]._replace(end=early), notes[3]._replace(start=early), *notes[4:]]
    level = np.ones(RATE * 10)
    if has_gap:
        level[round((early - 0.04) * RATE) : round(early * RATE)] = 0.02
    whole = mixed([(note.start, tone(note.pitch, np.ones(RATE))) for note in notes])
    evidence = TakeEvidence(recorded(whole * np.resize(level, len(whole))), notes)
    settled = settle_starts(music, align(music, heard), evidence)
    assert settled[3].start == pytest.approx(early if has_gap else notes[3].start, abs=0.03)
    assert settled[2].end == pytest.approx(settled[3].start, abs=0.01)


@pytest.mark.parametrize("is_late", [False, True])
def test_a_soft_note_after_another_pitch_is_late_only_if_the_sound_rises_later(is_late: bool) -> None:
    music = tune(STEPS, tempo=60)
    notes = [note._replace(end=note.start + 1.0) for note in play(music)]
    late = notes[3].start + 0.12
    heard = [*notes[:2], notes[2]._replace(end=late), notes[3]._replace(start=late), *notes[4:]]
    played = heard if is_late else notes
    sound = mixed([(note.start, tone(note.pitch, np.ones(round((note.end - note.start) * RATE)))) for note in played])
    settled = settle_starts(music, align(music, heard), TakeEvidence(recorded(sound), notes))
    assert settled[3].start == pytest.approx(late if is_late else notes[3].start, abs=0.03)
    assert settled[2].end == pytest.approx(settled[3].start, abs=0.01)


def test_a_joined_note_begins_with_the_part_that_is_nearer_to_its_time() -> None:
    music = tune(STEPS, tempo=60)
    notes = [note._replace(end=note.start + 1.0) for note in play(music)]
    sound = mixed([(note.start, tone(note.pitch, np.ones(RATE))) for note in notes])
    head = notes[3]._replace(start=notes[3].start - 0.1, end=notes[3].start)
    heard = [*notes[:2], notes[2]._replace(end=head.start), head, *notes[3:]]
    joined = join_splits(music, align(music, heard), TakeEvidence(recorded(sound), notes))
    assert [note.start for note in joined] == pytest.approx([note.start for note in notes])


def test_written_chords_need_not_be_exact() -> None:
    """A reference may be a recorded performance, in which the notes of a chord are some milliseconds apart."""
    rng = random.Random(3)
    chords = tune(" ".join(["C4+E4+G4:q", "F4+A4+C5:q", "G4+B4+D5:q", "C4+E4+G4:q"] * 3), tempo=90)
    assert chords.is_polyphonic
    moved = sorted(note._replace(start=note.start + rng.uniform(0, 0.012)) for note in chords.notes)
    music = replace(chords, notes=tuple(moved))
    assert kinds(judged(music, sorted(play(chords, stretch=1.2, jitter_s=0.008)))) == []


def test_the_confidence_falls_with_faults_and_doubtful_notes() -> None:
    music = tune(STEPS)
    clear = play(music)
    doubtful = [note._replace(confidence=0.6) for note in clear]
    wrong = [note._replace(pitch=note.pitch + 1) if index in (2, 5) else note for index, note in enumerate(clear)]
    found = [
        outcome(judged(music, notes, is_audio=True), "", is_audio=True)["confidence"]
        for notes in (clear, wrong, doubtful)
    ]
    assert found[0] > found[1] > found[2]
