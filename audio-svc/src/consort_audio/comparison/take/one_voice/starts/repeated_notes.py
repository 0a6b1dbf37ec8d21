"""Find repeated notes inside runs of one pitch, where the reference expects them.

A run that is matched with several expected notes is cut near their due times: at the clearest beginning there. If none
is clear, the note is still taken as played if its pitch sounds in its time: soft repetitions leave no trace in the
sound. On an instrument with hard attacks a repetition cannot be silent: if nothing is struck, the note is missing.

A run is cut elsewhere only where a note begins very clearly: that is an extra note.
"""

from collections.abc import Sequence

from consort_audio.comparison.take.one_voice.evidence.take_evidence import Beginning, TakeEvidence
from consort_audio.comparison.take.one_voice.pitch_runs import PitchRun
from consort_audio.signals.played_notes import PlayedNote

CLEAR = 0.55
"""From this clarity on, a beginning is believed where one is expected."""
_CLEAR_UNEXPECTED = 2.2
_STRUCK = 0.4
_SOUNDS = 0.6
_REST_S, _REST_DB = 0.06, 14.0
"""A gap so long, in which the level falls by so much, is a rest."""
_WINDOW_SHARE, _LONGEST_WINDOW_S = 0.55, 0.24
_SHORTEST_S = 0.09


def cut_run(run: PitchRun, due: Sequence[float], lengths: Sequence[float], evidence: TakeEvidence) -> list[PlayedNote]:
    """Cut a run into notes. `due` are the expected starts in the take, `lengths` the expected lengths, in seconds.

    The first start is that of the run.
    """
    whole = run.note
    shift = whole.start - due[0]
    starts = [whole.start]
    candidates, rests = _candidates(run, evidence)
    silent: list[float] = []
    for place, time in enumerate(due[1:], start=1):
        expected = time + (shift if abs(shift) < 0.1 else 0.0)
        window = min(_WINDOW_SHARE * (time - due[place - 1]), _LONGEST_WINDOW_S)
        best = _best(candidates, expected, window, starts[-1])
        end = expected + 0.6 * lengths[place]
        if best is not None and best.clarity >= CLEAR and (best.strength >= _STRUCK or not evidence.is_plucked):
            starts.append(best.time)
        elif evidence.sounding_share(expected + 0.02, end, whole.pitch) < _SOUNDS:
            silent.append(expected)
        elif evidence.is_plucked:
            struck = evidence.strike(whole.pitch, max(expected - window, starts[-1] + _SHORTEST_S), expected + window)
            if struck is not None:
                starts.append(struck)
        elif expected < whole.end - _SHORTEST_S / 2 and expected - starts[-1] > _SHORTEST_S:
            starts.append(expected)
    for each in candidates:
        is_free = all(abs(each.time - start) > _SHORTEST_S for start in starts)
        least_dip = 4.0 if evidence.is_plucked else _REST_DB
        is_struck = each.clarity >= _CLEAR_UNEXPECTED and each.dip_db >= least_dip and each.strength >= 0.6
        if is_free and (is_struck or each.time in rests) and each.time < whole.end - _SHORTEST_S:
            starts.append(each.time)
    return _notes(run, sorted(starts))


def _candidates(run: PitchRun, evidence: TakeEvidence) -> tuple[list[Beginning], set[float]]:
    """Return the beginnings inside a run, and the times of those that come after a rest."""
    rests: set[float] = set()
    found = evidence.beginnings(run.note.start + _SHORTEST_S, run.note.end - 0.04)
    for before, after in zip(run.parts, run.parts[1:], strict=False):
        gap = after.start - before.end
        if gap > 0.03:
            near = [each for each in found if abs(each.time - after.start) <= 0.04]
            found = [each for each in found if each not in near]
            dip = max([each.dip_db for each in near] + [evidence.dip(after.start)])
            if gap >= _REST_S:
                dip = max(dip, evidence.fall(before.end, after.start))
                if dip >= _REST_DB:
                    rests.add(after.start)
            strength = max([each.strength for each in near] + [0.3])
            found.append(Beginning(after.start, strength, max(dip, 4.0)))
    return sorted(found), rests


def _best(candidates: Sequence[Beginning], expected: float, window: float, after: float) -> Beginning | None:
    near = [each for each in candidates if abs(each.time - expected) <= window and each.time - after >= _SHORTEST_S]
    return max(near, key=lambda each: each.clarity * (1 - 0.5 * abs(each.time - expected) / window), default=None)


def _notes(run: PitchRun, starts: Sequence[float]) -> list[PlayedNote]:
    """Return the notes of a run that begin at these times. A note ends where the sound ends or the next one begins."""
    found = []
    for place, start in enumerate(starts):
        until = starts[place + 1] if place + 1 < len(starts) else run.note.end
        inside = [part for part in run.parts if part.start < until - 0.02 and part.end > start + 0.02]
        end = min(until, max((part.end for part in inside), default=until))
        lengths = [max(min(part.end, until) - max(part.start, start), 0.01) for part in inside]
        pitch = (
            sum(part.pitch * length for part, length in zip(inside, lengths, strict=True)) / sum(lengths)
            if inside
            else run.note.pitch
        )
        found.append(PlayedNote(start, max(end, start + 0.03), pitch, run.note.confidence, run.note.velocity))
    return found
