"""Do the work of transcribe_audio in a worker: hear the notes, put them on beats, and write the MIDI file.

`confidence` is the mean of the notes' confidences: the expected share of right notes. The piano model gives no
confidence; its share of right notes on known recordings is stated instead.
"""

import base64
import zlib
from fractions import Fraction
from typing import Any

from consort_audio.analysis.key.find import key_of_notes
from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.tempo.track import track_beats
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_audio.transcription.hearing import HeardMusic, hear
from consort_audio.transcription.midi_file import first_notes, midi_bytes
from consort_audio.transcription.note_grid import (
    NoteGrid,
    given_grid,
    heard_grid,
    put_on_grid,
    step_for_one_voice,
    unknown_grid,
)
from consort_kit.ids import new_id

SURE_TEMPO, SURE_KEY = 0.5, 0.6
NO_NOTES = "No notes with a clear pitch are heard: silence, noise, speech or percussion. No MIDI file was made."
NO_TEMPO = "The tempo is not clear, so the file has 120 bpm and its bars mean nothing. Give bpm to get bars."
UNSURE_BARS = "Where bars begin is a guess."
NOT_QUANTIZED = "The tempo is not clear, so the notes were not quantized. Give bpm."
FINER = (
    "On a grid of {wanted} at {bpm:.0f} BPM, notes of the melody would fall together, so {used} was used. If the tempo "
    "is really double, give bpm."
)
REFERENCE = (
    "Above 0.9 few notes need correction; below 0.7 check every bar. One voice, and a piano with quality high, are "
    "heard best."
)


def answer(task: ListeningTask) -> dict[str, Any]:
    """Return the outcome: the MIDI file as text, the notes in seconds, and what is known about them."""
    options, recording = task.options, task.read(0)
    wanted = options.get("instrument", "any")
    heard = hear(recording, task.paths[0], wanted, options.get("quality", "quick") == "high", task.report)
    first, end = float(options.get("start_time", 0)), options.get("end_time")
    notes = [note for note in heard.notes if note.start >= first and (end is None or note.start < end)]
    found: dict[str, Any] = {
        "note_count": len(notes),
        "heard_as": heard.heard_as,
        "confidence": round(sum(note.confidence for note in notes) / len(notes), 2) if notes else 0.0,
        "tuning_cents": round(100 * heard.tuning, 1) + 0.0,
        "method": heard.method,
        "reference": REFERENCE,
        "notes": [[round(note.start, 3), round(note.end, 3), note.pitch] for note in notes],
    }
    if not notes:
        return found | {"warnings": [NO_NOTES]}
    return found | _written(recording, heard, notes, first, options)


def _written(
    recording: Recording, heard: HeardMusic, notes: list[PlayedNote], first: float, options: dict[str, Any]
) -> dict[str, Any]:
    step = Fraction(options["quantize"]) * 4 if options.get("quantize") else None
    grid = _grid(recording, notes, options.get("bpm"), step)
    warnings = list(heard.warnings)
    if step and grid.is_known and heard.heard_as in ("voice", "mono"):
        finer = step_for_one_voice(notes, grid, step)
        if finer != step:
            warnings.append(FINER.format(wanted=options["quantize"], used=finer / 4, bpm=float(grid.tempos[0][1])))
            step = finer
    if grid.is_known and options.get("bpm") is None and track_beats(recording).metre_confidence < SURE_TEMPO:
        warnings.append(UNSURE_BARS)
    if not grid.is_known:
        notes = [note._replace(start=note.start - first, end=note.end - first) for note in notes]
        warnings.append(NOT_QUANTIZED if step else NO_TEMPO)
        step = None
    placed = put_on_grid(notes, grid, step)
    found = key_of_notes(notes)
    key = found.key if found.confidence >= SURE_KEY else None
    content = midi_bytes(placed, grid, heard.heard_as, key, options.get("name", "Transcription"))
    return {
        "midi_file_id": new_id("midi"),
        "midi": base64.b64encode(zlib.compress(content)).decode(),
        "name": options.get("name", "Transcription"),
        "bpm": float(round(grid.tempos[0][1], 1)) if grid.is_known else None,
        "time_signature": f"{grid.beats_per_bar}/4" if grid.is_known else None,
        "key": key.name if key else None,
        "first_notes": first_notes(placed, grid, key),
        "warnings": warnings,
    }


def _grid(recording: Recording, notes: list[PlayedNote], bpm: float | None, step: Fraction | None) -> NoteGrid:
    if bpm is not None:
        return given_grid(bpm, notes, step)
    track = track_beats(recording)
    if track.bpm is None or track.confidence < SURE_TEMPO or len(track.beats) < 4:
        return unknown_grid()
    return heard_grid(track, notes[0].start)
