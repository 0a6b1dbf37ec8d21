"""compose_export_midi on 64 bars in 4 parts, from MusicXML and from a note list, beside music21 doing the same."""

import time
from collections.abc import Callable
from statistics import median

import music21

from benchmarks.report import Floor, Report, Row
from consort_compose.composer.export.models import ComposeExportMidi
from consort_compose.composer.export.service import export
from consort_compose.composer.source import read_typed
from consort_music.notation.musicxml_writer import write_musicxml

BARS = 64
RUNS = 15


def run() -> Report:
    notes = "\n".join(f'"part {octave}" ' + _line(octave) for octave in (5, 4, 3, 2))
    musicxml = write_musicxml(read_typed(notes, None).score)
    from_musicxml = cpu_ms(lambda: _ours(musicxml), RUNS)
    from_notes = cpu_ms(lambda: _ours(notes), RUNS)
    plain = cpu_ms(lambda: _music21(musicxml), 2)
    rows: list[Row] = [
        {"tool": "compose_export_midi", "input": "MusicXML, 64 bars x 4", "by": "consort", "CPU ms": from_musicxml},
        {"tool": "compose_export_midi", "input": "MusicXML, 64 bars x 4", "by": "music21", "CPU ms": plain},
        {"tool": "compose_export_midi", "input": "notes, 64 bars x 4", "by": "consort", "CPU ms": from_notes},
    ]
    return Report(
        title="compose_export_midi",
        rows=rows,
        summary=f"From MusicXML {plain / from_musicxml:.0f} times faster than music21.",
        floors=[
            Floor("export from MusicXML (CPU ms)", from_musicxml, 200),
            Floor("export from notes (CPU ms)", from_notes, 30),
        ],
    )


def cpu_ms(work: Callable[[], object], runs: int) -> float:
    work()
    times = []
    for _ in range(runs):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return median(times)


def _ours(text: str) -> bytes:
    return export(read_typed(text, None).score, ComposeExportMidi(stream=text, velocity_curve="dynamic")).content


def _music21(text: str) -> bytes:
    score = music21.converter.parseData(text, format="musicxml")
    written: bytes = music21.midi.translate.streamToMidiFile(score).writestr()
    return written


def _line(octave: int) -> str:
    bars = [f"C{octave}:q D{octave}:e E{octave}:e F{octave}:qd G{octave}:e", f"A{octave}:h G{octave}:q R:q"]
    return " | ".join(bars[index % 2] for index in range(BARS))
