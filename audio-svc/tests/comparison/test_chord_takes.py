"""Chords are heard with the reference in mind: from what the network says about each expected note."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest

from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import CHORDS_TAKE
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.several_voices.hearing import hear_several_voices
from consort_audio.neural.note_posteriors import FRAMES_PER_SECOND, LOWEST_PITCH, NotePosteriors
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, recording_from_samples
from tests.support.played_takes import judged, kinds, play, tones, tune

CHORDS = tune("C4+E4+G4:h F4+A4+C5:h G4+B4+D5:h C4+E4+G4:h A3+C4+E4:h F4+A4+C5:h", tempo=90)
FLOOR = 0.1
"""What the network says about pitches that do not sound."""


def posteriors_of(notes: Sequence[PlayedNote], begins: Mapping[PlayedNote, float]) -> NotePosteriors:
    """Return what the network says about notes: that they begin with a probability of 0.9, or that of `begins`."""
    count = round((max(note.end for note in notes) + 1) * FRAMES_PER_SECOND)
    onset, sounds = np.full((count, 88), FLOOR, np.float32), np.full((count, 88), FLOOR, np.float32)
    for note in notes:
        first, last = (round(time * FRAMES_PER_SECOND) for time in (note.start, note.end))
        column = round(note.pitch) - LOWEST_PITCH
        onset[first : first + 2, column] = begins.get(note, 0.9)
        sounds[first:last, column] = min(begins.get(note, 0.6), 0.6)
    return NotePosteriors(np.arange(count) / FRAMES_PER_SECOND, onset, sounds, np.zeros((count, 264), np.float32))


def heard(
    played: Sequence[PlayedNote],
    transcribed: Sequence[PlayedNote],
    begins: Mapping[PlayedNote, float] | None = None,
    music: ExpectedMusic = CHORDS,
) -> JudgedTake:
    """Judge a take whose notes are `played`, of which the transcription has written `transcribed`."""
    recording = recording_from_samples(tones(played), RATE)
    recording.feature("note posteriors", lambda _: posteriors_of(played, begins or {}))
    recording.feature("polyphonic notes", lambda _: sorted(transcribed))
    found = hear_several_voices(recording, music)
    assert found is not None
    return judge(music, align(music, found), CHORDS_TAKE)


def sure(notes: Iterable[PlayedNote], confidence: float = 0.99) -> list[PlayedNote]:
    return [note._replace(confidence=confidence) for note in notes]


def test_a_note_that_the_transcription_lost_is_not_missing() -> None:
    played = play(CHORDS)
    lost = played[7]
    take = heard(played, sure(note for note in played if note != lost), {lost: 0.55})
    assert kinds(take) == []


def test_a_note_that_was_left_out_is_missing() -> None:
    played = play(CHORDS)
    left_out = played.pop(7)
    take = heard(played, sure(played))
    assert [(fault.kind, fault.expected) for fault in take.faults] == [("missing_note", "B4")]
    assert take.faults[0].time == pytest.approx(left_out.start, abs=0.03)


OCTAVES = tune("C3+C4+E4+G4:h F3+F4+A4:h G3+G4+B4:h C3+C4+E4+G4:h", tempo=90)
BASS_OCTAVES = tune("C2+C3+E4+G4:h F2+F3+A4:h G1+G2+B4:h C2+C3+E4+G4:h", tempo=90)


@pytest.mark.parametrize(("music", "doubling"), [(OCTAVES, 5), (BASS_OCTAVES, 7)])
def test_a_note_that_is_hidden_by_its_octave_is_not_missing(music: ExpectedMusic, doubling: int) -> None:
    played = play(music)
    assert {abs(note.pitch - played[doubling].pitch) for note in played if note.start == played[doubling].start} & {12}
    played.pop(doubling)
    assert kinds(heard(played, sure(played), music=music)) == []


def test_another_note_in_place_of_a_hidden_one_is_wrong() -> None:
    played = play(OCTAVES)
    played[5] = played[5]._replace(pitch=played[5].pitch + 1)
    take = heard(played, sure(played), music=OCTAVES)
    assert [(fault.kind, fault.expected, fault.played) for fault in take.faults] == [("wrong_note", "F4", "F#4")]


def test_the_lower_note_of_an_octave_in_the_middle_is_heard_to_be_missing() -> None:
    played = play(OCTAVES)
    lower = played.pop(4)
    take = heard(played, sure(played), music=OCTAVES)
    assert lower.pitch == 53.0
    assert [(fault.kind, fault.expected) for fault in take.faults] == [("missing_note", "F3")]


def test_a_wrong_note_is_named() -> None:
    played = play(CHORDS)
    played[7] = played[7]._replace(pitch=played[7].pitch - 1)
    take = heard(played, sure(played))
    assert [(fault.kind, fault.expected, fault.played) for fault in take.faults] == [("wrong_note", "B4", "A#4")]


@pytest.mark.parametrize("semitones", [-12, 12, 19])
def test_an_octave_or_partial_of_a_played_note_is_not_extra(semitones: int) -> None:
    played = play(CHORDS)
    trace = played[6]._replace(pitch=played[6].pitch + semitones, confidence=0.85, end=played[6].start + 0.1)
    assert kinds(heard(played, [*sure(played), trace])) == []


def test_a_clear_note_that_nobody_expected_is_extra() -> None:
    played = play(CHORDS)
    extra = played[6]._replace(pitch=66.0, confidence=0.99)
    take = heard([*played, extra], [*sure(played), extra])
    assert [(fault.kind, fault.played) for fault in take.faults] == [("extra_note", "F#4")]


def test_strings_that_ring_after_the_end_are_no_second_time() -> None:
    played = play(CHORDS)
    end = max(note.end for note in played)
    take = heard(played, [*sure(played), PlayedNote(end + 0.6, end + 0.8, 60.0, 0.5)])
    assert kinds(take) == [] and len(take.alignment.passes) == 1


def test_noise_far_below_the_notes_is_not_extra() -> None:
    played = play(CHORDS)
    end = max(note.end for note in played)
    take = heard(played, [*sure(played), PlayedNote(end + 0.5, end + 0.7, 42.0, 0.99)])
    assert kinds(take) == []


def test_strummed_chords_are_right() -> None:
    strummed = [
        note._replace(start=note.start + 0.028 * (index % 3), end=note.end) for index, note in enumerate(play(CHORDS))
    ]
    assert kinds(judged(CHORDS, sorted(strummed))) == []
