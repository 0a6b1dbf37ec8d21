"""Takes as a teacher hears them: strings that ring, noises in a pause, more bars than asked for, a wrong mode."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from consort_audio.analysis.pitch.notes import find
from consort_audio.comparison.align.alignment import align
from consort_audio.comparison.asked_bars import align_asked_bars
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import MIDI_TAKE
from consort_audio.comparison.outcome import outcome
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.audio_take import listen_and_align
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, recording_from_samples
from evaluation.sounds.voices import SingingStyle, SungNote, sung
from tests.support.listening_models import hide_models, require_models
from tests.support.played_takes import kinds, play, scale, tones, tune

REPEATED = "C4:q C4:q G4:q G4:q A4:q A4:q G4:h F4:q F4:q E4:q E4:q D4:q D4:q C4:h"


def heard(music: ExpectedMusic, sound: np.ndarray) -> JudgedTake:
    take = listen_and_align(recording_from_samples(sound.astype(np.float32), RATE), music)
    return judge(music, take.alignment, take.judgement)


def ringing(notes: Sequence[PlayedNote], soft: Sequence[int] = (), decay_db_s: float = 16) -> np.ndarray:
    """Return the sound of strings whose high partials fade faster, each until another one is struck."""
    sound = np.zeros(round((notes[-1].end + 1) * RATE))
    for index, note in enumerate(notes):
        until = notes[index + 1].start if index + 1 < len(notes) else note.end
        times = np.arange(round((until - note.start + 0.15) * RATE)) / RATE
        damped = 10 ** (-200 * np.maximum(times - (until - note.start), 0) / 20) * np.minimum(1, times / 0.003)
        hertz = 440 * 2 ** ((note.pitch - 69) / 12)
        falls = {number: decay_db_s * (0.7 + 0.3 * number) for number in range(1, 9)}
        tone = sum(
            np.sin(2 * np.pi * hertz * number * times) / number * 10 ** (-fall * times / 20)
            for number, fall in falls.items()
        )
        begin = round(note.start * RATE)
        sound[begin : begin + len(times)] += (0.4 if index in soft else 1.0) * tone * damped
    return 0.2 * sound


def test_a_repeated_note_that_was_left_out_is_missing_though_the_string_rings() -> None:
    music = tune(REPEATED, tempo=80)
    notes = play(music)
    notes[10] = notes[10]._replace(start=notes[10].start + 0.26)
    gone = notes.pop(8)
    take = heard(music, ringing(notes))
    assert [(fault.kind, fault.expected) for fault in take.faults] == [("missing_note", "F4"), ("late", "E4")]
    assert take.faults[0].time == pytest.approx(gone.start, abs=0.1)


def test_a_repeated_note_that_was_played_softly_is_not_missing() -> None:
    music = tune(REPEATED, tempo=80)
    assert kinds(heard(music, ringing(play(music), soft=(1, 5, 8, 12)))) == []


def test_a_low_noise_in_a_pause_is_no_note() -> None:
    music = scale("C major", pattern="up_down", tempo=90)
    notes = play(music)
    pause = notes[5].end
    later = pause + 2 - notes[3].start
    again = [note._replace(start=note.start + later, end=note.end + later) for note in notes[3:]]
    hum = [PlayedNote(pause + 0.6, pause + 1.3, 23.0, 1.0)]
    take = heard(music, tones(notes[:6] + hum + again))
    assert kinds(take) == []
    assert [each.first for each in take.alignment.passes] == [0, 3]


@pytest.mark.parametrize("is_audio", [False, True])
def test_bars_that_were_not_asked_for_are_left_out(is_audio: bool) -> None:
    whole = tune(REPEATED + " G4:q E4:q D4:q B3:q C4:q A4:q B4:q C5:q", tempo=100)
    asked = [note for note in whole.notes if note.bar in (3, 4)]
    first = asked[0].start
    music = replace(
        whole,
        notes=tuple(note._replace(start=note.start - first, end=note.end - first) for note in asked),
        whole=whole,
    )
    notes = play(whole)
    wrong = next(index for index, note in enumerate(whole.notes) if note.bar == 4)
    notes[wrong] = notes[wrong]._replace(pitch=notes[wrong].pitch + 1)
    notes[0] = notes[0]._replace(pitch=notes[0].pitch + 1)
    if is_audio:
        take = heard(music, tones(notes))
    else:
        take = judge(music, align_asked_bars(music, lambda each: align(each, notes)), MIDI_TAKE)
    assert kinds(take) == ["wrong_note"]
    remarks = outcome(take, "test", is_audio)["remarks"]
    assert [remark for remark in remarks if "bars 3 to 4" in remark and str(len(notes) - len(asked)) in remark]


def test_bars_that_resemble_the_asked_ones_are_not_judged_as_a_first_try() -> None:
    whole = tune("G4:q G4:e A4:e B4:q G4:q C5:qd B4:e A4:h F#4:q G4:e A4:e B4:q D5:q C5:q B4:q G4:h", tempo=90)
    asked = [note for note in whole.notes if note.bar in (3, 4)]
    first = asked[0].start
    notes = tuple(note._replace(start=note.start - first, end=note.end - first) for note in asked)
    music = replace(whole, notes=notes, whole=whole)
    played = play(whole, stretch=1.3)
    take = judge(music, align_asked_bars(music, lambda each: align(each, played)), MIDI_TAKE)
    assert kinds(take) == []
    assert len(take.alignment.passes) == 1
    again = play(music) + [note._replace(start=note.start + 9, end=note.end + 9) for note in play(music)]
    take = judge(music, align_asked_bars(music, lambda each: align(each, again)), MIDI_TAKE)
    assert kinds(take) == [] and len(take.alignment.passes) == 2, "the asked bars played twice are a repetition"


def test_wrong_notes_in_a_scale_are_not_another_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hide_models(monkeypatch, tmp_path)
    music = scale("D major")
    names = {note.name: note.pitch for note in music.notes}
    notes = [
        note._replace(pitch=note.pitch - 1) if note.pitch in (names["F#4"], names["C#5"]) else note
        for note in play(music)
    ]
    take = heard(music, tones(notes))
    assert [(fault.kind, fault.expected) for fault in take.faults] == [("wrong_note", "F#4"), ("wrong_note", "C#5")]


def test_a_struck_string_is_not_taken_for_one_that_rings() -> None:
    music = tune("E3:q G3:q B3:q E4:q B3:q G3:q E3:q B3:q G3:q E3:h", tempo=150)
    sound = np.zeros(10 * RATE)
    for note in play(music):
        string = ringing([note._replace(end=note.start + 3)], decay_db_s=12)[: len(sound)]
        sound[: len(string)] += string
    assert not {"wrong_note", "wrong_octave"} & set(kinds(heard(music, sound)))


def test_a_string_that_rings_through_a_rest_is_not_too_long() -> None:
    music = tune("C4:q D4:q E4:q R:h F4:q E4:q R:h D4:q C4:h", tempo=100)
    assert kinds(heard(music, ringing(play(music), decay_db_s=20))) == []


def test_long_notes_that_no_breath_lasts_for_are_not_too_short() -> None:
    music = tune("C4:q D4:q E4:q F4:w G4:q F4:q E4:q D4:w C4:q D4:q E4:q C4:h", tempo=80)
    notes = play(music)
    short = [note._replace(end=note.start + 0.3 * (note.end - note.start)) for note in notes]
    each_long = [
        new if music.notes[k].end - music.notes[k].start > 2 else old
        for k, (old, new) in enumerate(zip(notes, short, strict=True))
    ]
    assert kinds(heard(music, tones(each_long))) == []
    one_long = [*notes[:3], short[3], *notes[4:]]
    assert kinds(heard(music, tones(one_long))) == ["too_short"]


def test_few_notes_are_not_believed() -> None:
    music = scale("C major", pattern="up_down")
    whole = outcome(heard(music, tones(play(music))), "test", is_audio=True)
    one = outcome(heard(music, tones(play(music)[:1])), "test", is_audio=True)
    assert one["confidence"] < 0.3 < 0.9 < whole["confidence"]
    assert one["remarks"][0].startswith("Only bar 1 was played")


def test_a_pitch_that_always_fades_early_is_not_too_short() -> None:
    music = tune("C4:h G4:h C4:h G4:h C4:h D4:h G4:h C4:h", tempo=100)
    notes = play(music)
    fading = [note._replace(end=note.start + 0.35) if round(note.pitch) == 67 else note for note in notes]
    assert kinds(heard(music, tones(fading))) == []
    clipped = [note._replace(end=note.start + 0.35) if place == 3 else note for place, note in enumerate(notes)]
    assert kinds(heard(music, tones(clipped))) == ["too_short"]


def test_a_take_that_sounds_like_speech_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "music_trust", lambda *_: 0.2)
    music = scale("C major")
    assert kinds(heard(music, tones(play(music)))) == []


def test_a_singer_who_slides_into_notes_sings_no_others() -> None:
    require_models()
    music = tune("E4:q B4:h E4:q C5:h F4:q C5:h E4:q B4:h E4:h", tempo=100)
    notes = play(music)
    slurred = [SungNote(note.start, after.start, note.pitch) for note, after in pairwise(notes)]
    slurred.append(SungNote(notes[-1].start, notes[-1].end, notes[-1].pitch))
    sound = sung(slurred, np.random.default_rng(4), SingingStyle(vibrato=0.0, slide_s=0.06, wander=0.02))
    assert kinds(heard(music, sound)) == []
