"""Measure the CPU time of each composer tool, and of music21 if it can do the same."""

from benchmarks.composer_tools import chords, counterpoint, export, harmony, melody, notation
from benchmarks.support.report import Report, join_reports


def run() -> Report:
    return join_reports([part.run() for part in (chords, notation, export, harmony, melody, counterpoint)])
