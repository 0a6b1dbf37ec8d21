"""Measure compare_to_reference: faults found, perfect and humanised takes, noise and a room, MIDI takes, alignment."""

from collections.abc import Callable, Sequence
from statistics import mean

from benchmarks.listening import chord_takes
from benchmarks.listening.baselines import Baselines
from benchmarks.listening.fault_scores import FaultCounts
from benchmarks.listening.our_comparison import (
    ComparedTake,
    PairedPlaces,
    aligned_pairs,
    compare_audio_take,
    compare_midi_take,
    injected,
    keys_of,
)
from benchmarks.listening.our_tools import HeardFile
from benchmarks.listening.table import MeasuredRow
from evaluation.sounds import SoundItem, Truth

_PERFECT = 0.97
_COST = 0.05


def measure_practice(
    items_of: Callable[[str], Sequence[SoundItem]], baselines: Baselines, report: Callable[[str], None]
) -> list[MeasuredRow]:
    """Return the rows of the practice task. `items_of` gives the items of a task."""
    takes = {}
    counts = FaultCounts()
    for item in items_of("practice"):
        report(item.name)
        takes[item.number] = _compared(item)
        counts.add(injected(item.truth()), takes[item.number].faults)
    rows = [
        MeasuredRow("faults, precision", len(takes), counts.precision(), 0.85, 0.92),
        MeasuredRow("faults, recall", len(takes), counts.recall(), 0.85, 0.92),
    ]
    for group in sorted({*counts.injected, *counts.reported}):
        rows.append(MeasuredRow(f"  {group}: precision", counts.reported[group], counts.precision([group])))
        rows.append(MeasuredRow(f"  {group}: recall", counts.injected[group], counts.recall([group])))
    places = counts.places_found / max(counts.injected.total(), 1)
    rows.append(MeasuredRow("faults located, whatever the kind", counts.injected.total(), places))
    for task, name in (("perfect", "perfect takes"), ("humanised", "humanised takes")):
        compared = []
        for item in items_of(task):
            report(item.name)
            compared.append(_compared(item))
        right = [take.overall >= _PERFECT and not take.faults for take in compared]
        floor = 1.0 if task == "perfect" else 0.95
        rows.append(MeasuredRow(f"{name} of .97 without fault", len(compared), mean(right), floor))
        rows.append(MeasuredRow(f"  {name}: mean score", len(compared), mean(take.overall for take in compared), 0.97))
    rows.append(_noise_row(items_of("noisy"), takes, report))
    return [*rows, *_midi_rows(items_of("practice"), baselines), *_chord_rows(items_of, report)]


def _compared(item: SoundItem) -> ComparedTake:
    return compare_audio_take(HeardFile(item.path()), item.truth())


def _noise_row(
    noisy_items: Sequence[SoundItem], clean_takes: dict[int, ComparedTake], report: Callable[[str], None]
) -> MeasuredRow:
    """Return by how much F falls when the same takes have noise and a room."""
    clean, noisy = FaultCounts(), FaultCounts()
    both = [item for item in noisy_items if item.number in clean_takes]
    for item in both:
        report(item.name)
        faults = injected(item.truth())
        clean.add(faults, clean_takes[item.number].faults)
        noisy.add(faults, _compared(item).faults)
    return MeasuredRow("F lost by noise and a room", len(both), clean.f - noisy.f, _COST, more_is_better=False)


def _chord_rows(items_of: Callable[[str], Sequence[SoundItem]], report: Callable[[str], None]) -> list[MeasuredRow]:
    """Return the rows of takes with chords (`chord_takes`)."""
    counts = FaultCounts()
    right = []
    for item in [item for task in chord_takes.TASKS for item in items_of(task) if chord_takes.is_chord_take(item)]:
        report(item.name)
        file, truth = HeardFile(item.path()), item.truth()
        right.append(not compare_audio_take(file, chord_takes.with_reference(truth, truth.notes)).faults)
        changed, faults = chord_takes.with_changed_reference(truth, item.name)
        take = compare_audio_take(file, chord_takes.with_reference(truth, changed))
        counts.add(faults, chord_takes.joined_faults(take.faults))
    if not right:
        return []
    return [
        MeasuredRow("takes with chords: faults, precision", len(right), counts.precision()),
        MeasuredRow("takes with chords: faults, recall", len(right), counts.recall()),
        MeasuredRow("takes with chords: right ones without fault", len(right), mean(right)),
    ]


def _midi_rows(items: Sequence[SoundItem], baselines: Baselines) -> list[MeasuredRow]:
    counts = FaultCounts()
    ours, theirs = [], []
    for item in items:
        truth = item.plan().truth
        take = compare_midi_take(truth)
        counts.add(injected(truth, with_tuning=False), take.faults)
        if not any(fault.kind == "restart" for fault in truth.faults):
            ours.append(_pair_f(truth, aligned_pairs(truth)))
            rows = baselines.ask(
                "align",
                item.path(),
                reference=[list(note[:3]) for note in truth.reference],
                played=[list(note[:3]) for note in keys_of(truth)],
            )
            if rows is not None:
                theirs.append(_pair_f(truth, {(a, b) for a, b in rows["pairs"]}))
    return [
        MeasuredRow("MIDI takes, precision", len(items), counts.precision(), 0.95, 0.98),
        MeasuredRow("MIDI takes, recall", len(items), counts.recall(), 0.95, 0.98),
        MeasuredRow("MIDI alignment (F of pairs)", len(ours), mean(ours) if ours else None, other=_mean(theirs)),
    ]


def _mean(values: Sequence[float]) -> str:
    return f"parangonar {mean(values):.3f}" if values else ""


def _pair_f(truth: Truth, pairs: PairedPlaces) -> float:
    true = _true_pairs(truth)
    return 2 * len(true & pairs) / max(len(true) + len(pairs), 1)


def _true_pairs(truth: Truth) -> PairedPlaces:
    """Return which note of the reference each note of a take without restart is, without wrong notes."""
    extra = [fault.time for fault in truth.faults if fault.kind == "extra"]
    missing = sorted(fault.time for fault in truth.faults if fault.kind == "missing")
    wrong = [fault.time for fault in truth.faults if fault.kind == "wrong"]
    played = [place for place, note in enumerate(truth.notes) if not _is_near(note.start, extra)]
    left = list(range(len(truth.reference)))
    for count, time in enumerate(missing):  # an earlier one was not played either, but has its place
        left[count + sum(truth.notes[place].start < time - 1e-6 for place in played)] = -1
    left = [place for place in left if place >= 0]
    return {(a, b) for a, b in zip(left, played, strict=True) if not _is_near(truth.notes[b].start, wrong)}


def _is_near(time: float, times: Sequence[float]) -> bool:
    return any(abs(time - other) < 1e-4 for other in times)
