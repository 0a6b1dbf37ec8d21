"""transcribe_audio: the MIDI file has the notes that sound, on the right beats, read by mido."""

import base64
import io
import json
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import mido
import numpy as np
import pytest

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.tempo.track import BeatTrack
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording
from consort_audio.transcription.answer import answer
from consort_audio.transcription.midi_file import first_notes
from consort_audio.transcription.note_grid import given_grid, heard_grid, put_on_grid, step_for_one_voice
from consort_audio.transcription.polyphonic import polyphonic_notes
from tests.support.listening_models import require_models
from tests.support.played_tones import Tone, melody, recording_of

SCALE = [60, 62, 64, 65, 67, 69, 71, 72]


def transcribe(recording: Recording, **options: Any) -> dict[str, Any]:
    task = ListeningTask("transcribe_audio", options, [Path("take.wav")], lambda _: recording, lambda _: None)
    found = answer(task)
    json.dumps(found, allow_nan=False)
    return found


def midi_notes(found: dict[str, Any]) -> list[tuple[float, int]]:
    """Return the beat and the pitch of every note in the file."""
    file = mido.MidiFile(file=io.BytesIO(zlib.decompress(base64.b64decode(found["midi"]))))
    notes = []
    for track in file.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "note_on" and message.velocity:
                notes.append((tick / file.ticks_per_beat, message.note))
    return sorted(notes)


def test_a_hummed_melody_becomes_even_notes() -> None:
    late = [0.02, -0.02, 0.015, 0, -0.015, 0.01, -0.02, 0.02]
    tones = [
        tone._replace(start=tone.start + off, pitch=tone.pitch + 0.3, vibrato_cents=20)
        for tone, off in zip(melody(SCALE, 0.5), late, strict=True)
    ]
    found = transcribe(recording_of(tones, 4.6), instrument="voice", quantize="1/8", bpm=120)
    assert midi_notes(found) == [(float(beat), pitch) for beat, pitch in enumerate(SCALE)]
    assert found["first_notes"] == "C4 D4 E4 F4 | G4 A4 B4 C5"
    assert found["tuning_cents"] == pytest.approx(30, abs=4)
    assert found["heard_as"] == "voice"


def test_a_range_of_time() -> None:
    found = transcribe(recording_of(melody(SCALE, 0.5), 4.6), instrument="mono", start_time=1, end_time=3)
    assert [pitch for _, pitch in midi_notes(found)] == [64, 65, 67, 69]


def test_nothing_is_written_for_noise() -> None:
    noise = Recording((0.1 * np.random.default_rng(5).standard_normal(3 * RATE)).astype(np.float32))
    found = transcribe(noise)
    assert found["note_count"] == 0
    assert "midi" not in found
    assert "No notes" in found["warnings"][0]


def test_chords_of_a_plucked_instrument() -> None:
    require_models()
    chords = [(60, 64, 67), (57, 60, 64), (53, 57, 60), (55, 59, 62)]
    tones = [
        Tone(0.3 + 0.8 * place, 0.75, pitch, 0.12, attack_s=0.005, decay=3)
        for place, chord in enumerate(chords)
        for pitch in chord
    ]
    recording = recording_of(tones, 4)
    notes = polyphonic_notes(recording)
    assert notes is not None
    expected = {(place, pitch) for place, chord in enumerate(chords) for pitch in chord}
    heard = {(round((note.start - 0.3) / 0.8), round(note.pitch)) for note in notes}
    assert len(heard & expected) >= 11
    assert len(heard - expected) <= 3
    assert transcribe(recording)["heard_as"] == "any"


def test_high_quality_of_a_voice_is_answered_with_a_warning() -> None:
    recording = recording_of(melody(SCALE, 0.5), 4.6)
    high = transcribe(recording, instrument="voice", quality="high", bpm=120)
    assert [warning for warning in high["warnings"] if "quality high" in warning and "piano" in warning]
    assert midi_notes(high) == midi_notes(transcribe(recording, instrument="voice", bpm=120))
    assert transcribe(recording, instrument="voice", bpm=120)["warnings"] == []


def played(starts: list[float]) -> list[PlayedNote]:
    return [PlayedNote(start, start + 0.2, 60 + place, 0.9, 80) for place, start in enumerate(starts)]


def beat_track(beats: list[float], downbeats: list[float]) -> BeatTrack:
    return BeatTrack(
        beats, downbeats, beats_per_bar=4, bpm=110.0, confidence=0.9, metre_confidence=0.9, alternatives=[], method=""
    )


def test_a_steady_beat_has_one_tempo_and_a_changing_one_has_many() -> None:
    steady = [0.5 + 0.5 * beat for beat in range(16)]
    track = beat_track(steady, steady[1::4])
    grid = heard_grid(track, 0.5)
    assert grid.tempos == [(Fraction(0), Fraction(120))]
    placed = put_on_grid(played(steady), grid, None)
    assert [note.start % 4 for note in placed[:5]] == [3, 0, 1, 2, 3]  # the first note is a pick-up

    slowing = list(np.cumsum([0.5 * 1.04**beat for beat in range(16)]))
    track = beat_track(slowing, slowing[::4])
    grid = heard_grid(track, slowing[0])
    assert len(grid.tempos) == 15
    assert [note.start for note in put_on_grid(played(slowing), grid, Fraction(1, 2))] == list(range(16))


def test_a_note_just_before_a_bar_line_is_written_behind_it() -> None:
    starts = [0.5 + 0.5 * beat - 0.02 * (beat in (4, 8)) for beat in range(9)]
    grid = given_grid(120, played(starts), None)
    text = first_notes(put_on_grid(played(starts), grid, None), grid, None)
    assert [len(bar.split()) for bar in text.split("|")] == [4, 4, 1]


def test_a_given_tempo_finds_its_phase() -> None:
    starts = [0.37 + 0.3 * step for step in range(8)]
    grid = given_grid(100, played(starts), Fraction(1, 2))
    placed = put_on_grid(played(starts), grid, Fraction(1, 2))
    assert [note.start for note in placed] == [Fraction(step, 2) for step in range(8)]


def test_a_repeated_pitch_never_overlaps() -> None:
    notes = [PlayedNote(0.0, 1.2, 60, 0.9, 80), PlayedNote(1.0, 2.0, 60, 0.9, 80)]
    first, second = put_on_grid(notes, given_grid(60, notes, None), None)
    assert first.start + first.duration <= second.start


def test_quantized_notes_of_a_melody_never_fall_together() -> None:
    sixteenths = played([0.0, 0.5, 0.75, 1.0])
    grid = given_grid(60, sixteenths, Fraction(1, 2))
    assert step_for_one_voice(sixteenths, grid, Fraction(1, 2)) == Fraction(1, 4)
    eighths = played([0.0, 0.5, 1.0])
    assert step_for_one_voice(eighths, grid, Fraction(1, 2)) == Fraction(1, 2)
