"""Compare one answer with the truth. Most scores are mir_eval's, with its default tolerances unless stated."""

import warnings
from collections.abc import Sequence

import mir_eval
import numpy as np
from numpy.typing import NDArray

from evaluation.sounds.truth import TrueChord, TrueNote, Truth

_FRAME_S = 0.01
_ROUNDING_S = 0.02
ONSET_TOLERANCE_S = 0.05
_TEMPO_TOLERANCE = 0.04
PHRASE_TOLERANCE_S = 1.0
_QUALITIES = {
    "": "maj", "maj": "maj", "min": "min", "m": "min", "7": "7", "maj7": "maj7", "min7": "min7", "m7": "min7",
    "dim": "dim", "dim7": "dim7", "min7b5": "hdim7", "m7b5": "hdim7", "aug": "aug", "sus4": "sus4", "sus2": "sus2",
    "7sus4": "sus4(b7)", "maj6": "maj6", "min6": "min6", "6": "maj6", "m6": "min6",
}  # fmt: skip


def note_f(truth: Sequence[TrueNote], heard: Sequence[tuple[float, float, float]]) -> float:
    """Return F of notes (start, end, pitch): onset within 50 ms, pitch within 50 cents, ends do not count."""
    if not heard or not truth:
        return float(len(heard) == len(truth))
    _, _, score, _ = mir_eval.transcription.precision_recall_f1_overlap(
        *as_intervals([note[:3] for note in truth]), *as_intervals(heard), offset_ratio=None
    )
    return float(score)


def as_intervals(notes: Sequence[tuple[float, float, float]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    intervals = np.array([(max(start, 0.0), max(end, start + 0.01)) for start, end, _ in notes])
    return intervals, 440 * 2 ** ((np.array([pitch for _, _, pitch in notes]) - 69) / 12)


def frame_pitch(truth: Truth, times: Sequence[float], hz: Sequence[float]) -> float:
    """Return the share of frames of true notes whose pitch is right within 50 cents (raw pitch accuracy)."""
    frames = np.arange(0, truth.duration, _FRAME_S)
    true_hz = np.zeros(len(frames))
    for note in truth.notes:
        inside = (frames >= note.start) & (frames < note.end)
        true_hz[inside] = 440 * 2 ** ((note.pitch - 69) / 12)
    if not len(times):
        return 0.0
    places = np.clip(np.searchsorted(np.array(times), frames), 0, len(times) - 1)
    before = np.clip(places - 1, 0, len(times) - 1)
    steps = np.array(times)
    nearest = np.where(np.abs(steps[before] - frames) < np.abs(steps[places] - frames), before, places)
    heard_hz = np.array(hz)[nearest]
    sounding = true_hz > 0
    right = sounding & (heard_hz > 0)
    right[right] = np.abs(1200 * np.log2(heard_hz[right] / true_hz[right])) <= 50
    return float(right.sum() / max(sounding.sum(), 1))


def frames_of_notes(notes: Sequence[tuple[float, float, float]], duration: float) -> tuple[list[float], list[float]]:
    """Return the pitch in hertz of each frame as the notes say, 0 where none sounds."""
    frames = np.arange(0, duration, _FRAME_S)
    hz = np.zeros(len(frames))
    for start, end, pitch in notes:
        hz[(frames >= start) & (frames < end)] = 440 * 2 ** ((pitch - 69) / 12)
    return frames.tolist(), hz.tolist()


def tempo_is_right(truth: float, heard: float | None, factors: Sequence[float] = (1.0,)) -> float:
    """Return 1 if the tempo is right within 4%, or right times one of the factors."""
    return float(heard is not None and any(abs(heard / (truth * factor) - 1) <= _TEMPO_TOLERANCE for factor in factors))


OCTAVES = (1.0, 2.0, 3.0, 1 / 2, 1 / 3)
"""The factors that ACC2 accepts."""


def beat_f(truth: Sequence[float], heard: Sequence[float]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(mir_eval.beat.f_measure(np.array(truth), np.array(sorted(heard))))


def onset_f(truth: Sequence[float], heard: Sequence[float]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score, _, _ = mir_eval.onset.f_measure(np.array(truth), np.array(sorted(heard)))
    return float(score)


def key_score(truth: str, heard: str | None) -> float:
    """Return MIREX's weighted score: 1 if right, .5 a fifth away, .3 relative, .2 parallel."""
    return float(mir_eval.key.weighted_score(truth, heard)) if heard else 0.0


def chord_scores(truth: Sequence[TrueChord], heard: Sequence[tuple[float, float, str]]) -> tuple[float, float]:
    """Return the share of the time with the right chord: major or minor, and with sevenths."""
    start, end = truth[0].start, truth[-1].end
    rows: list[tuple[float, float, str]] = []
    for begin, stop, label in sorted(heard):  # times are rounded, so neighbours may overlap or leave a gap
        here = max(begin, start)
        if rows and here - rows[-1][1] < _ROUNDING_S:
            here = rows[-1][1]
        if min(stop, end) - here > 1e-6:
            rows.append((here, min(stop, end), label))
    if not rows:
        return 0.0, 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = mir_eval.chord.evaluate(
            np.array([chord[:2] for chord in truth]),
            [chord.label for chord in truth],
            np.array([row[:2] for row in rows]),
            [row[2] for row in rows],
        )
    return float(score["majmin"]), float(score["sevenths"])


def harte_label(name: str) -> str:
    """Return a chord of detect_chords (`Bbmin7/F`) in Harte's syntax, without its bass."""
    if name in ("N", "none", "N.C."):
        return "N"
    root = name[:2] if name[1:2] in ("b", "#") else name[:1]
    return f"{root}:{_QUALITIES[name[len(root) :].split('/')[0]]}"


def phrase_f(truth: Sequence[tuple[float, float]], heard: Sequence[tuple[float, float]]) -> float:
    """Return F of the starts of phrases within 1 s, without the first."""
    true_starts = np.array([start for start, _ in truth[1:]])
    starts = np.array([start for start, _ in heard[1:]])
    if not len(starts) or not len(true_starts):
        return float(len(starts) == len(true_starts))
    matches = len(mir_eval.util.match_events(true_starts, starts, PHRASE_TOLERANCE_S))
    return 2 * matches / (len(starts) + len(true_starts))
