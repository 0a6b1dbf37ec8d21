"""Measure generate_melody: CPU time of the whole result with MusicXML, compared with a random walk in music21.

The random walk uses the pitches of `music21.scale`, makes a stream of notes, and writes MusicXML with music21. Each
generated melody has a different seed, metre, contour and density.
"""

import importlib
from itertools import cycle, islice, product
from statistics import mean, quantiles
from typing import Any

from benchmarks.baselines import random_walk_melody
from benchmarks.support.cpu_time import cpu_ms
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.melody.models import GenerateMelody
from consort_compose.composer.melody.service import run_generate_melody
from consort_music.metre import parse_metre

LIMITS_MS = {8: 60, 32: 250, 64: None}
METRES = ("4/4", "3/4", "6/8", "7/8")
CONTOURS = (None, "arch", "wave", "static")
DENSITIES = ("medium", "dense", "sparse")
MELODIES = {8: 48, 32: 24, 64: 8}


def run() -> Report:
    rows: list[Row] = []
    requirements = []
    means = {}
    for measures, limit in LIMITS_MS.items():
        bodies = [
            GenerateMelody.model_validate(
                {"key": "D dorian", "length_measures": measures, "time_signature": metre, "seed": seed}
                | {"contour": contour, "rhythmic_density": density, "include_musicxml": True}
            )
            for seed, (density, contour, metre) in enumerate(
                islice(cycle(product(DENSITIES, CONTOURS, METRES)), 0, 7 * MELODIES[measures], 7)
            )
        ]
        times = [cpu_ms(run_generate_melody, body) for body in bodies]
        high = quantiles(times, n=20)[-1]
        means[measures] = mean(times)
        rows.append({"tool": f"generate_melody, {measures} bars", "ms a call": means[measures], "95% below ms": high})
        if limit is not None:
            requirements.append(Requirement(f"ms of generate_melody, {measures} bars, 95% below", high, limit))
    music21_walk(1, 0)  # imports music21, which is not counted
    for measures in (8, 32):
        plain = [cpu_ms(music21_walk, measures, seed) for seed in range(6)]
        rows.append({"tool": f"music21: random walk, {measures} bars", "ms a call": mean(plain)})
    return Report(
        title="Melodies",
        rows=rows,
        summary=f"generate_melody: {means[8]:.0f} ms for 8 bars, {means[32]:.0f} ms for 32.",
        requirements=requirements,
    )


def music21_walk(measures: int, seed: int) -> str:
    music21: Any = importlib.import_module("music21")
    pitches = [pitch.midi for pitch in music21.scale.DorianScale("D").getPitches("C4", "C6")]
    part = music21.stream.Part([music21.meter.TimeSignature("4/4")])
    for onset, duration, midi in random_walk_melody.walk(pitches, measures, parse_metre("4/4").bar, "medium", seed):
        part.insert(onset, music21.note.Note(midi, quarterLength=duration))
    exporter = importlib.import_module("music21.musicxml.m21ToXml").GeneralObjectExporter
    return str(exporter(music21.stream.Score([part])).parse())
