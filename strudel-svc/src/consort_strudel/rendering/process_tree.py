"""CPU time and memory of a process and its children. Linux only; elsewhere both are reported as 0."""

import os
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_PARENT, _USER, _SYSTEM, _DEAD_USER, _DEAD_SYSTEM, _MEMORY = 1, 11, 12, 13, 14, 21
"""Places in /proc/PID/stat after the name."""


@dataclass(frozen=True)
class TreeUse:
    cpu_s: float
    """Of all processes that run, and of the children that have ended."""
    memory_bytes: int


def tree_use(pid: int) -> TreeUse:
    children: dict[int, list[int]] = {}
    rows: dict[int, list[str]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            row = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        rows[int(stat.parent.name)] = row
        children.setdefault(int(row[_PARENT]), []).append(int(stat.parent.name))
    ticks = pages = 0
    waiting = [pid]
    while waiting:
        current = waiting.pop()
        waiting += children.get(current, [])
        if current in rows:
            ticks += sum(int(rows[current][place]) for place in (_USER, _SYSTEM, _DEAD_USER, _DEAD_SYSTEM))
            pages += int(rows[current][_MEMORY])
    return TreeUse(ticks / _TICKS, pages * _PAGE)
