"""Read 100,000 hostile inputs with the MIDI codec. Each must be rejected or read correctly within half a second.

`evaluation.checkers.midi_codec` checks the result. Only every tenth input is compared with mido, which is slower.
"""

import time
from collections import Counter

from benchmarks.support.report import Report, Requirement, Row
from evaluation.checkers.midi_codec import check
from evaluation.corpora.hostile_midi import KINDS, hostile_input

INPUTS = 100_000
WITH_MIDO = 10
MAX_SECONDS = 0.5


def run() -> Report:
    rows: list[Row] = []
    failures: list[str] = []
    slowest = 0.0
    for kind in KINDS:
        outcomes: Counter[str] = Counter()
        longest = 0.0
        began = time.process_time()
        for number in range(-(-INPUTS // len(KINDS))):
            data = hostile_input(kind, number)
            started = time.process_time()
            try:
                outcomes[check(data, with_mido=number % WITH_MIDO == 0)] += 1
            except Exception as error:  # any exception is a bug that this benchmark should find
                outcomes["failed"] += 1
                failures.append(f"{kind} {number}: {error!r}")
            longest = max(longest, time.process_time() - started)
        rows.append(
            {
                "inputs": kind,
                "number": outcomes.total(),
                "read": outcomes["read"],
                "read with warnings": outcomes["warned"],
                "rejected": outcomes["rejected"],
                "failed": outcomes["failed"],
                "CPU s": time.process_time() - began,
                "longest ms": longest * 1000,
            }
        )
        slowest = max(slowest, longest)
    total = sum(int(row["number"] or 0) for row in rows)
    shown = "".join(f" {failure}." for failure in failures[:3])
    return Report(
        title="Hostile MIDI files: rejected or read, never a crash",
        rows=rows,
        summary=f"{total:,} inputs, {len(failures)} failures; the longest took {slowest * 1000:.0f} ms.{shown}",
        requirements=[
            Requirement("inputs that crashed or were read wrongly", len(failures), 0),
            Requirement("inputs tried", total, INPUTS, more_is_better=True),
            Requirement("seconds of the longest input", slowest, MAX_SECONDS),
        ],
    )
