"""What is measured: for each row of the table the task, our score of one item, the baselines' scores, floor and aim.

Pop songs are measured by two clips: the first 30 s, and 30 s from within the song. The floors and aims belong to the
beginnings, because the figures from which they were set were measured on these. A clip from within a song is harder:
it begins and ends anywhere in a phrase, so the tonic is not heard first. Its rows have no floor.

POP909 has two annotations of the beat. That of the notes comes from tempo curves which people labelled by hand, that
of the recording from an algorithm (Wang et al. 2020), so the floor belongs to the first. In four of the 16 songs of the
test part (286, 561, 719, 766) one has twice the tempo of the other; a row without a floor accepts either.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mir_eval
import numpy as np

from benchmarks.listening import scores
from benchmarks.listening.baselines import Baselines
from benchmarks.listening.bs1770 import integrated_loudness
from benchmarks.listening.our_tools import HeardFile
from evaluation.sounds.truth import Truth

OurScore = Callable[[HeardFile, Truth], float | None]
"""Returns the score of one item, or None if the measure does not apply to it."""
BaselineScore = Callable[[Baselines, Path, Truth], float | None]

_TUNING_TOLERANCE_CENTS = 3.0
_LOUDNESS_TOLERANCE_DB = 0.5
_SAME_NOTE_S = 0.1


@dataclass(frozen=True)
class ListeningMeasure:
    name: str
    task: str
    """A task of `evaluation.sounds`, or one of `data_folder.DATA_TASKS`."""
    ours: OurScore
    floor: float | None = None
    aim: float | None = None
    librosa: BaselineScore | None = None
    basic_pitch: BaselineScore | None = None


def one_voice_notes(file: HeardFile) -> list[tuple[float, float, float]]:
    """Return start, end and pitch of the notes that detect_pitch hears."""
    answer = file.answer("detect_pitch", include_notes=True)
    return [(note["time"], note["time"] + note["duration"], _midi(note["frequency"])) for note in answer["notes"]]


def _midi(hz: float) -> float:
    return 69 + 12 * float(np.log2(hz / 440))


def _semitones(notes: list[tuple[float, float, float]], truth: Truth) -> list[tuple[float, float, float]]:
    """Return notes that are compared as semitones: the detuning of the clip is given to notes without fraction."""
    cents = (truth.tuning_cents or 0) / 100
    return [(start, end, pitch + cents if pitch == round(pitch) else pitch) for start, end, pitch in notes]


def _transcribed(file: HeardFile, instrument: str, quality: str) -> list[tuple[float, float, float]]:
    answer = file.answer("transcribe_audio", instrument=instrument, quality=quality)
    return [tuple(note[:3]) for note in answer["notes"]]


def _notes(file: HeardFile, truth: Truth) -> float:
    return scores.note_f(truth.notes, _semitones(one_voice_notes(file), truth))


def _pyin_notes(baselines: Baselines, path: Path, truth: Truth) -> float:
    return scores.note_f(truth.notes, _semitones(baselines.ask("pitch", path)["notes"], truth))


def _basic_pitch_notes(baselines: Baselines, path: Path, truth: Truth) -> float:
    return scores.note_f(truth.notes, _semitones(baselines.ask("notes", path), truth))


def _frames(file: HeardFile, truth: Truth) -> float:
    answer = file.answer("detect_pitch", include_notes=True, include_contour=True)
    if contour := answer.get("contour"):
        return scores.frame_pitch(
            truth, [point["time"] for point in contour], [point["frequency"] for point in contour]
        )
    return scores.frame_pitch(truth, *scores.frames_of_notes(one_voice_notes(file), truth.duration))


def _pyin_frames(baselines: Baselines, path: Path, truth: Truth) -> float:
    answer = baselines.ask("pitch", path)
    return scores.frame_pitch(truth, answer["times"], answer["hz"])


def _tuning(file: HeardFile, truth: Truth) -> float | None:
    heard = file.answer("detect_pitch").get("tuning_cents")
    if truth.tuning_cents is None:
        return None
    away = abs((heard - truth.tuning_cents + 50) % 100 - 50) if heard is not None else 50
    return float(away <= _TUNING_TOLERANCE_CENTS)


def _pyin_tuning(baselines: Baselines, path: Path, truth: Truth) -> float:
    hz = np.array(baselines.ask("pitch", path)["hz"])
    cents = 100 * (69 + 12 * np.log2(hz[hz > 0] / 440))
    away = abs((float(np.median((cents + 50) % 100 - 50)) - (truth.tuning_cents or 0) + 50) % 100 - 50)
    return float(away <= _TUNING_TOLERANCE_CENTS)


def _vibrato(file: HeardFile, truth: Truth) -> float | None:
    """Return the stated intonation of clips with vibrato: their notes are in tune with each other."""
    if not truth.has_vibrato:
        return None
    heard = file.answer("detect_pitch").get("intonation_accuracy")
    return None if heard is None else float(heard)


def _piano(instrument: str, quality: str) -> OurScore:
    return lambda file, truth: scores.note_f(truth.notes, _transcribed(file, instrument, quality))


def _tempo(factors: tuple[float, ...]) -> OurScore:
    return lambda file, truth: scores.tempo_is_right(_bpm(truth), file.answer("analyze_tempo").get("bpm"), factors)


def _tempo_of_either(file: HeardFile, truth: Truth) -> float | None:
    """Return 1 if the tempo is that of the notes, or that of the recording which they were written down from."""
    if truth.bpm_of_recording is None:
        return None
    heard = file.answer("analyze_tempo").get("bpm")
    return max(scores.tempo_is_right(bpm, heard) for bpm in (_bpm(truth), truth.bpm_of_recording))


def _bpm(truth: Truth) -> float:
    assert truth.bpm is not None
    return truth.bpm


def _librosa_tempo(factors: tuple[float, ...]) -> BaselineScore:
    return lambda baselines, path, truth: scores.tempo_is_right(
        _bpm(truth), baselines.ask("beats", path)["bpm"], factors
    )


def _beats(file: HeardFile, truth: Truth) -> float:
    return scores.beat_f(truth.beats, file.answer("analyze_tempo", include_beats=True).get("beats", []))


def _librosa_beats(baselines: Baselines, path: Path, truth: Truth) -> float:
    return scores.beat_f(truth.beats, baselines.ask("beats", path)["beats"])


def _downbeats(file: HeardFile, truth: Truth) -> float | None:
    if len(truth.downbeats) < 2:
        return None
    return scores.beat_f(truth.downbeats, file.answer("analyze_tempo", include_beats=True).get("downbeats", []))


def _steady(file: HeardFile, truth: Truth) -> float | None:
    heard = file.answer("analyze_tempo").get("is_steady")
    return None if truth.is_steady is None else float(heard is truth.is_steady)


def _librosa_steady(baselines: Baselines, path: Path, truth: Truth) -> float | None:
    """Call it steady if the times between beats differ by less than 4% (10th to 90th percentile)."""
    gaps = np.diff(baselines.ask("beats", path)["beats"])
    if truth.is_steady is None or len(gaps) < 4:
        return None
    low, middle, high = np.percentile(gaps, [10, 50, 90])
    return float(bool((high - low) / middle < 0.04) is truth.is_steady)


def _change(file: HeardFile, truth: Truth) -> float | None:
    """Return 1 if a change of tempo is reported within a bar of the true one."""
    if truth.change_time is None or truth.bar_s is None:
        return None
    changes = file.answer("analyze_tempo").get("tempo_changes", [])[1:]
    return float(any(abs(change["time"] - truth.change_time) <= truth.bar_s for change in changes))


def _key(file: HeardFile, truth: Truth) -> float | None:
    return None if truth.key is None else scores.key_score(truth.key, file.answer("detect_key").get("key"))


def _librosa_key(baselines: Baselines, path: Path, truth: Truth) -> float | None:
    return None if truth.key is None else scores.key_score(truth.key, baselines.ask("key", path))


def _chords(which: int) -> OurScore:
    def score(file: HeardFile, truth: Truth) -> float:
        heard = file.answer("detect_chords")["chords"]
        rows = [(row["time"], row["time"] + row["duration"], scores.harte_label(row["chord"])) for row in heard]
        return scores.chord_scores(truth.chords, rows)[which]

    return score


def _librosa_chords(which: int) -> BaselineScore:
    return lambda baselines, path, truth: scores.chord_scores(
        truth.chords, [tuple(row) for row in baselines.ask("chords", path)]
    )[which]


def _onsets(file: HeardFile, truth: Truth) -> float:
    heard = file.answer("analyze_rhythm", include_onsets=True)["onsets"]
    return scores.onset_f(truth.onsets, [onset["time"] for onset in heard])


def _librosa_onsets(baselines: Baselines, path: Path, truth: Truth) -> float:
    return scores.onset_f(truth.onsets, baselines.ask("onsets", path))


def _phrases(file: HeardFile, truth: Truth) -> float:
    heard = file.answer("segment_phrases")["phrases"]
    return scores.phrase_f(truth.phrases, [(phrase["start"], phrase["end"]) for phrase in heard])


def _articulation(file: HeardFile, truth: Truth) -> float | None:
    """Return the share of the notes that were heard which are called what they are."""
    heard = file.answer("detect_articulation", include_notes=True)["notes"]
    if not heard:
        return 0.0
    true_times = np.array([note.start for note in truth.notes])
    pairs = mir_eval.util.match_events(true_times, np.array([note["time"] for note in heard]), _SAME_NOTE_S)
    right = [heard[place]["articulation"] == truth.articulations[true] for true, place in pairs]
    return sum(right) / len(right) if right else 0.0


def _loudness(file: HeardFile, truth: Truth) -> float:
    heard = file.answer("analyze_dynamics")["average_loudness"]
    return float(heard is not None and abs(heard - integrated_loudness(file.path)) <= _LOUDNESS_TOLERANCE_DB)


def _recorded_pitch(file: HeardFile, truth: Truth) -> float:
    """Return 1 if the longest note has the right name and octave."""
    notes = one_voice_notes(file)
    longest = max(notes, key=lambda note: note[1] - note[0], default=None)
    return float(longest is not None and round(longest[2]) == truth.notes[0].pitch)


def _pyin_recorded(baselines: Baselines, path: Path, truth: Truth) -> float:
    hz = np.array(baselines.ask("pitch", path)["hz"])
    return float(bool((hz > 0).any()) and round(float(np.median(_midis(hz[hz > 0])))) == truth.notes[0].pitch)


def _midis(hz: Any) -> Any:
    return 69 + 12 * np.log2(hz / 440)


def _pop_measures(clip: str, task: str, has_floor: bool) -> list[ListeningMeasure]:
    """Return the rows of one clip of each pop song."""
    rows: list[tuple[str, OurScore, float | None, float | None, BaselineScore | None]] = [
        ("tempo ACC1", _tempo((1.0,)), 0.85, 0.95, _librosa_tempo((1.0,))),
        ("tempo ACC1, either annotation", _tempo_of_either, None, None, None),
        ("tempo ACC2", _tempo(scores.OCTAVES), None, None, _librosa_tempo(scores.OCTAVES)),
        ("beats (F)", _beats, 0.85, 0.9, _librosa_beats),
        ("downbeats (F)", _downbeats, 0.5, 0.6, None),
        ("key (MIREX)", _key, 0.9, 0.95, _librosa_key),
        ("chords, major/minor", _chords(0), 0.9, 0.92, _librosa_chords(0)),
        ("chords, sevenths", _chords(1), 0.86, 0.89, _librosa_chords(1)),
    ]
    return [
        ListeningMeasure(
            f"pop, {clip}: {name}", task, ours, floor if has_floor else None, aim if has_floor else None, librosa
        )
        for name, ours, floor, aim, librosa in rows
    ]


MEASURES = (
    ListeningMeasure("notes, one voice (F)", "melody", _notes, 0.88, 0.92, _pyin_notes, _basic_pitch_notes),
    ListeningMeasure("notes, plucked (F)", "plucked", _notes, 0.93, 0.96, _pyin_notes, _basic_pitch_notes),
    ListeningMeasure("frame pitch", "melody", _frames, 0.95, 0.97, _pyin_frames),
    ListeningMeasure("tuning within 3 cents", "tuning", _tuning, 0.95, None, _pyin_tuning),
    ListeningMeasure("intonation_accuracy with vibrato", "tuning", _vibrato, 0.9),
    ListeningMeasure("piano notes (F)", "piano", _piano("piano", "high"), 0.95, 0.97, None, _basic_pitch_notes),
    ListeningMeasure("piano notes, quick (F)", "piano", _piano("piano", "quick"), 0.75, None, None, _basic_pitch_notes),
    ListeningMeasure("tempo ACC1", "tempo", _tempo((1.0,)), 0.8, 0.85, _librosa_tempo((1.0,))),
    ListeningMeasure("tempo ACC2", "tempo", _tempo(scores.OCTAVES), 0.95, 0.98, _librosa_tempo(scores.OCTAVES)),
    ListeningMeasure("beats (F)", "tempo", _beats, 0.72, 0.8, _librosa_beats),
    ListeningMeasure("downbeats (F)", "tempo", _downbeats),
    ListeningMeasure("steady or not", "steadiness", _steady, 0.95, None, _librosa_steady),
    ListeningMeasure("change of 10% within a bar", "steadiness", _change, 0.95),
    ListeningMeasure("key (MIREX)", "key", _key, 0.88, 0.93, _librosa_key),
    ListeningMeasure("chords, major/minor", "chords", _chords(0), 0.95, 0.97, _librosa_chords(0)),
    ListeningMeasure("chords, sevenths", "chords", _chords(1), 0.77, 0.79, _librosa_chords(1)),
    ListeningMeasure("onsets, plucked (F)", "plucked", _onsets, 0.94, 0.96, _librosa_onsets),
    ListeningMeasure("onsets, sustained (F)", "melody", _onsets, 0.74, 0.8, _librosa_onsets),
    ListeningMeasure("phrases (F, 1 s)", "phrases", _phrases, 0.5, 0.6),
    ListeningMeasure("legato or staccato", "articulation", _articulation, 0.9),
    ListeningMeasure("loudness within 0.5 dB", "dynamics", _loudness, 1.0),
)
DATA_MEASURES = (
    ListeningMeasure("recorded notes: pitch", "recorded", _recorded_pitch, 0.9, 0.93, _pyin_recorded),
    ListeningMeasure(
        "expressive piano notes (F)", "expressive", _piano("piano", "high"), 0.96, 0.98, None, _basic_pitch_notes
    ),
    ListeningMeasure(
        "expressive, quick (F)", "expressive", _piano("piano", "quick"), 0.75, None, None, _basic_pitch_notes
    ),
    ListeningMeasure("expressive piano beats (F)", "expressive", _beats, 0.48, 0.55, _librosa_beats),
    *_pop_measures("beginning", "pop beginning", has_floor=True),
    *_pop_measures("within", "pop", has_floor=False),
    ListeningMeasure("recorded legato or staccato", "recorded articulation", _articulation, 0.8),
)
