"""Answer analyze_audio: run the baseline tools on one recording and sum them up."""

import importlib
from typing import Any

from consort_audio.analysis.confidence_limits import SURE
from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.polyphony import SEVERAL_FROM
from consort_audio.analysis.registry import ANSWER_OF_RECORDING, BASELINE_TOOLS
from consort_audio.analysis.summary.sentences import summarize
from consort_audio.analysis.tempo.track import track_beats
from consort_audio.signals.recording import Recording


def answer(task: ListeningTask) -> dict[str, Any]:
    """Return the summary, with the answers of the baseline tools under `analyses`, and what pictures show."""
    recording = task.read(0)
    analyses = {}
    for index, tool in enumerate(BASELINE_TOOLS):
        analyses[tool] = importlib.import_module(ANSWER_OF_RECORDING[tool]).answer(recording, {})
        task.report((index + 1) / (len(BASELINE_TOOLS) + 1))
    is_several = (analyses["detect_pitch"].get("several_notes_at_once") or 0) >= SEVERAL_FROM
    summary = summarize(analyses, recording.duration, is_several)
    return {**summary, "analyses": analyses, "heard": {**_beats(recording), "notes": _notes(recording, is_several)}}


def _notes(recording: Recording, is_several: bool) -> list[list[float]]:
    """Return all notes as start, end and pitch. One voice of several would mislead, so it has none."""
    notes = [] if is_several else find_notes(recording).notes
    return [[round(note.start, 3), round(note.end, 3), round(note.pitch, 2)] for note in notes]


def _beats(recording: Recording) -> dict[str, Any]:
    """Return all beats as time, bar and beat (0 and 0: not known), and how sure the tempo is."""
    track = track_beats(recording)
    is_bar_known = bool(track.downbeats) and track.metre_confidence >= SURE
    places = [track.position(time + 0.001) if is_bar_known else None for time in track.beats]
    beats = [
        [round(time, 3), *((place[0], int(place[1])) if place else (0, 0))]
        for time, place in zip(track.beats, places, strict=True)
    ]
    return {"beats": beats, "beat_confidence": round(track.confidence, 2)}
