"""Measure the CPU time of compose_export_midi for 64 bars in 4 parts, from MusicXML (also music21) and a note list."""

from collections.abc import Callable
from statistics import median

import music21

from benchmarks.support.cpu_time import cpu_ms
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.export.models import ComposeExportMidi
from consort_compose.composer.export.service import make_export
from consort_compose.composer.music_reading import read_typed
from consort_music.notation.musicxml.writer import write_musicxml

BARS = 64
RUNS = 15


def run() -> Report:
    notes = "\n".join(f'"part {octave}" ' + _line(octave) for octave in (5, 4, 3, 2))
    musicxml = write_musicxml(read_typed(notes, None).score)
    from_musicxml = median_cpu_ms(lambda: _ours(musicxml), RUNS)
    from_notes = median_cpu_ms(lambda: _ours(notes), RUNS)
    plain = median_cpu_ms(lambda: _music21(musicxml), 2)
    rows: list[Row] = [
        {"tool": "compose_export_midi", "input": "MusicXML, 64 bars x 4", "by": "consort", "CPU ms": from_musicxml},
        {"tool": "compose_export_midi", "input": "MusicXML, 64 bars x 4", "by": "music21", "CPU ms": plain},
        {"tool": "compose_export_midi", "input": "notes, 64 bars x 4", "by": "consort", "CPU ms": from_notes},
    ]
    return Report(
        title="compose_export_midi",
        rows=rows,
        summary=f"From MusicXML {plain / from_musicxml:.0f} times faster than music21.",
        requirements=[
            Requirement("export from MusicXML (CPU ms)", from_musicxml, 200),
            Requirement("export from notes (CPU ms)", from_notes, 30),
        ],
    )


def median_cpu_ms(work: Callable[[], object], runs: int) -> float:
    """Return the median CPU time of `runs` calls. A first call is not counted."""
    work()
    return median(cpu_ms(work) for _ in range(runs))


def _ours(text: str) -> bytes:
    return make_export(read_typed(text, None).score, ComposeExportMidi(stream=text, velocity_curve="dynamic")).content


def _music21(text: str) -> bytes:
    score = music21.converter.parseData(text, format="musicxml")
    written: bytes = music21.midi.translate.streamToMidiFile(score).writestr()
    return written


def _line(octave: int) -> str:
    bars = [f"C{octave}:q D{octave}:e E{octave}:e F{octave}:qd G{octave}:e", f"A{octave}:h G{octave}:q R:q"]
    return " | ".join(bars[index % 2] for index in range(BARS))
