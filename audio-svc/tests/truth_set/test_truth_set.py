"""The truth set tells the truth: what is heard is where and what the truth says, and the list does not change."""

import hashlib
import json
import random
from collections import Counter

import numpy as np
import pytest

from consort_audio.signals.recording import Mono
from evaluation.sounds import SPLITS, TASKS, TrueNote, items
from evaluation.sounds.conditions import COUNTS, FAULTS
from evaluation.sounds.degrading import in_room, with_noise
from evaluation.sounds.partials import TIMBRES, play_partials
from evaluation.sounds.pieces import KINDS, piece_names
from evaluation.sounds.playing import RATE, SoundingNote, play
from evaluation.sounds.practice import PATTERNS, make_take
from evaluation.sounds.tempo_clock import TempoClock

MARIMBA, FLUTE, ORGAN = 12, 73, 19
LIST_SHA256 = "f45af34bf693eea53696ab316897a595224c7953fe873e5f77d84640e1fbc392"


def test_the_list_of_pieces_is_the_one_that_was_committed_before_tuning() -> None:
    listed = {split: {kind: piece_names(split, kind) for kind in KINDS} for split in SPLITS}
    assert hashlib.sha256(json.dumps(listed).encode()).hexdigest() == LIST_SHA256


def test_no_piece_is_in_both_parts() -> None:
    for kind in KINDS:
        assert not set(piece_names("tune", kind)) & set(piece_names("test", kind))


def test_every_task_has_items_in_both_parts() -> None:
    assert set(COUNTS) == set(TASKS)
    assert sum(len(items("practice", split)) for split in SPLITS) == 300


def test_an_item_is_the_same_each_time_and_differs_from_the_next() -> None:
    first, again, other = items("chords", "tune")[0], items("chords", "tune")[0], items("chords", "tune")[1]
    assert first.plan() == again.plan() != other.plan()


@pytest.fixture(scope="module")
def marimba() -> Mono:
    return play([SoundingNote(time, time + 0.3, 72, 100, MARIMBA) for time in (0.5, 1.0, 1.737, 2.2)])


def test_a_note_is_heard_at_its_true_onset(marimba: Mono) -> None:
    assert _attacks(marimba) == pytest.approx([0.5, 1.0, 1.737, 2.2], abs=0.006)


def test_a_room_and_noise_do_not_move_the_onsets(marimba: Mono) -> None:
    numbers = np.random.default_rng(1)
    worse = with_noise(in_room(marimba, 0.3, numbers), 40, numbers)
    assert _attacks(worse) == pytest.approx([0.5, 1.0, 1.737, 2.2], abs=0.006)


def test_noise_has_the_stated_ratio(marimba: Mono) -> None:
    noise = with_noise(marimba, 20, np.random.default_rng(1)) - marimba
    assert 10 * np.log10(np.mean(marimba**2) / np.mean(noise**2)) == pytest.approx(20, abs=0.1)


@pytest.mark.parametrize(("program", "pitch"), [(ORGAN, 57.0), (ORGAN, 69.37), (FLUTE, 74.8), (FLUTE, 81.0)])
def test_a_note_has_its_true_pitch(program: int, pitch: float) -> None:
    sound = play([SoundingNote(0.1, 1.9, pitch, 90, program)], in_tune=True)
    assert _pitch(sound[RATE // 2 : 3 * RATE // 2]) == pytest.approx(pitch, abs=0.02)


@pytest.mark.parametrize("timbre", sorted(TIMBRES))
def test_a_sum_of_partials_has_its_true_pitch_to_the_cent(timbre: str) -> None:
    sound = play_partials([SoundingNote(0.1, 1.9, 64.2, 90, 0)], timbre)
    assert _pitch(sound[RATE // 5 : 3 * RATE // 2]) == pytest.approx(64.2, abs=0.01)


def test_vibrato_swings_around_the_true_pitch() -> None:
    sound = play([SoundingNote(0.1, 2.4, 69, 90, ORGAN, has_vibrato=True)], in_tune=True)
    heard = [_pitch(sound[start : start + 1024]) for start in range(RATE // 2, 2 * RATE, 512)]
    assert np.mean(heard) == pytest.approx(69, abs=0.03)
    assert 0.2 < np.max(heard) - 69 < 0.4


def test_neighbouring_notes_do_not_bend_each_other() -> None:
    sound = play([SoundingNote(0.1, 1.0, 69, 90, ORGAN), SoundingNote(0.5, 1.6, 76.4, 90, FLUTE)], in_tune=True)
    assert _pitch(sound[int(0.15 * RATE) : int(0.45 * RATE)]) == pytest.approx(69, abs=0.03)
    assert _pitch(sound[int(1.25 * RATE) : int(1.55 * RATE)]) == pytest.approx(76.4, abs=0.15)


def test_the_clock_follows_a_change_of_tempo_and_pauses() -> None:
    clock = TempoClock(120, 1, 0, 16, change=(8, 1.25), pauses=[(12, 0.5)], lead_s=1)
    assert clock.seconds(8) == pytest.approx(1 + 4)
    assert clock.seconds(12, before_pause=True) == pytest.approx(1 + 4 + 4 * 0.4)
    assert clock.seconds(12) == pytest.approx(1 + 4 + 4 * 0.4 + 0.5)
    assert clock.seconds(16) == pytest.approx(1 + 4 + 8 * 0.4 + 0.5)


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("number", range(5))
def test_a_take_has_exactly_the_faults_that_its_truth_lists(kind: str, number: int) -> None:
    """Undo the listed fault: what remains is the reference at the tempo of the take."""
    reference = [TrueNote(0.8 * k, 0.8 * k + 0.7, 60 + tone) for k, tone in enumerate(PATTERNS["thirds"])]
    take = make_take(random.Random(number), reference, 1.25, 0.5, [kind], "flute")
    right = [(0.5 + note.start / 1.25, 0.5 + note.end / 1.25, note.pitch) for note in reference]
    (fault,) = take.faults
    heard = [note[:3] for note in take.notes]
    wrong = [note for note in heard if not any(note == pytest.approx(other) for other in right)]
    lost = [note for note in right if not any(note == pytest.approx(other) for other in heard)]
    if kind == "restart":
        before = [note for note in heard if note[0] < fault.time]
        assert np.allclose(before, right[: len(before)])
        pitches = [note[2] for note in heard]
        repeated = len(heard) - len(right)
        assert 1 <= repeated <= 4
        assert pitches == [note[2] for note in right[: len(before)] + right[len(before) - repeated :]]
    elif kind == "missing":
        assert not wrong
        assert [note[0] for note in lost] == pytest.approx([fault.time])
    elif kind == "extra":
        assert len(heard) == len(right) + 1
        assert Counter(note[2] for note in heard) - Counter(note[2] for note in right) == Counter([fault.played])
    else:
        assert len(heard) == len(right)
        changed = next(note for note in wrong if note[0] == pytest.approx(fault.time))
        assert changed[2] == fault.played
        assert (fault.kind in ("late", "early")) == (changed[0] not in [pytest.approx(note[0]) for note in right])


def _attacks(sound: Mono) -> list[float]:
    """Return when the level rises by 20 dB within 20 ms."""
    step = RATE // 1000
    level = np.sqrt(np.mean(sound[: len(sound) // step * step].reshape(-1, step) ** 2, axis=1)) + 1e-4
    found: list[float] = []
    for place in range(20, len(level)):
        if (
            level[place] > 4 * level[place - 8]
            and level[place] > 0.02 * level.max()
            and (not found or place / 1000 - found[-1] > 0.1)
        ):
            found.append(place / 1000)
    return found


def _pitch(sound: Mono) -> float:
    """Return the MIDI number of the strongest repetition, found by autocorrelation with parabolic refinement."""
    size = 1 << (2 * len(sound)).bit_length()
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound)), size)) ** 2
    overlap = np.fft.irfft(np.abs(np.fft.rfft(np.hanning(len(sound)), size)) ** 2)[: len(sound) // 2]
    same = np.fft.irfft(spectrum)[: len(sound) // 2] / overlap
    shortest = RATE // 1500
    peaks = [
        lag
        for lag in range(shortest, min(len(same) - 1, RATE // 100))
        if same[lag - 1] < same[lag] >= same[lag + 1] and same[lag] > 0.9 * same[0]
    ]
    lag = peaks[0]
    before, here, after = same[lag - 1 : lag + 2]
    refined = lag + 0.5 * (before - after) / (before - 2 * here + after)
    return float(69 + 12 * np.log2(RATE / refined / 440))
