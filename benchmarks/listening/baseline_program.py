"""Answer for the baselines. This runs in their own environment: it imports nothing of ours.

Each line of the input is a request as JSON, each line of the output its answer. librosa is used as its documentation
shows, with its default parameters.
"""

import contextlib
import importlib
import io
import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

KRUMHANSL = {
    "major": (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    "minor": (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
}
NAMES = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_SHORTEST_NOTE_S = 0.05


def beats(path: str) -> dict[str, Any]:
    import librosa

    samples, rate = librosa.load(path, sr=None)
    tempo, frames = librosa.beat.beat_track(y=samples, sr=rate)
    return {"bpm": float(np.atleast_1d(tempo)[0]), "beats": librosa.frames_to_time(frames, sr=rate).tolist()}


def onsets(path: str) -> list[float]:
    import librosa

    samples, rate = librosa.load(path, sr=None)
    found: list[float] = librosa.onset.onset_detect(y=samples, sr=rate, units="time").tolist()
    return found


def pitch(path: str) -> dict[str, Any]:
    """Return pyin's pitch of each frame, and the notes: frames in a row with the same nearest semitone."""
    import librosa

    samples, rate = librosa.load(path, sr=None)
    f0, _, _ = librosa.pyin(samples, fmin=librosa.note_to_hz("C2"), fmax=librosa.note_to_hz("C7"), sr=rate)
    times = librosa.times_like(f0, sr=rate)
    midi = librosa.hz_to_midi(f0)
    notes = []
    start = 0
    for place in range(1, len(f0) + 1):
        is_same = place < len(f0) and (
            (np.isnan(f0[place]) and np.isnan(f0[start]))
            or (not np.isnan(f0[place]) and not np.isnan(f0[start]) and round(midi[place]) == round(midi[start]))
        )
        if not is_same:
            end = float(times[place]) if place < len(f0) else float(times[-1])
            if not np.isnan(f0[start]) and end - times[start] >= _SHORTEST_NOTE_S:
                notes.append([float(times[start]), end, float(round(midi[start]))])
            start = place
    return {"times": times.tolist(), "hz": np.nan_to_num(f0).tolist(), "notes": notes}


def key(path: str) -> str:
    import librosa

    samples, rate = librosa.load(path, sr=None)
    chroma = librosa.feature.chroma_cqt(y=samples, sr=rate).mean(axis=1)
    scores = {
        f"{NAMES[tonic]} {mode}": np.corrcoef(np.roll(profile, tonic), chroma)[0, 1]
        for mode, profile in KRUMHANSL.items()
        for tonic in range(12)
    }
    return max(scores, key=lambda name: scores[name])


def chords(path: str) -> list[list[Any]]:
    """Return triads: the template nearest to the chroma between two beats."""
    import librosa

    samples, rate = librosa.load(path, sr=None)
    chroma = librosa.feature.chroma_cqt(y=samples, sr=rate)
    _, frames = librosa.beat.beat_track(y=samples, sr=rate)
    edges = sorted({0, *(int(frame) for frame in frames), chroma.shape[1]})
    names, templates = [], []
    for quality, tones in (("maj", (0, 4, 7)), ("min", (0, 3, 7))):
        for root in range(12):
            names.append(f"{NAMES[root]}:{quality}")
            templates.append([float((tone - root) % 12 in tones) for tone in range(12)])
    found = []
    for start, end in pairwise(edges):
        mean = chroma[:, start:end].mean(axis=1)
        label = names[int(np.argmax(np.array(templates) @ mean))]
        found.append([*librosa.frames_to_time([start, end], sr=rate).tolist(), label])
    return found


def notes(path: str) -> list[list[float]]:
    """Return the notes of basic-pitch."""
    inference = importlib.import_module("basic_pitch.inference")
    network = Path(inference.__file__ or "").parent / "saved_models" / "icassp_2022" / "nmp.onnx"
    with contextlib.redirect_stdout(io.StringIO()):
        _, _, events = inference.predict(path, network)
    return sorted([float(event[0]), float(event[1]), float(event[2])] for event in events)


def baseline_tools(path: str) -> dict[str, float]:
    """Do what the three baseline tools do, with librosa, and return the CPU seconds of each."""
    used = {}
    for name, function in (("tempo", beats), ("pitch", pitch), ("rhythm", onsets), ("key", key)):
        began = time.process_time()
        function(path)
        used[name] = time.process_time() - began
    return used


def align(path: str, reference: list[list[float]], played: list[list[float]]) -> dict[str, Any]:
    """Return the pairs (place in the reference, place in the take) of parangonar's matcher."""
    from parangonar import AutomaticNoteMatcher

    kinds = [("onset_beat", "f4"), ("duration_beat", "f4"), ("pitch", "i4"), ("velocity", "i4"), ("id", "U16")]
    score = np.array([(row[0], row[1] - row[0], round(row[2]), 64, f"s{n}") for n, row in enumerate(reference)], kinds)
    kinds = [("onset_sec", "f4"), ("duration_sec", "f4"), ("pitch", "i4"), ("velocity", "i4"), ("id", "U16")]
    take = np.array([(row[0], row[1] - row[0], round(row[2]), 64, f"p{n}") for n, row in enumerate(played)], kinds)
    rows = AutomaticNoteMatcher()(score, take, verbose_time=False)
    return {
        "pairs": [[int(row["score_id"][1:]), int(row["performance_id"][1:])] for row in rows if row["label"] == "match"]
    }


CALLS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (beats, onsets, pitch, key, chords, notes, baseline_tools, align)
}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        given = {name: value for name, value in request.items() if name not in ("call", "fresh")}
        print(json.dumps(CALLS[request["call"]](**given)), flush=True)


if __name__ == "__main__":
    main()
