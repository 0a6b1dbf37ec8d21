"""Measure how well performances are read as scores (`consort_music.notation.performance_to_score`).

- Corpus: 100 scores of music21's corpus, played unsteadily by a program (`performances.corpus_scores`), without metre
  and beats. music21's own quantiser runs beside it. The requirement is "metre not given", so the floor of the key
  signature is for files that have their key signatures, like any file that is exported from a score; how often the
  key is found from the notes alone, without any in the file, stands beside it.
- Tabs: whether a hand can play them, and agreement with guitarists (`tablature.fret_paths`).
- With `--data DIR`: piano performances by people (`DIR/asap`), with their beats given and without.

The measures are defined in `performances.measures`. Options: `--split tune` for tuning (the default is test),
`--limit N` for the first N pieces of each set, `--no-baselines` without music21, `--task corpus`,
`--task real` or `--task tabs`.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import mean

from benchmarks.performances import corpus_scores, real_performances
from benchmarks.performances.measures import corpus_scores as measure_corpus
from benchmarks.performances.measures import scores_with_beats, scores_without_beats
from benchmarks.support.cpu_time import timed_call
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row, join_reports
from benchmarks.tablature import fret_paths
from consort_music.notation.performance_to_score import read_performance

FLOORS = {
    ("corpus", "onsets"): 0.97,
    ("corpus", "note values"): 0.90,
    ("corpus", "metre"): 0.90,
    ("corpus", "key signature, in the file"): 0.95,
    ("real, beats given", "onsets"): 0.92,
    ("real, beats given", "note values"): 0.75,
    ("real, without beats", "beat F"): 0.70,
    ("real, without beats", "downbeat F"): 0.45,
    ("real, without beats", "onsets within the right beat"): 0.60,
}
MOST_CPU_S = 0.5
"""CPU seconds for 1,000 notes, without beats."""
MeasuredScores = dict[tuple[str, str], list[float]]


def run(options: BenchOptions) -> Report:
    tasks = options.tasks or ("corpus", "real", "tabs")
    reports = []
    if "corpus" in tasks or "real" in tasks:
        reports.append(_performances(options, tasks))
    if "tabs" in tasks:
        reports.append(fret_paths.run())
    return join_reports(reports)


def _performances(options: BenchOptions, tasks: Sequence[str]) -> Report:
    ours: MeasuredScores = defaultdict(list)
    baseline: MeasuredScores = defaultdict(list)
    if "corpus" in tasks:
        _measure_corpus(options, ours, baseline)
    if "real" in tasks and options.data is not None:
        _measure_real(options, ours)
    cpu = ours.pop(("speed", "CPU s for 1,000 notes"), [])
    rows: list[Row] = [
        {
            "set": task,
            "measure": name,
            "pieces": len(values),
            "ours": mean(values),
            "music21": mean(baseline[task, name]) if baseline[task, name] else None,
            "floor": FLOORS.get((task, name)),
        }
        for (task, name), values in ours.items()
    ]
    requirements = [
        Requirement(f"{task}: {name}", mean(values), FLOORS[task, name], more_is_better=True)
        for (task, name), values in ours.items()
        if (task, name) in FLOORS
    ]
    if cpu:
        requirements.append(Requirement("CPU s for 1,000 notes, without beats", mean(cpu), MOST_CPU_S))
    reached = sum(requirement.ok for requirement in requirements)
    return Report(
        title=f"From performances to scores ({options.split} part)",
        rows=rows,
        summary=f"{reached} of {len(requirements)} floors reached.",
        requirements=requirements,
    )


def _measure_corpus(options: BenchOptions, ours: MeasuredScores, baseline: MeasuredScores) -> None:
    for name in _progress(corpus_scores.names(options.split)[: options.limit]):
        performance = corpus_scores.performance(name)
        _add(ours, "corpus", measure_corpus(performance))
        if options.baselines:
            from benchmarks.performances.music21_quantizer import music21_scores

            _add(baseline, "corpus", music21_scores(performance))


def _measure_real(options: BenchOptions, ours: MeasuredScores) -> None:
    assert options.data is not None
    for name in _progress(real_performances.names(options.data, options.split)[: options.limit]):
        performance = real_performances.load(options.data, name)
        if performance.beat_quarters is not None:
            _add(ours, "real, beats given", scores_with_beats(performance))
        _add(ours, "real, without beats", scores_without_beats(performance))
        cpu, reading = timed_call(read_performance, performance.file)
        ours["speed", "CPU s for 1,000 notes"].append(cpu / len(reading.places))


def _add(scores: MeasuredScores, task: str, found: dict[str, float]) -> None:
    for name, value in found.items():
        scores[task, name].append(value)


def _progress(names: list[str]) -> Iterable[str]:
    for name in names:
        if sys.stderr.isatty():
            print(f"\r\033[K{name}", end="", file=sys.stderr, flush=True)
        yield name
