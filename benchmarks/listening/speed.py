"""Measure CPU time and memory of the tools in new, warm processes, beside plain librosa in the same run."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from benchmarks.listening.baselines import Baselines
from benchmarks.listening.table import MeasuredRow
from evaluation.sounds import items
from evaluation.sounds.cache_folder import cache_folder
from evaluation.sounds.playing import RATE

_BASELINE_TOOLS: dict[str, dict[str, Any]] = {"analyze_tempo": {}, "detect_pitch": {}, "analyze_rhythm": {}}
_SHORT_S, _USUAL_S, _LONG_S = 30, 180, 1800
_ROOT = Path(__file__).parents[2]


def measure_speed(baselines: Baselines, report: Callable[[str], None]) -> list[MeasuredRow]:
    report("speed: making the files")
    melody = {seconds: _file("melody", seconds) for seconds in (5, _SHORT_S, _USUAL_S, _LONG_S)}
    piano = _file("piano", _SHORT_S)
    rows = []
    report("speed: three minutes")
    ours = _run(melody[_USUAL_S], melody[5], _BASELINE_TOOLS)
    librosa = None
    if baselines.are_there:
        baselines.ask("baseline_tools", melody[5], fresh=True)  # compile librosa's functions
        report("speed: three minutes with librosa")
        librosa = baselines.ask("baseline_tools", melody[_USUAL_S], fresh=True)
    if ours and librosa:
        theirs = sum(librosa.values())
        rows.append(
            MeasuredRow(
                "baseline tools, times faster than librosa", 1, theirs / ours["cpu_s"], 6,
                other=f"3 min: {ours['cpu_s']:.1f} s CPU, librosa {theirs:.1f} s",
            )
        )  # fmt: skip
    report("speed: analyze_audio")
    summary = _run(melody[_SHORT_S], melody[5], {"analyze_audio": {}})
    rows.append(
        MeasuredRow("analyze_audio of 30 s, CPU s", 1, summary["cpu_s"] if summary else None, 2, more_is_better=False)
    )
    report("speed: piano")
    played = _run(piano, melody[5], {"transcribe_audio": {"instrument": "piano", "quality": "high"}})
    rows.append(
        MeasuredRow(
            "piano transcription, times real time", 1, played["sound_s"] / played["cpu_s"] if played else None, 1.5
        )
    )
    report("speed: thirty minutes")
    long = _run(melody[_LONG_S], melody[5], _BASELINE_TOOLS)
    rows.append(
        MeasuredRow("memory of 30 minutes, MB", 1, long["peak_mb"] if long else None, 800, more_is_better=False)
    )
    growth = (long["cpu_s"] / long["sound_s"]) / (ours["cpu_s"] / ours["sound_s"]) if long and ours else None
    rows.append(MeasuredRow("CPU per second, 30 min over 3 min", 1, growth, 1.3, more_is_better=False))
    return rows


def _run(path: Path, warm_up: Path, tools: dict[str, dict[str, Any]]) -> dict[str, float] | None:
    """Return the figures of `speed_program`, or None if a tool does not exist."""
    command = [sys.executable, "-m", "benchmarks.listening.speed_program", str(path), str(warm_up), json.dumps(tools)]
    run = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True)
    if run.returncode:
        if "NotBuilt" in run.stderr:
            return None
        raise RuntimeError(run.stderr)
    figures: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return figures


def _file(task: str, seconds: int) -> Path:
    """Return a file of this length: items of a task, one after the other, repeated if they are not enough."""
    place = cache_folder() / f"{task}-{seconds}-seconds.flac"
    if not place.exists():
        parts: list[Any] = []
        for item in items(task, "tune"):
            parts.append(item.load()[0])
            if sum(map(len, parts)) >= min(seconds, _USUAL_S) * RATE:
                break
        sound = np.concatenate(parts)
        sound = np.tile(sound, -(-seconds * RATE // len(sound)))[: seconds * RATE]
        soundfile.write(place, sound, RATE)
    return place
