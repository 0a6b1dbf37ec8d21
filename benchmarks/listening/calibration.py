"""Whether a confidence is the share of right answers: pairs of (confidence, right) in ten bins."""

from collections.abc import Callable, Sequence

import mir_eval
import numpy as np

from benchmarks.listening import scores
from benchmarks.listening.fault_scores import GROUPS, FaultCounts, TimedFault
from benchmarks.listening.measures import one_voice_notes
from benchmarks.listening.our_comparison import injected, reference_options, reported_faults
from benchmarks.listening.our_tools import HeardFile, answer_of_task
from benchmarks.listening.table import MeasuredRow
from evaluation.sounds import SoundItem
from evaluation.sounds.truth import Truth

Judged = list[tuple[float, bool]]
FEWEST_IN_BIN = 50
TOLERANCE = 0.1
_BINS = 10
_SAME_NOTE_S = 0.1


def _tempo(file: HeardFile, truth: Truth) -> Judged:
    answer = file.answer("analyze_tempo")
    if truth.bpm is None or not truth.is_steady:
        return []
    return [(answer["confidence"], bool(scores.tempo_is_right(truth.bpm, answer.get("bpm"))))]


def _key(file: HeardFile, truth: Truth) -> Judged:
    answer = file.answer("detect_key")
    return [(answer["confidence"], scores.key_score(truth.key, answer["key"]) == 1)] if truth.key else []


def _chords(file: HeardFile, truth: Truth) -> Judged:
    """Judge each chord: right if the chord that is true for most of its time has the same root and third."""
    found = []
    for row in file.answer("detect_chords")["chords"]:
        start, end = row["time"], row["time"] + row["duration"]
        inside = {
            chord: min(end, chord.end) - max(start, chord.start)
            for chord in truth.chords
            if min(end, chord.end) - max(start, chord.start) > 0
        }
        if inside:
            true = max(inside, key=lambda chord: inside[chord]).label
            heard = scores.harte_label(row["chord"])
            found.append((row["confidence"], bool(mir_eval.chord.majmin([true], [heard])[0] == 1)))
    return found


def _onsets(file: HeardFile, truth: Truth) -> Judged:
    heard = sorted(file.answer("analyze_rhythm", include_onsets=True)["onsets"], key=lambda onset: onset["time"])
    times = np.array([onset["time"] for onset in heard])
    if not len(times):
        return []
    matched = {b for _, b in mir_eval.util.match_events(np.array(truth.onsets), times, scores.ONSET_TOLERANCE_S)}
    return [(onset["confidence"], place in matched) for place, onset in enumerate(heard)]


def _notes(file: HeardFile, truth: Truth) -> Judged:
    notes = one_voice_notes(file)
    if not notes:
        return []
    pairs = mir_eval.transcription.match_notes(
        *scores.as_intervals([note[:3] for note in truth.notes]), *scores.as_intervals(notes), offset_ratio=None
    )
    matched = {b for _, b in pairs}
    heard = file.answer("detect_pitch", **NOTE_OPTIONS)["notes"]
    return [(note["confidence"], place in matched) for place, note in enumerate(heard)]


def _phrases(file: HeardFile, truth: Truth) -> Judged:
    heard = file.answer("segment_phrases")["phrases"][1:]
    times = np.array([phrase["start"] for phrase in heard])
    if not len(times):
        return []
    true = np.array([start for start, _ in truth.phrases[1:]])
    matched = {b for _, b in mir_eval.util.match_events(true, times, scores.PHRASE_TOLERANCE_S)}
    return [(phrase["confidence"], place in matched) for place, phrase in enumerate(heard)]


def _articulation(file: HeardFile, truth: Truth) -> Judged:
    """Judge each note: right if a true note begins there and has this articulation."""
    heard = file.answer("detect_articulation", **NOTE_OPTIONS)["notes"]
    if not heard:
        return []
    starts, times = (np.array(each) for each in ([n.start for n in truth.notes], [note["time"] for note in heard]))
    true = {b: a for a, b in mir_eval.util.match_events(starts, times, _SAME_NOTE_S)}
    return [
        (note["confidence"], place in true and note["articulation"] == truth.articulations[true[place]])
        for place, note in enumerate(heard)
    ]


def _transcribed(instrument: str) -> Callable[[HeardFile, Truth], Judged]:
    """Judge each note by the confidence of the whole transcription, which is the expected share of right notes."""

    def judge(file: HeardFile, truth: Truth) -> Judged:
        answer = file.answer("transcribe_audio", instrument=instrument, quality="quick")
        if not answer["notes"]:
            return []
        pairs = mir_eval.transcription.match_notes(
            *scores.as_intervals([note[:3] for note in truth.notes]),
            *scores.as_intervals([tuple(note[:3]) for note in answer["notes"]]),
            offset_ratio=None,
        )
        matched = {b for _, b in pairs}
        return [(answer["confidence"], place in matched) for place in range(len(answer["notes"]))]

    return judge


def _take(file: HeardFile, truth: Truth) -> Judged:
    """Judge a take: right if every reported fault was injected, and every injected one is reported."""
    answer = file.answer("compare_to_reference", **reference_options(truth))
    counts = FaultCounts()
    counts.add(injected(truth), reported_faults(answer))
    return [(answer["confidence"], counts.f == 1)]


def _two_takes(file: HeardFile, truth: Truth) -> Judged:
    """Compare two takes of the same music: right if exactly the differences between the performances are reported.

    A noisy take and the clean sound of the same performance, compared both ways, have none. A take differs from the
    same take without faults by its faults. Going back to play something again is no difference of notes.
    """
    task, split, number = file.path.stem.split("-")[:3]
    if task == "noisy":
        clean = HeardFile(SoundItem("practice", split, int(number)).path())
        return [_compared(clean, file, []), _compared(file, clean, [])]
    differences = [fault for fault in injected(truth) if fault.group != "restart"]
    return [_compared(HeardFile(SoundItem("flawless", split, int(number)).path()), file, differences)]


def _compared(first: HeardFile, second: HeardFile, differences: list[TimedFault]) -> tuple[float, bool]:
    files = {0: first, 1: second}
    answer = answer_of_task("compare_audio", _OVERALL, [first.path, second.path], files)
    heard = [TimedFault(GROUPS[each["type"]], each["time"]) for each in answer["note_differences"]]
    counts = FaultCounts()
    counts.add(differences, heard)
    return answer["confidence"], counts.f == 1


_OVERALL = {"comparison_type": "overall"}
NOTE_OPTIONS = {"include_notes": True}

CALIBRATED: dict[str, tuple[Callable[[HeardFile, Truth], Judged], tuple[str, ...]]] = {
    "analyze_tempo": (_tempo, ("tempo", "steadiness", "key", "plucked", "melody", "pop", "pop beginning")),
    "detect_key": (_key, ("key", "tempo", "steadiness", "chords", "pop", "pop beginning")),
    "detect_chords": (_chords, ("chords", "pop", "pop beginning")),
    "analyze_rhythm onsets": (_onsets, ("melody", "plucked")),
    "detect_pitch notes": (_notes, ("melody", "plucked", "tuning")),
    "detect_articulation": (_articulation, ("articulation", "recorded articulation")),
    "transcribe_audio (piano)": (_transcribed("piano"), ("piano", "expressive")),
    "transcribe_audio (any)": (_transcribed("any"), ("piano", "tempo")),
    "segment_phrases": (_phrases, ("phrases",)),
    "compare_to_reference": (_take, ("practice", "perfect", "humanised", "noisy")),
    "compare_audio": (_two_takes, ("noisy", "practice")),
}
"""By tool: how its answers are judged, and on which tasks."""


def calibration_row(tool: str, judged: Sequence[tuple[float, bool]]) -> MeasuredRow:
    """Return the largest difference of accuracy and mean confidence in a bin with enough items."""
    confidence = np.array([pair[0] for pair in judged])
    right = np.array([pair[1] for pair in judged])
    bins = np.clip((confidence * _BINS).astype(int), 0, _BINS - 1) if len(judged) else np.zeros(0, int)
    worst, shown = float("nan"), []
    for number in range(_BINS):
        inside = bins == number
        if inside.sum() >= FEWEST_IN_BIN:
            away = float(abs(right[inside].mean() - confidence[inside].mean()))
            worst = away if np.isnan(worst) else max(worst, away)
            shown.append(f"{confidence[inside].mean():.2f}:{right[inside].mean():.2f}")
    return MeasuredRow(
        f"confidence of {tool}", len(judged), worst, TOLERANCE, other=" ".join(shown), more_is_better=False
    )
