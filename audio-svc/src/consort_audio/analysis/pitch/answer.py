"""Answer detect_pitch. The formulas of the scores are in `intonation`, that of the polyphony in `polyphony`."""

from typing import Any

import numpy as np

from consort_audio.analysis.key.find import key_of_notes
from consort_audio.analysis.known_bars import KnownBars
from consort_audio.analysis.pitch.intonation import (
    deviation,
    intonation_accuracy,
    out_of_tune,
    pitch_stability,
    semitone_of,
)
from consort_audio.analysis.pitch.notes.find import OneVoice, find_notes
from consort_audio.analysis.pitch.polyphony import SEVERAL_FROM, polyphony
from consort_audio.analysis.pitch.track.pitch_track import FRAME_S, to_hz
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_music.keys import Key
from consort_music.pitch import Pitch

MOST_NOTES = 40
MOST_PROBLEMS = 10
UNSURE = 0.6
CLEARLY_SEVERAL = 0.5
"""Without a melody, the polyphony from which music is suspected."""
REFERENCE = (
    "Good intonation: intonation_accuracy 0.85 or more, no note 20 cents or more off; pitch_stability 0.9 or more. "
    "Beginners often have 0.6. Deviations are relative to the recording's own tuning."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of detect_pitch."""
    voice = find_notes(recording)
    first, end = float(options.get("start_time", 0)), options.get("end_time")
    notes = [note for note in voice.notes if note.start >= first and (end is None or note.start < end)]
    several = polyphony(recording)
    steady = [voice.without_drift(note) for note in notes]
    key = key_of_notes(steady)
    bars = KnownBars(recording)
    problems = out_of_tune(steady, voice.tuning)
    shown = notes if options.get("include_notes") else notes[:MOST_NOTES]
    found: dict[str, Any] = {
        "notes": [_note(note, voice, key.key, bars) for note in shown],
        "note_count": len(notes),
        "confidence": _confidence(notes),
        "intonation_accuracy": _rounded(intonation_accuracy(steady, voice.tuning)),
        "pitch_stability": _rounded(pitch_stability(voice, notes)),
        "detected_key": key.key.name if key.key else None,
        "key_confidence": round(key.confidence, 2),
        "tuning_cents": round(100 * voice.tuning, 1) + 0.0 if notes else None,
        "a4_frequency": round(to_hz(69 + voice.tuning), 1) if notes else None,
        "tuning_drift_cents": float(round(100 * voice.line.drift)) if notes and voice.line.drift else None,
        **_range(steady, voice.tuning, key.key),
        "problems": [
            {
                "time": round(each.note.start, 3),
                "pitch": note_name(semitone_of(each.note, voice.tuning), key.key),
                "kind": "sharp" if each.cents > 0 else "flat",
                "cents": round(each.cents),
                "severity": each.severity,
                **bars.bar_and_beat(each.note.start),
            }
            for each in problems[:MOST_PROBLEMS]
        ],
        "problem_count": len(problems),
        "several_notes_at_once": _rounded(several),
        "method": voice.track.method,
        "reference": REFERENCE,
    }
    if options.get("include_contour"):
        found["contour"] = _contour(voice, first, end)
    if warnings := _warnings(notes, several, voice):
        found["warnings"] = warnings
    return found


def _note(note: PlayedNote, voice: OneVoice, key: Key | None, bars: KnownBars) -> dict[str, Any]:
    return {
        "time": round(note.start, 3),
        "duration": round(note.end - note.start, 3),
        "pitch": note_name(semitone_of(voice.without_drift(note), voice.tuning), key),
        "frequency": round(to_hz(note.pitch), 2),
        "confidence": round(note.confidence, 2),
        "cents": round(deviation(voice.without_drift(note), voice.tuning)),
        **bars.bar_and_beat(note.start),
    }


def note_name(semitone: int, key: Key | None) -> str:
    number = min(max(semitone, 0), 127)
    return Pitch.from_midi(number, prefer_flats=key is not None and key.sharps < 0).name


def _range(notes: list[PlayedNote], tuning: float, key: Key | None) -> dict[str, Any]:
    sure = [note for note in notes if note.confidence >= UNSURE]
    semitones = [semitone_of(note, tuning) for note in sure or notes]
    names = [note_name(end(semitones), key) for end in (min, max)] if semitones else [None, None]
    return dict(zip(("lowest", "highest"), names, strict=True))


def _confidence(notes: list[PlayedNote]) -> float:
    weights = [note.end - note.start for note in notes]
    return round(float(np.average([note.confidence for note in notes], weights=weights)), 2) if notes else 0.0


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _contour(voice: OneVoice, first: float, end: float | None) -> list[dict[str, float]]:
    return [
        {"time": round(frame * FRAME_S, 3), "frequency": round(to_hz(float(pitch)), 2) if pitch > 0 else 0.0}
        for frame, pitch in enumerate(voice.pitch)
        if frame * FRAME_S >= first and (end is None or frame * FRAME_S < end)
    ]


def _warnings(notes: list[PlayedNote], several: float | None, voice: OneVoice) -> list[str]:
    if several is not None and several >= (SEVERAL_FROM if notes else CLEARLY_SEVERAL):
        return [
            "Several notes sound at once, so that the notes here are a guess at the melody. transcribe_audio hears "
            "several notes at once."
        ]
    if not notes:
        return ["No notes with a clear pitch are heard here: silence, noise, speech or percussion."]
    found = []
    if _confidence(notes) < UNSURE:
        found.append("The notes are uncertain: check the microphone, noise or room, or record closer.")
    if drift := round(100 * voice.line.drift):
        found.append(
            f"The tuning {'rises' if drift > 0 else 'sinks'} by {abs(drift)} cents from the start to the end. Notes "
            "and cents are relative to the tuning at their time."
        )
    return found
