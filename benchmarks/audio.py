"""Measure how well and how fast the listening tools hear, with the truth set of `evaluation.sounds`.

Every tool is called as a worker calls it. librosa and basic-pitch run beside it; they are installed for this benchmark
only, and it also runs without them. Options: `--task NAME` (one or more names of tasks, or practice, calibration,
speed), `--split tune` for tuning (the default is test), `--data DIR` for expressive performances, pop songs and
recorded notes, `--limit N` for the first N items of each task, `--no-baselines` for our tools only.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import mean

from benchmarks.listening.baselines import Baselines
from benchmarks.listening.calibration import CALIBRATED, Judged, calibration_row
from benchmarks.listening.measures import DATA_MEASURES, MEASURES, ListeningMeasure
from benchmarks.listening.our_tools import HeardFile, NotBuilt
from benchmarks.listening.practice import measure_practice
from benchmarks.listening.speed import measure_speed
from benchmarks.listening.table import MeasuredRow
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report
from evaluation.sounds import SoundItem, Truth, items
from evaluation.sounds.data_folder import DataItem, data_items

ALL_TASKS = (
    *dict.fromkeys(measure.task for measure in MEASURES),
    *dict.fromkeys(measure.task for measure in DATA_MEASURES),
    "practice",
    "calibration",
    "speed",
)


def run(options: BenchOptions) -> Report:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    asked = tuple(options.tasks) or ALL_TASKS
    if unknown := set(asked) - set(ALL_TASKS):
        raise SystemExit(f"consort bench audio: no task {', '.join(sorted(unknown))}; there are {', '.join(ALL_TASKS)}")
    baselines = Baselines.installed() if options.baselines else Baselines(None, "not asked for")
    items_of = _item_chooser(options)
    try:
        rows = _measured(asked, items_of, baselines)
        if "practice" in asked:
            rows += measure_practice(_sound_items(options), baselines, _progress)
        if "speed" in asked:
            rows += measure_speed(baselines, _progress)
    finally:
        baselines.close()
        _progress("")
    requirements = [requirement for row in rows if (requirement := row.requirement()) is not None]
    missed = [row.name.strip() for row in rows if row.verdict() in ("BELOW FLOOR", "not measured")]
    below_aim = [row.name.strip() for row in rows if row.verdict() == "below aim"]
    return Report(
        title=f"What the listening tools hear ({options.split} part"
        f"{f', at most {options.limit} items a task' if options.limit else ''})"
        f"{'; without baselines: ' + baselines.reason if baselines.reason else ''}",
        rows=[row.row() for row in rows],
        summary=f"{len(requirements) - len(missed)} of {len(requirements)} floors reached. "
        f"Below the floor: {', '.join(missed) or 'none'}. Below the aim: {', '.join(below_aim) or 'none'}.",
        requirements=requirements,
    )


def _measured(
    asked: Sequence[str], items_of: Callable[[str], Sequence[SoundItem | DataItem]], baselines: Baselines
) -> list[MeasuredRow]:
    """Return the rows of the measures whose task was asked for, and of the calibration. Each item is decoded once."""
    measures = [measure for measure in (*MEASURES, *DATA_MEASURES) if measure.task in asked]
    calibrates = "calibration" in asked
    tasks = dict.fromkeys([measure.task for measure in measures])
    if calibrates:
        tasks |= dict.fromkeys(task for _, group in CALIBRATED.values() for task in group)
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    judged: dict[str, Judged] = defaultdict(list)
    missing: set[str] = set()
    for task in tasks:
        for item in items_of(task):
            _progress(item.name)
            file, truth = HeardFile(item.path()), item.truth()
            for measure in measures:
                if measure.task == task:
                    for column, value in _scores(measure, file, truth, baselines, missing):
                        found[measure.name, column].append(value)
            for tool, (judge, group) in CALIBRATED.items() if calibrates else ():
                if task in group:
                    try:
                        judged[tool] += judge(file, truth)
                    except NotBuilt:
                        missing.add(tool)
    rows = [
        MeasuredRow(
            measure.name,
            len(found[measure.name, "ours"]),
            _mean(found[measure.name, "ours"]),
            measure.floor,
            measure.aim,
            _mean(found[measure.name, "librosa"]),
            _mean(found[measure.name, "basic-pitch"]),
        )
        for measure in measures
        if items_of(measure.task)
    ]
    return rows + [calibration_row(tool, judged[tool]) for tool in (CALIBRATED if calibrates else ())]


def _scores(
    measure: ListeningMeasure, file: HeardFile, truth: Truth, baselines: Baselines, missing: set[str]
) -> list[tuple[str, float]]:
    found = []
    try:
        value = measure.ours(file, truth)
        if value is not None:
            found.append(("ours", value))
    except NotBuilt:
        missing.add(measure.name)
    if baselines.are_there:
        for column, score in (("librosa", measure.librosa), ("basic-pitch", measure.basic_pitch)):
            value = score(baselines, file.path, truth) if score is not None else None
            if value is not None:
                found.append((column, value))
    return found


def _mean(values: list[float]) -> float | None:
    return mean(values) if values else None


def _item_chooser(options: BenchOptions) -> Callable[[str], Sequence[SoundItem | DataItem]]:
    of_data = {measure.task for measure in DATA_MEASURES}
    sounds = _sound_items(options)

    def choose(task: str) -> Sequence[SoundItem | DataItem]:
        if task not in of_data:
            return sounds(task)
        return data_items(options.data, task, options.split)[: options.limit] if options.data else []

    return choose


def _sound_items(options: BenchOptions) -> Callable[[str], list[SoundItem]]:
    return lambda task: items(task, options.split)[: options.limit]


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
