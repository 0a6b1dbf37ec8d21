"""The scores of a take, from 0 to 1.

- pitch_accuracy = sum of credits / (expected notes + extra notes). The credit of an expected note is 1 if it was played
  with the right pitch, 0.75, 0.5 or 0.25 if it was out of tune (minor, moderate, major), 0.5 in the wrong octave, and 0
  if it was wrong or missing. An extra note shorter than 0.12 s counts half.
- rhythm_accuracy = mean over the played notes of timing credit x length credit. The timing credit is 1 within the
  tolerance and falls linearly to 0 at four times the tolerance. The length credit is 1, or 0.7 (minor), 0.5, 0.3 for a
  note that is too short or too long.
- tempo_match = mean over the notes of min(played tempo / asked tempo, asked tempo / played tempo): 109 bpm instead of
  120 is 0.91. If no tempo was asked for, the asked tempo is the median of the take: then it says how steady it is.
- overall = (pitch_accuracy + rhythm_accuracy) / 2. Practising slowly is no fault, so the tempo does not count.

Notes of a part that was played twice count twice. Parts at the start and end that were not played are left out, and
`completeness` is the share of the expected notes that are in the take.
"""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from consort_audio.comparison.faults.faults import Fault
from consort_audio.comparison.faults.judging import JudgedNote, JudgedTake

_TUNING_CREDIT = {"minor": 0.75, "moderate": 0.5, "major": 0.25}
_LENGTH_CREDIT = {"minor": 0.7, "moderate": 0.5, "major": 0.3}
_OCTAVE_CREDIT = 0.5
_SHORT_EXTRA = 0.5


class TakeScores(NamedTuple):
    pitch_accuracy: float
    rhythm_accuracy: float
    tempo_match: float
    overall: float
    completeness: float
    bpm: float | None
    """The median tempo of the take, in quarter notes per minute."""


NOTHING_PLAYED = TakeScores(0.0, 0.0, 0.0, 0.0, 0.0, None)


def score(take: JudgedTake) -> TakeScores:
    """Return the scores of a take; all 0 if nothing was played."""
    if not take.notes:
        return NOTHING_PLAYED
    pitch, rhythm = _pitch(take), _rhythm(take)
    tempo, bpm = _tempo(take)
    played = len({note.expected for note in take.notes})
    return TakeScores(pitch, rhythm, tempo, (pitch + rhythm) / 2, played / len(take.music.notes), bpm)


def _pitch(take: JudgedTake) -> float:
    credit = float(sum(note.is_right for note in take.notes))
    total = float(len(take.notes))
    for fault in take.faults:
        match fault.kind:
            case "wrong_octave":
                credit += _OCTAVE_CREDIT
            case "sharp" | "flat":
                credit -= 1 - _TUNING_CREDIT[fault.severity]
            case "missing_note":
                total += 1
            case "extra_note":
                total += _SHORT_EXTRA if fault.severity == "minor" else 1
            case _:
                pass
    return max(credit, 0.0) / max(total, 1.0)


def _rhythm(take: JudgedTake) -> float:
    lengths = {fault.played_index: fault for fault in take.faults if fault.kind in ("too_short", "too_long")}
    waits = _waits(take.faults)
    credits = []
    for note in take.notes:
        late = max(abs(note.late_s), waits.get(note.played, 0.0))
        timing = 1 - min(max(late / take.tolerance_s - 1, 0) / 3, 1)
        fault = lengths.get(note.played)
        credits.append(timing * (_LENGTH_CREDIT[fault.severity] if fault else 1.0))
    return sum(credits) / len(credits)


def _waits(faults: Sequence[Fault]) -> dict[int | None, float]:
    return {fault.played_index: abs(fault.amount or 0) / 1000 for fault in faults if fault.kind in ("early", "late")}


def _tempo(take: JudgedTake) -> tuple[float, float | None]:
    tempos = [1 / note.tempo for note in _distinct(take.notes) if note.tempo > 0]
    if not tempos:
        return 0.0, None
    usual = median(tempos)
    asked = 1.0 if take.music.has_tempo else usual
    match = sum(min(tempo / asked, asked / tempo) for tempo in tempos) / len(tempos)
    return match, usual * take.music.bpm


def _distinct(notes: Sequence[JudgedNote]) -> list[JudgedNote]:
    return list({(note.expected, note.played): note for note in notes}.values())
