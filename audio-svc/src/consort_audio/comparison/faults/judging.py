"""Find the faults of an alignment."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.align.note_pairs import NotePair, PlayedPass
from consort_audio.comparison.faults.faults import Fault
from consort_audio.comparison.faults.limits import (
    LEAST_LENGTH_DIFFERENCE_S,
    LOW_PITCH,
    MOST_CENTS,
    MOST_TOLERANCE_S,
    SCATTERS,
    TOO_LONG,
    TOO_SHORT,
    TUNING_SCATTERS,
    WRONG_CENTS,
    Judgement,
    length_severity,
    timing_severity,
    tuning_factor,
    tuning_severity,
)
from consort_audio.comparison.faults.unpaired_notes import extra_notes, missing_notes, notes_left_out
from consort_audio.comparison.reference.expected_music import ExpectedMusic, ExpectedNote

_FEWEST_FOR_SCATTER = 4
_CUT_OFF_S = 0.08
_REST_S = 0.15
_LEGATO_S = 0.03
_MOST_SPREAD = 0.3
_SPREADS = 3.0
_FEWEST_FOR_ARTICULATION = 3
_ALIKE = 0.2
"""Lengths that differ by a smaller share are alike."""


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """A pair of notes with its deviations."""

    expected: int
    played: int
    is_right: bool
    late_s: float
    """Behind the player's tempo curve."""
    cents: float
    """Above the tuning of the take."""
    length_ratio: float | None
    """Played over expected length, relative to the usual one of the take; None if it cannot be judged."""
    tempo: float
    """The player's seconds per written second at this note."""


@dataclass(frozen=True, slots=True)
class JudgedTake:
    music: ExpectedMusic
    alignment: Alignment
    notes: list[JudgedNote]
    faults: list[Fault]
    """Sorted by time."""
    tolerance_s: float
    tuning_cents: float
    """How sharp the take is as a whole."""
    is_left_out: list[bool]
    """For each expected note: whether it is in a part at the start or end that was not played at all."""


class _NoteLimits(NamedTuple):
    """From which deviations on a note of this take has a fault."""

    tolerance_s: float
    repeat_tolerance_s: float
    cents: float | None
    """None: tuning is not judged."""


def judge(music: ExpectedMusic, alignment: Alignment, judgement: Judgement) -> JudgedTake:
    """Find the faults of a take."""
    offset = _tuning(music, alignment)
    notes = [note for each in alignment.passes for note in _judged_notes(music, alignment, each, offset, judgement)]
    tolerance = _tolerance(notes, judgement)
    limits = _NoteLimits(
        tolerance, judgement.repeat_tolerance_s, _most_cents(notes, judgement) if judgement.judges_tuning else None
    )
    notes = _without_usual_shortness(music, alignment, _with_relative_lengths(notes))
    left_out = notes_left_out(music, alignment.passes)
    faults = [fault for note in notes for fault in _faults_of(music, alignment, note, limits)]
    faults += _hesitations(music, alignment, limits)
    faults += missing_notes(music, alignment, left_out)
    faults += extra_notes(music, alignment)
    faults = _without_consequences(faults)
    unique = {(fault.kind, fault.expected_index, fault.played_index, round(fault.time, 3)): fault for fault in faults}
    ordered = sorted(unique.values(), key=lambda fault: (fault.time, fault.bar, fault.beat))
    return JudgedTake(music, alignment, notes, ordered, tolerance, 100 * (alignment.tuning + offset), left_out)


def _without_consequences(faults: Sequence[Fault]) -> list[Fault]:
    """Leave out notes that are too long because the next one is missing, or too short because it is early."""
    missing = {fault.expected_index for fault in faults if fault.kind == "missing_note"}
    early = {fault.expected_index for fault in faults if fault.kind == "early"}
    causes = {"too_long": missing, "too_short": early}
    return [
        fault
        for fault in faults
        if fault.expected_index is None or fault.expected_index + 1 not in causes.get(fault.kind, set())
    ]


def _tuning(music: ExpectedMusic, alignment: Alignment) -> float:
    """Return the median deviation of the right notes from the tuning that was assumed, in semitones."""
    away = [
        alignment.played[pair.played].pitch - alignment.tuning - alignment.semitones - music.notes[pair.expected].pitch
        for each in alignment.passes
        for pair in each.pairs
        if alignment.pitches[pair.played] == music.notes[pair.expected].pitch
    ]
    return median(away) if away else 0.0


def _judged_notes(
    music: ExpectedMusic, alignment: Alignment, each: PlayedPass, offset: float, judgement: Judgement
) -> list[JudgedNote]:
    curve = each.curve
    assert curve is not None
    found = []
    final = max(music.notes[pair.expected].start for pair in each.pairs)
    paired = {pair.played for pair in each.pairs}
    for pair in each.pairs:
        note, heard = music.notes[pair.expected], alignment.played[pair.played]
        tempo = curve.local_tempo(note.start)
        cents = 100 * (heard.pitch - alignment.tuning - alignment.semitones - offset - note.pitch)
        is_right = alignment.pitches[pair.played] == note.pitch or (
            judgement.judges_tuning and abs(cents) < WRONG_CENTS
        )
        ratio: float | None = None
        length = max((note.end - note.start) * tempo, 0.01)
        until = max(heard.end, heard.start + length)
        if judgement.judges_lengths and is_right and note.start < final:
            start = min(heard.start, curve.at(note.start)) if _is_legato(alignment, pair.played) else heard.start
            ratio = None if _is_cut_off(alignment, pair, until, paired) else (heard.end - start) / length
        found.append(
            JudgedNote(pair.expected, pair.played, is_right, heard.start - curve.at(note.start), cents, ratio, tempo)
        )
    return found


def _is_legato(alignment: Alignment, played: int) -> bool:
    """Return whether the note before goes on until this one begins: then it may have hidden its beginning."""
    return played > 0 and alignment.played[played].start - alignment.played[played - 1].end < _LEGATO_S


def _is_cut_off(alignment: Alignment, pair: NotePair, until: float, paired: Collection[int]) -> bool:
    """Return whether an extra note starts before this one should have ended, so that its length says nothing."""
    for index in range(pair.played + 1, len(alignment.played)):
        later = alignment.played[index]
        if later.start > until + _CUT_OFF_S:
            return False
        if index not in paired:
            return True
    return False


def _tolerance(notes: Sequence[JudgedNote], judgement: Judgement) -> float:
    least = judgement.least_tolerance_s
    if len(notes) < _FEWEST_FOR_SCATTER:
        return least
    scatter = 1.4826 * median(abs(note.late_s) for note in notes)
    return min(max(SCATTERS * scatter, least), MOST_TOLERANCE_S)


def _most_cents(notes: Sequence[JudgedNote], judgement: Judgement) -> float:
    """Return from how many cents on a note is out of tune: more if the notes of the take scatter, as a choir's do."""
    cents = [note.cents for note in notes if note.is_right]
    if len(cents) < _FEWEST_FOR_SCATTER:
        return judgement.least_cents
    scatter = 1.4826 * median(abs(each) for each in cents)
    return min(max(TUNING_SCATTERS * scatter, judgement.least_cents), MOST_CENTS)


def _with_relative_lengths(notes: Sequence[JudgedNote]) -> list[JudgedNote]:
    """Divide the ratios of lengths by the usual one of the take. They become None if they vary in the whole take."""
    ratios = [note.length_ratio for note in notes if note.length_ratio is not None]
    if len(ratios) < _FEWEST_FOR_ARTICULATION:
        return [replace(note, length_ratio=None) for note in notes]
    usual = min(max(median(ratios), 0.3), 1.5)
    spread = 1.4826 * median(abs(ratio - usual) for ratio in ratios)
    if spread > _MOST_SPREAD * usual:
        return [replace(note, length_ratio=None) for note in notes]
    found = []
    for note in notes:
        ratio = note.length_ratio
        if ratio is not None and abs(ratio - usual) < _SPREADS * spread:
            ratio = usual
        found.append(replace(note, length_ratio=None if ratio is None else ratio / usual))
    return found


def _without_usual_shortness(
    music: ExpectedMusic, alignment: Alignment, notes: Sequence[JudgedNote]
) -> list[JudgedNote]:
    """Do not judge a note as too short if similar notes of the take are as short: breath or string last no longer.

    Similar are notes of the same written length, and notes of the same pitch (if there are none, up to two semitones
    away) that are written as long or longer.
    """
    found = []
    for note in notes:
        if note.length_ratio is not None and note.length_ratio < TOO_SHORT:
            others = [other for other in notes if other is not note and other.length_ratio is not None]
            if _are_as_short(music, note, others) or _ring_as_short(music, alignment, note, others):
                note = replace(note, length_ratio=None)
        found.append(note)
    return found


def _are_as_short(music: ExpectedMusic, note: JudgedNote, others: Sequence[JudgedNote]) -> bool:
    length = _written(music, note)
    alike = [
        other.length_ratio
        for other in others
        if other.length_ratio is not None and abs(_written(music, other) - length) < _ALIKE * length
    ]
    return bool(alike) and median([*alike, note.length_ratio or 0.0]) < TOO_SHORT


def _ring_as_short(music: ExpectedMusic, alignment: Alignment, note: JudgedNote, others: Sequence[JudgedNote]) -> bool:
    least, pitch = (1 - _ALIKE) * _written(music, note), alignment.pitches[note.played]
    sounding: dict[int, list[float]] = {}
    for other in others:
        if _written(music, other) >= least:
            away = abs(alignment.pitches[other.played] - pitch)
            sounding.setdefault(away, []).append(_sounding(alignment, other))
    near = sounding.get(0) or sounding.get(1, []) + sounding.get(2, [])
    return bool(near) and median(near) < (1 + _ALIKE) * _sounding(alignment, note)


def _written(music: ExpectedMusic, note: JudgedNote) -> float:
    return music.notes[note.expected].end - music.notes[note.expected].start


def _sounding(alignment: Alignment, note: JudgedNote) -> float:
    return alignment.played[note.played].end - alignment.played[note.played].start


def _faults_of(music: ExpectedMusic, alignment: Alignment, note: JudgedNote, limits: _NoteLimits) -> list[Fault]:
    expected, heard = music.notes[note.expected], alignment.played[note.played]
    name = music.name_of(alignment.pitches[note.played])

    def fault(**details: object) -> Fault:
        return Fault(
            time=heard.start,
            bar=expected.bar,
            beat=expected.beat,
            expected=expected.name,
            played=name,
            expected_index=note.expected,
            played_index=note.played,
            **details,  # type: ignore[arg-type]
        )

    if not note.is_right:
        is_octave = (alignment.pitches[note.played] - expected.pitch) % 12 == 0
        if is_octave:
            return [fault(kind="wrong_octave", severity="moderate")]
        return [fault(kind="wrong_note", severity="major")]
    found = []
    length = (expected.end - expected.start) * note.tempo
    if abs(note.late_s) > _time_limit(alignment, note.played, limits):
        kind = "late" if note.late_s > 0 else "early"
        severity = timing_severity(note.late_s, length)
        found.append(fault(kind=kind, severity=severity, amount=round(1000 * note.late_s)))
    is_on_time = not found
    ratio = note.length_ratio
    if is_on_time and ratio is not None and _is_wrong_length(ratio, length):
        kind = "too_short" if ratio < 1 else "too_long"
        found.append(fault(kind=kind, severity=length_severity(ratio), amount=round(ratio, 2)))
    most_cents = (limits.cents or 0.0) * tuning_factor(heard.end - heard.start, heard.confidence)
    if limits.cents is not None and abs(note.cents) > most_cents:
        kind = "sharp" if note.cents > 0 else "flat"
        found.append(fault(kind=kind, severity=tuning_severity(note.cents), amount=round(note.cents)))
    return found


def _is_wrong_length(ratio: float, length: float) -> bool:
    return not TOO_SHORT <= ratio <= TOO_LONG and abs(1 - ratio) * length > LEAST_LENGTH_DIFFERENCE_S


def _time_limit(alignment: Alignment, played: int, limits: _NoteLimits) -> float:
    """Return the timing tolerance of a note.

    It is higher for soft notes that are low, or that repeat the pitch before without a rest. A low note has few periods
    by which its start can be heard.
    """
    note = alignment.played[played]
    if note.pitch < LOW_PITCH:
        return limits.tolerance_s + limits.repeat_tolerance_s
    if not played:
        return limits.tolerance_s
    before = alignment.played[played - 1]
    is_repeat = alignment.pitches[played - 1] == alignment.pitches[played] and note.start - before.end < _REST_S
    return limits.tolerance_s + (limits.repeat_tolerance_s if is_repeat else 0.0)


def _hesitations(music: ExpectedMusic, alignment: Alignment, limits: _NoteLimits) -> list[Fault]:
    """Return one late (or early) note where the player waited (or ran ahead) and went on from there."""
    found = []
    for each in alignment.passes:
        assert each.curve is not None
        for written, seconds in each.curve.break_times():
            pair = _pair_at(music.notes, each.pairs, written)
            if pair is None or abs(seconds) <= _time_limit(alignment, pair.played, limits):
                continue
            note, heard = music.notes[pair.expected], alignment.played[pair.played]
            found.append(
                Fault(
                    "late" if seconds > 0 else "early",
                    heard.start,
                    note.bar,
                    note.beat,
                    timing_severity(seconds, (note.end - note.start) * each.curve.tempo),
                    note.name,
                    music.name_of(alignment.pitches[pair.played]),
                    round(1000 * seconds),
                    pair.expected,
                    pair.played,
                )
            )
    return found


def _pair_at(notes: Sequence[ExpectedNote], pairs: Sequence[NotePair], written: float) -> NotePair | None:
    return next((pair for pair in pairs if abs(notes[pair.expected].start - written) < 1e-6), None)
