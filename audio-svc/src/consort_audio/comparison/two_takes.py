"""Compare two recordings of the same music.

With a reference, both takes are judged by it: the accuracies are those of compare_to_reference, and faults of the first
take that the second does not have are fixed. Without one, pitch_accuracy is detect_pitch's intonation_accuracy,
rhythm_accuracy is analyze_rhythm's timing_accuracy, and the first take is the reference of the second for the
similarity.

- similarity_score: how well the second take matches the notes of the first. pitch: its pitch_accuracy with the first
  as reference; rhythm: its rhythm_accuracy, in which another tempo does not count; tempo: the lower tempo over the
  higher; overall: 0.4 pitch + 0.4 rhythm + 0.2 tempo. All but tempo are multiplied by the share of the first take that
  the second has: a part at the start or end that was not played at all is left out of the accuracies.
- An accuracy that is higher by 0.02 or more is an improvement, one that is lower by 0.02 or more a regression.
- A note that is sharp or flat in both takes by the same amount, within 27 cents, is no difference.
- confidence: the probability that the differences of notes are exactly those between the two performances,
  1 / (1 + exp(-2.01 + 0.41 n + 10 u)), where n counts the notes of both takes that were heard with a confidence below
  0.8 (at most 5), and u is how far the share of the second take's notes that found their place in the first is below
  0.8. n was fitted on 489 pairs of takes with and without mistakes, noise and a room. In all but one of them u is 0,
  so its weight is chosen. Fewer than four notes lower the confidence (`outcome`).
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any, Literal, TypeAlias

from consort_audio.analysis.calibration import logistic
from consort_audio.analysis.known_bars import KnownBars
from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.polyphony import SEVERAL_FROM, polyphony
from consort_audio.analysis.registry import ANSWER_OF_RECORDING
from consort_audio.comparison.align.transposition import tuning_offset
from consort_audio.comparison.faults.faults import Fault
from consort_audio.comparison.faults.judging import JudgedTake, judge
from consort_audio.comparison.faults.limits import OUT_OF_TUNE_CENTS
from consort_audio.comparison.faults.scores import TakeScores, score
from consort_audio.comparison.outcome import describe, placed_share, scores_of, share_of_enough_notes
from consort_audio.comparison.played_octave import in_played_octave
from consort_audio.comparison.reference.expected_music import ExpectedBar, ExpectedMusic, ExpectedNote
from consort_audio.comparison.take.audio_take import listen_and_align
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_music.pitch import Pitch

ComparisonType: TypeAlias = Literal["rhythm", "pitch", "tempo", "overall"]

_NOTICEABLE = 0.02
_BIAS, _PER_DOUBT, _PER_UNLIKE = 2.01, 0.41, 10.0
_CERTAIN, _MOST_DOUBTFUL = 0.8, 5
"""A note with a lower confidence is doubtful; more than so many make no further difference."""
_ALIKE = 0.8
"""The share of notes that found their place in takes of the same music, mistakes included, is at least this."""
_MOST_LISTED = 20
_PITCH_SHARE, _RHYTHM_SHARE, _TEMPO_SHARE = 0.4, 0.4, 0.2
_SHOWN: dict[ComparisonType, tuple[str, ...]] = {
    "rhythm": ("rhythm_accuracy",),
    "pitch": ("pitch_accuracy",),
    "tempo": ("tempo", "tempo_match"),
    "overall": ("tempo", "tempo_match", "pitch_accuracy", "rhythm_accuracy"),
}
ONLY_ONE_VOICE = (
    "Several notes sound at once, and without a reference only the clearest voice of the two takes was compared. Give "
    "reference_type and reference_params (midi_file, song or score) to compare all notes."
)
REFERENCE = (
    "similarity_score 1: the same notes in the same rhythm at the same tempo. Between takes of one player 0.9 or more "
    "is usual; a change of 0.02 in an accuracy is noticeable."
)


def compare_takes(
    first: Recording,
    second: Recording,
    comparison_type: ComparisonType,
    music: ExpectedMusic | None,
    report: Callable[[float], None],
) -> dict[str, Any]:
    """Return the answer of compare_audio."""
    likeness, method = likeness_of(first, second)
    report(0.4)
    if music is not None:
        takes = [_judged(recording, music) for recording in (first, second)]
        found = _with_reference(takes, comparison_type)
    else:
        found = _without_reference(first, second, likeness, comparison_type)
    report(0.9)
    found["similarity_score"] = round(_similarity(likeness, found["differences_all"]["tempo"], comparison_type), 3)
    all_differences = found.pop("differences_all")
    found["differences"] = {name: all_differences[name] for name in _SHOWN[comparison_type] if name in all_differences}
    if music is None and any((polyphony(each) or 0.0) >= SEVERAL_FROM for each in (first, second)):
        found["warnings"] = [ONLY_ONE_VOICE]
    bars = KnownBars(second)
    changes = [_with_bars(fault, bars) for fault in likeness.faults if _concerns(fault, comparison_type)]
    return {
        "comparison_type": comparison_type,
        **found,
        **(
            {}
            if music is not None
            else {"note_differences": changes[:_MOST_LISTED], "note_difference_count": len(changes)}
        ),
        "confidence": round(_confidence(first, likeness), 2),
        "method": method,
        "reference": REFERENCE,
    }


def likeness_of(first: Recording, second: Recording) -> tuple[JudgedTake, str]:
    """Return the second take judged by the first one, and the method.

    A note that is out of tune by the same amount in both takes is no difference.
    """
    notes = find_notes(first).notes
    own, cents = music_of_take(notes), cents_of_take(notes)
    heard = listen_and_align(second, own)
    likeness = judge(own, heard.alignment, heard.judgement)
    faults = [fault for fault in likeness.faults if not _is_in_both(fault, cents)]
    return replace(likeness, faults=faults), heard.method


def _is_in_both(fault: Fault, cents: Sequence[float]) -> bool:
    if fault.kind not in ("sharp", "flat") or fault.expected_index is None or fault.amount is None:
        return False
    return abs(fault.amount - cents[fault.expected_index]) < OUT_OF_TUNE_CENTS


def _with_bars(fault: Fault, bars: KnownBars) -> dict[str, Any]:
    """Return a difference from the first take, with bar and beat of the second take if they are known."""
    return {**describe(fault), "bar": None, "beat": None, **bars.bar_and_beat(fault.time)}


def _confidence(first: Recording, likeness: JudgedTake) -> float:
    if not likeness.music.notes or not likeness.notes:
        return 0.1
    unlike = max(0.0, _ALIKE - placed_share(likeness))
    chance = logistic(_BIAS - _PER_DOUBT * doubtful_notes(first, likeness) - _PER_UNLIKE * unlike)
    return share_of_enough_notes(likeness) * chance


def doubtful_notes(first: Recording, likeness: JudgedTake) -> int:
    """Return how many notes of both takes are not certain, at most `_MOST_DOUBTFUL`."""
    notes = [*find_notes(first).notes, *likeness.alignment.played]
    return min(sum(note.confidence < _CERTAIN for note in notes), _MOST_DOUBTFUL)


def music_of_take(notes: Sequence[PlayedNote]) -> ExpectedMusic:
    """Return played notes as expected music, with one bar and any tempo, because bars are not known."""
    zero = min((note.start for note in notes), default=0.0)
    found = [
        ExpectedNote(note.start - zero, note.end - zero, pitch, Pitch.from_midi(pitch).typed_name, 1, 1.0)
        for (_, pitch), note in _by_place(notes).items()
    ]
    return ExpectedMusic("the first take", tuple(found), (ExpectedBar(1, 0.0),), 60.0, False)


def cents_of_take(notes: Sequence[PlayedNote]) -> list[float]:
    """Return how many cents each note of `music_of_take` is above its pitch in the tuning of the take."""
    tuning = tuning_offset(notes)
    return [100 * (note.pitch - tuning - pitch) for (_, pitch), note in _by_place(notes).items()]


def _by_place(notes: Sequence[PlayedNote]) -> dict[tuple[float, int], PlayedNote]:
    """Return the notes in order by their start and their semitone in the tuning of the take."""
    tuning = tuning_offset(notes)
    return {(round(note.start, 4), min(max(round(note.pitch - tuning), 0), 127)): note for note in sorted(notes)}


def _judged(recording: Recording, music: ExpectedMusic) -> tuple[JudgedTake, TakeScores]:
    heard = listen_and_align(recording, music)
    take = judge(*in_played_octave(music, heard.alignment), heard.judgement)
    return take, scores_of(take)


def _with_reference(takes: Sequence[tuple[JudgedTake, TakeScores]], comparison_type: ComparisonType) -> dict[str, Any]:
    (before, old), (after, new) = takes
    differences = {
        "tempo": _tempo(old.bpm, new.bpm),
        "pitch_accuracy": _accuracy(old.pitch_accuracy, new.pitch_accuracy),
        "rhythm_accuracy": _accuracy(old.rhythm_accuracy, new.rhythm_accuracy),
    }
    improvements, regressions = _changes(differences, comparison_type)
    if before.music.has_tempo and "tempo" in _SHOWN[comparison_type]:
        differences["tempo_match"] = _accuracy(old.tempo_match, new.tempo_match)
        gain = new.tempo_match - old.tempo_match
        improvements += ["tempo_match"] if gain >= _NOTICEABLE else []
        regressions += ["tempo_match"] if gain <= -_NOTICEABLE else []
    keys_before = {_key(fault): fault for fault in before.faults if _concerns(fault, comparison_type)}
    keys_after = {_key(fault): fault for fault in after.faults if _concerns(fault, comparison_type)}
    fixed = [fault for key, fault in keys_before.items() if key not in keys_after]
    new_faults = [fault for key, fault in keys_after.items() if key not in keys_before]
    still = [fault for key, fault in keys_after.items() if key in keys_before]
    return {
        "differences_all": differences,
        "improvements": improvements,
        "regressions": regressions,
        "fixed_errors": [describe(fault) for fault in fixed[:_MOST_LISTED]],
        "new_errors": [describe(fault) for fault in new_faults[:_MOST_LISTED]],
        "remaining_errors": [describe(fault) for fault in still[:_MOST_LISTED]],
        "error_counts": {"audio1": len(before.faults), "audio2": len(after.faults)},
    }


def _key(fault: Fault) -> tuple[str, int | None, int, float]:
    """Return what two takes have in common if they have the same fault."""
    group = "timing" if fault.kind in ("early", "late") else fault.kind
    return group, fault.expected_index, fault.bar, round(fault.beat, 2)


def _without_reference(
    first: Recording, second: Recording, likeness: JudgedTake, comparison_type: ComparisonType
) -> dict[str, Any]:
    old, new = _analyses(first), _analyses(second)
    tempo = old["bpm"]
    faster = score(likeness).bpm  # the first take counts as 60 bpm
    other = tempo * faster / 60 if tempo and faster and placed_share(likeness) > 0.5 else new["bpm"]
    differences = {
        "tempo": _tempo(tempo, other),
        "pitch_accuracy": _accuracy(old["pitch"], new["pitch"]),
        "rhythm_accuracy": _accuracy(old["rhythm"], new["rhythm"]),
    }
    improvements, regressions = _changes(differences, comparison_type)
    return {"differences_all": differences, "improvements": improvements, "regressions": regressions}


def _analyses(recording: Recording) -> dict[str, float | None]:
    def ask(tool: str, field: str) -> float | None:
        value = importlib.import_module(ANSWER_OF_RECORDING[tool]).answer(recording, {}).get(field)
        return None if value is None else float(value)

    return {
        "pitch": ask("detect_pitch", "intonation_accuracy"),
        "rhythm": ask("analyze_rhythm", "timing_accuracy"),
        "bpm": ask("analyze_tempo", "bpm"),
    }


def _tempo(old: float | None, new: float | None) -> dict[str, float | None]:
    difference = None if old is None or new is None else round(abs(old - new), 1)
    return {"audio1": _rounded(old, 1), "audio2": _rounded(new, 1), "difference": difference}


def _accuracy(old: float | None, new: float | None) -> dict[str, float | None]:
    gain = None if old is None or new is None else round(new - old, 3)
    return {"audio1": _rounded(old, 3), "audio2": _rounded(new, 3), "improvement": gain}


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _changes(
    differences: dict[str, dict[str, float | None]], comparison_type: ComparisonType
) -> tuple[list[str], list[str]]:
    gains = {
        name: differences[name]["improvement"] or 0.0
        for name in _SHOWN[comparison_type]
        if "improvement" in differences.get(name, {})
    }
    return (
        [name for name, gain in gains.items() if gain >= _NOTICEABLE],
        [name for name, gain in gains.items() if gain <= -_NOTICEABLE],
    )


def _similarity(likeness: JudgedTake, tempo: dict[str, float | None], comparison_type: ComparisonType) -> float:
    scores = score(likeness)
    old, new = tempo["audio1"], tempo["audio2"]
    pace = min(old, new) / max(old, new) if old and new else 0.0
    rhythm = scores.rhythm_accuracy * min(1.0, placed_share(likeness) / 0.5)
    played = 1 - mean(likeness.is_left_out) if likeness.is_left_out else 0.0
    match comparison_type:
        case "pitch":
            return played * scores.pitch_accuracy
        case "rhythm":
            return played * rhythm
        case "tempo":
            return pace
        case _:
            return played * (_PITCH_SHARE * scores.pitch_accuracy + _RHYTHM_SHARE * rhythm + _TEMPO_SHARE * pace)


def _concerns(fault: Fault, comparison_type: ComparisonType) -> bool:
    is_rhythm = fault.kind in ("early", "late", "too_short", "too_long")
    if comparison_type == "rhythm":
        return is_rhythm
    if comparison_type == "pitch":
        return not is_rhythm
    return comparison_type == "overall"
