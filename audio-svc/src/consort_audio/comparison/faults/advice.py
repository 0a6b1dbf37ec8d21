"""The worst spots of a take, and what to practise there.

A spot is a stretch of up to two bars in which neighbouring faults are less than three beats apart. Its weight is the
sum of the weights of its faults (minor 1, moderate 2, major 4). The three heaviest spots that do not overlap are
returned, the heaviest first. The advice follows from the kinds of faults that weigh most there, and starts from a tempo
at which the notes have time: 60% of the player's tempo, or of the asked one if that is slower, for wrong and missing
notes, and 75% otherwise.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from consort_audio.comparison.faults.faults import WEIGHTS, Fault
from consort_audio.comparison.faults.judging import JudgedTake

MOST_SPOTS = 3
_BARS = 2
_GAP_BEATS, _GAP_S = 3.0, 1.0
"""Faults further apart than this, whichever is longer, are in different spots."""
_MOST_NOTES = 8
_NOTES_TEMPO, _OTHER_TEMPO = 0.6, 0.75
_NOTES = ("wrong_note", "missing_note", "extra_note", "wrong_octave")
_TIMING = ("early", "late")
_LENGTHS = ("too_short", "too_long")


class WorstSpot(NamedTuple):
    first_bar: int
    last_bar: int
    start: float
    """In seconds of the take."""
    end: float
    problem: str
    advice: str


def worst_spots(take: JudgedTake, bpm: float | None) -> list[WorstSpot]:
    """Return up to three spots, the worst first. `bpm` is the player's tempo."""
    left = sorted(take.faults, key=lambda fault: fault.time)
    gap = max(_GAP_BEATS * 60 / bpm if bpm else 0.0, _GAP_S)
    found: list[WorstSpot] = []
    while left and len(found) < MOST_SPOTS:
        chosen = max(
            (_near(left[place:], gap) for place in range(len(left))), key=lambda group: (_weight(group), -group[0].time)
        )
        found.append(_spot(take, chosen, bpm))
        left = [fault for fault in left if fault not in chosen]
    return found


def _near(faults: Sequence[Fault], gap: float) -> list[Fault]:
    """Return the first fault and those that follow it closely. Another pass through the same bars is another spot."""
    found = [faults[0]]
    for fault in faults[1:]:
        if fault.time - found[-1].time >= gap or not 0 <= fault.bar - found[0].bar < _BARS:
            break
        found.append(fault)
    return found


def _weight(faults: Sequence[Fault]) -> float:
    return sum(WEIGHTS[fault.severity] for fault in faults)


def _spot(take: JudgedTake, faults: Sequence[Fault], bpm: float | None) -> WorstSpot:
    first_bar, last_bar = min(fault.bar for fault in faults), max(fault.bar for fault in faults)
    texts = [fault.text for fault in faults]
    problem = "; ".join(texts[:4]) + (f"; and {len(texts) - 4} more" if len(texts) > 4 else "")
    return WorstSpot(
        first_bar,
        last_bar,
        min(fault.time for fault in faults),
        max(fault.time for fault in faults),
        problem,
        _advice(take, faults, bpm),
    )


def _advice(take: JudgedTake, faults: Sequence[Fault], bpm: float | None) -> str:
    weights: Counter[str] = Counter()
    for fault in faults:
        weights[_subject(fault.kind)] += round(WEIGHTS[fault.severity])
    subject = weights.most_common(1)[0][0]
    where = _where(faults)
    notes = _notes_around(take, faults)
    share = _NOTES_TEMPO if subject == "notes" else _OTHER_TEMPO
    if bpm and take.music.has_tempo:
        bpm = min(bpm, take.music.bpm)
    tempo = f" at {_round_tempo(bpm * share)} BPM" if bpm else " slowly"
    faster = f", then 5 BPM faster until {_round_tempo(bpm)}" if bpm else ""
    match subject:
        case "notes":
            return f"{where}: play {notes} three times without a mistake{tempo}{faster}."
        case "timing":
            clap = "with a metronome on the smallest note value"
            return f"{where}: play {notes} {clap}{tempo}{faster}. Count aloud before you play."
        case "lengths":
            short = [fault for fault in faults if fault.kind == "too_short"]
            held = "hold each note until the next begins" if short else "release each note on time, and count the rests"
            return f"{where}: play {notes}{tempo} and {held}."
        case _:
            names = ", ".join(
                dict.fromkeys(fault.expected or "" for fault in faults if _subject(fault.kind) == "tuning")
            )
            return f"{where}: hold {names} for four beats against a drone or tuner, then play {notes}{tempo}."


def _subject(kind: str) -> str:
    if kind in _NOTES:
        return "notes"
    return "timing" if kind in _TIMING else "lengths" if kind in _LENGTHS else "tuning"


def _where(faults: Sequence[Fault]) -> str:
    first, last = min(fault.bar for fault in faults), max(fault.bar for fault in faults)
    if first != last:
        return f"Bars {first} and {last}" if last == first + 1 else f"Bars {first} to {last}"
    beats = sorted({int(fault.beat) for fault in faults})
    return f"Bar {first}, beat {beats[0]}" if len(beats) == 1 else f"Bar {first}, beats {beats[0]} to {beats[-1]}"


def _notes_around(take: JudgedTake, faults: Sequence[Fault]) -> str:
    """Return the expected notes from one before the first fault to one after the last."""
    places = [fault.expected_index for fault in faults if fault.expected_index is not None]
    notes = take.music.notes
    if not places:
        bars = {fault.bar for fault in faults}
        names = [note.name for note in notes if note.bar in bars]
    else:
        names = [note.name for note in notes[max(min(places) - 1, 0) : max(places) + 2]]
    if len(names) > _MOST_NOTES:
        return f"{' '.join(names[: _MOST_NOTES // 2])} … {' '.join(names[-2:])}"
    return " ".join(names) or "it"


def _round_tempo(bpm: float) -> int:
    return max(round(bpm / 2) * 2, 20)
