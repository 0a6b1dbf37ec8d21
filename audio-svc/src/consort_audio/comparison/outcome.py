"""Put a judged take into the words and fields of compare_to_reference's answer.

The confidence is the probability that the list of faults is exactly right, restarts included: 0.98 m for MIDI, where m
is the share of the played notes that found their place, and for audio

    1 / (1 + exp(11.91 - 16.92 c + 0.76 n + 0.29 d))

where c is the mean confidence of the notes, n the number of faults and restarts, and d the median deviation of the
notes from the take's tuning in cents. It was fitted on 569 takes of one voice. Takes with chords get 0.8 of it, without
d: of 80 takes of the tune part 60 were exactly right. A take with fewer than four right notes may be of any music:
its confidence is multiplied by a quarter for each right note.
"""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from statistics import mean, median
from typing import Any

from consort_audio.analysis.calibration import logistic
from consort_audio.comparison.align.note_pairs import PlayedPass
from consort_audio.comparison.faults.advice import WorstSpot, worst_spots
from consort_audio.comparison.faults.faults import Fault
from consort_audio.comparison.faults.judging import JudgedTake
from consort_audio.comparison.faults.scores import NOTHING_PLAYED, TakeScores, score

MOST_ERRORS = 60
"""Further errors are only counted."""
_UNLIKE = 0.3
"""Below this share of placed notes, the take is not a take of this reference."""
_BIAS, _HEARD, _PER_FAULT, _PER_CENT = -11.91, 16.92, 0.76, 0.29
_CHORDS_FACTOR = 0.8
_ENOUGH_NOTES = 4
_SEVERITIES = ("major", "moderate", "minor")
_OUT_OF_TUNE_CENTS = 15.0
REFERENCE = (
    "Good: pitch_accuracy and rhythm_accuracy of 0.95 or more and no major errors; tempo_match of 0.9 or more. Times "
    "are judged against the player's own tempo, pitch against the take's own tuning."
)


def outcome(take: JudgedTake, method: str, is_audio: bool) -> dict[str, Any]:
    """Return the fields that the answers about one take have in common."""
    placed = placed_share(take)
    is_alike = is_of_reference(take)
    scores = scores_of(take)
    faults = take.faults if is_alike else []
    shown = _most_severe(faults)
    answer: dict[str, Any] = {
        "comparison": {
            "pitch_accuracy": round(scores.pitch_accuracy, 3),
            "rhythm_accuracy": round(scores.rhythm_accuracy, 3),
            "tempo_match": round(scores.tempo_match, 3),
            "overall": round(scores.overall, 3),
        },
        "completeness": round(scores.completeness, 3),
        "errors": [describe(fault) for fault in shown],
        "error_count": len(faults),
        "error_types": dict(Counter(fault.kind for fault in faults)),
        "worst_spots": [_describe_spot(spot) for spot in worst_spots(take, scores.bpm)] if is_alike else [],
        "remarks": _remarks(take, scores, is_alike),
        "restarts": _restarts(take) if is_alike else [],
        "confidence": round(share_of_enough_notes(take) * _confidence(take, placed, is_audio), 2),
        "method": method,
        "reference": REFERENCE,
    }
    if scores.bpm:
        answer["tempo"] = {"played": round(scores.bpm, 1)} | (
            {"expected": round(take.music.bpm, 1)} if take.music.has_tempo else {}
        )
    if is_audio and take.notes:
        answer["tuning_cents"] = round(take.tuning_cents)
    if take.music.warnings:
        answer["warnings"] = list(take.music.warnings)
    return answer


def not_judged(take: JudgedTake, method: str, reason: str) -> dict[str, Any]:
    """Return the answer about a recording that cannot be judged: scores of 0, no errors, and the reason."""
    nothing = replace(take, alignment=replace(take.alignment, passes=[], played=[]), notes=[], faults=[])
    return outcome(nothing, method, is_audio=True) | {"remarks": [reason]}


def describe(fault: Fault) -> dict[str, Any]:
    """Return a fault as an item of `errors`."""
    found: dict[str, Any] = {
        "time": round(fault.time, 2),
        "type": fault.kind,
        "expected": fault.expected,
        "played": fault.played,
        "bar": fault.bar,
        "beat": round(fault.beat, 2),
        "severity": fault.severity,
    }
    if fault.amount is not None:
        unit = {"early": "deviation_ms", "late": "deviation_ms", "sharp": "cents", "flat": "cents"}
        found[unit.get(fault.kind, "length_ratio")] = fault.amount
    return {name: value for name, value in found.items() if value is not None}


def placed_share(take: JudgedTake) -> float:
    """Return the share of the played notes that have the right pitch at their place in the music."""
    played = len(take.alignment.played)
    return sum(note.is_right for note in take.notes) / played if played else 0.0


def is_of_reference(take: JudgedTake) -> bool:
    """Return whether a take resembles the music enough to be judged."""
    return bool(take.notes) and placed_share(take) >= _UNLIKE


def scores_of(take: JudgedTake) -> TakeScores:
    """Return the scores of a take; all 0 if it is not of this music: notes that fit by chance do not count."""
    return score(take) if is_of_reference(take) else NOTHING_PLAYED


def share_of_enough_notes(take: JudgedTake) -> float:
    """Return how many of four notes (of shorter music: of all) are right, 0..1. Fewer may be of any music."""
    right = sum(note.is_right for note in take.notes)
    return min(right / min(_ENOUGH_NOTES, len(take.music.notes)), 1.0) if take.notes else 1.0


def _most_severe(faults: list[Fault]) -> list[Fault]:
    if len(faults) <= MOST_ERRORS:
        return faults
    kept = sorted(faults, key=lambda fault: _SEVERITIES.index(fault.severity))[:MOST_ERRORS]
    return sorted(kept, key=lambda fault: fault.time)


def _describe_spot(spot: WorstSpot) -> dict[str, Any]:
    bars = f"{spot.first_bar}" if spot.first_bar == spot.last_bar else f"{spot.first_bar}-{spot.last_bar}"
    return {
        "bars": bars,
        "time": round(spot.start, 2),
        "end_time": round(spot.end, 2),
        "problem": spot.problem,
        "advice": spot.advice,
    }


def _confidence(take: JudgedTake, placed: float, is_audio: bool) -> float:
    if not is_of_reference(take):
        return 0.1
    if not is_audio:
        return 0.98 * placed
    heard = mean(take.alignment.played[note.played].confidence for note in take.notes)
    faults = len(take.faults) + len(take.alignment.passes) - 1
    cents = median([abs(note.cents) for note in take.notes if note.is_right])
    if take.music.is_polyphonic:
        return _CHORDS_FACTOR * logistic(_BIAS + _HEARD * heard - _PER_FAULT * faults)
    return logistic(_BIAS + _HEARD * heard - _PER_FAULT * faults - _PER_CENT * cents)


def _remarks(take: JudgedTake, scores: TakeScores, is_alike: bool) -> list[str]:
    alignment, music = take.alignment, take.music
    if not alignment.played:
        return ["No notes were heard in this take."]
    if not is_alike:
        return [
            "This take hardly resembles the reference, so all scores are 0 and no errors are listed. Check the "
            "reference, or record again."
        ]
    found = []
    if alignment.semitones and not (music.is_any_octave and alignment.semitones % 12 == 0):
        found.append(_transposed(alignment.semitones))
    if abs(take.tuning_cents) >= _OUT_OF_TUNE_CENTS:
        direction = "sharp" if take.tuning_cents > 0 else "flat"
        found.append(f"The whole take is {abs(take.tuning_cents):.0f} cents {direction} of A = 440 Hz; tune first.")
    if scores.bpm and music.has_tempo and not 0.93 <= scores.bpm / music.bpm <= 1.07:
        kind = "slower" if scores.bpm < music.bpm else "faster"
        found.append(f"Played at {scores.bpm:.0f} BPM, {kind} than {music.bpm:.0f}. That is no error by itself.")
    left_out = [note.bar for note, is_left_out in zip(music.notes, take.is_left_out, strict=True) if is_left_out]
    if left_out:
        played = sorted({music.notes[note.expected].bar for note in take.notes})
        bars = f"bars {played[0]} to {played[-1]} were" if played[0] != played[-1] else f"bar {played[0]} was"
        found.append(f"Only {bars} played; the others are not judged.")
    if alignment.other_bars:
        first, last = music.notes[0].bar, max(note.bar for note in music.notes)
        asked = f"bar {first}" if first == last else f"bars {first} to {last}"
        found.append(f"More than {asked} was played; {alignment.other_bars} notes of other bars are not judged.")
    found += [f"At {each['time']:.1f} s the player {each['text']}." for each in _restarts(take)]
    return found


def _transposed(semitones: int) -> str:
    direction = "higher" if semitones > 0 else "lower"
    if semitones % 12 == 0:
        octaves = abs(semitones) // 12
        return f"The whole take is {'an octave' if octaves == 1 else f'{octaves} octaves'} {direction} than written."
    count = abs(semitones)
    return f"The whole take is {count} semitone{'s' if count > 1 else ''} {direction} than written."


def _restarts(take: JudgedTake) -> list[dict[str, Any]]:
    found = []
    passes = take.alignment.passes
    for before, after in pairwise(passes):
        found.append({"time": round(after.begin, 2), **_jump(take, before, after)})
    return found


def _jump(take: JudgedTake, before: PlayedPass, after: PlayedPass) -> dict[str, Any]:
    notes = take.music.notes
    stopped, went_on = notes[before.last], notes[after.first]
    place = f"bar {went_on.bar}, beat {went_on.beat:g}"
    if after.first > before.last:
        text = f"skipped to {place}"
    elif before.last >= len(notes) - 1 and after.first == 0:
        text = "played it again from the beginning"
    else:
        text = f"stopped in bar {stopped.bar} and started again at {place}"
    return {"from_bar": stopped.bar, "to_bar": went_on.bar, "text": text}
