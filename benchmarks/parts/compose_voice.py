"""add_voice: every species against every cantus of the tests, above and below, judged by the independent checker; and
the CPU time of the tool for 16 bars, beside music21 writing the same two voices down as MusicXML.

music21 has no counterpoint to compare with: its time is for the notation alone, ours for composing, analysing and
writing.
"""

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, TypeVar

from benchmarks.parts.counterpoint_matrix import judge
from benchmarks.report import Cell, Floor, Report
from consort_compose.composer.counterpoint.models import AddVoice
from consort_compose.composer.counterpoint.service import write
from consort_music.note_list import parse_note_list
from consort_music.score import Score
from tests.cantus_firmi import CANTUS_FIRMI

T = TypeVar("T")
SEEDS = 10
RUNS = 7
CANTUS = "C5 D5 E5 C5 F5 E5 G5 F5 E5 D5 C5 E5 D5 B4 D5 C5"
TUNE = """
G4:q G4:e A4:e B4:q G4:q | A4:q A4:e B4:e C5:q A4:q | B4:q C5:e B4:e A4:q D5:q | B4:h G4:h
G4:qd A4:e B4:q C5:q | D5:h C5:q B4:q | A4:q B4:q C5:q F#4:q | G4:w
B4:q D5:q D5:e C5:e B4:q | C5:q E5:q E5:e D5:e C5:q | B4:q G4:q A4:q B4:q | A4:h D4:h
G4:q G4:e A4:e B4:q G4:q | A4:q C5:q B4:e A4:e G4:q | F#4:q A4:q D5:q C5:q | G4:w
"""
WHAT = {0: "free", 1: "note against note", 2: "two against one", 3: "four against one", 4: "suspensions", 5: "florid"}


def run() -> Report:
    rows: list[dict[str, Cell]] = []
    floors = []
    for species in WHAT:
        milliseconds, baseline = timed(species)
        row: dict[str, Cell] = {
            "species": f"{species} {WHAT[species]}",
            "ms for 16 bars": milliseconds,
            "music21, writing alone": baseline,
        }
        floors.append(Floor(f"CPU ms for 16 bars, species {species}", milliseconds, 50))
        if species:
            verdicts = [
                judge(cantus, species, above, seed)
                for cantus in CANTUS_FIRMI
                for above in (True, False)
                for seed in range(SEEDS)
            ]
            clean = sum(not verdict.faults and not verdict.relaxations for verdict in verdicts)
            downbeats = sum(verdict.downbeat_parallels for verdict in verdicts) / len(verdicts)
            row |= {"jobs": len(verdicts), "clean": clean, "downbeat parallels a job": downbeats}
            floors.append(Floor(f"jobs with a fault, species {species}", len(verdicts) - clean, 0))
            floors.append(Floor(f"downbeat parallels a job, species {species}", downbeats, 0.1))
        rows.append(row)
    jobs = sum(int(row.get("jobs") or 0) for row in rows)
    clean = sum(int(row.get("clean") or 0) for row in rows)
    slowest = max(float(row["ms for 16 bars"] or 0) for row in rows)
    return Report(
        title=f"add_voice: {len(CANTUS_FIRMI)} cantus firmi, above and below, {SEEDS} seeds",
        rows=rows,
        summary=f"{clean} of {jobs} counterpoints are without fault; 16 bars take at most {slowest:.0f} ms of CPU.",
        floors=floors,
    )


def timed(species: int) -> tuple[float, float]:
    """Median CPU milliseconds of the tool for 16 bars, over voices and seeds, and of music21 for the notation."""
    score = parse_note_list(" ".join(f"{name}:w" for name in CANTUS.split()) if species else TUNE.replace("\n", " "))
    ours, theirs = [], []
    for seed in range(RUNS):
        for voice in ("alto", "bass"):
            asked = {"existing_voice": "-", "new_voice_type": voice, "species": species, "seed": seed}
            body = AddVoice.model_validate(asked)
            spent, (_, combined, _) = cpu(partial(write, score, body))
            ours.append(spent)
        theirs.append(cpu(partial(music21_xml, combined))[0])
    return median(ours), median(theirs)


def cpu(work: Callable[[], T]) -> tuple[float, T]:
    began = time.process_time()
    result = work()
    return (time.process_time() - began) * 1000, result


def music21_xml(score: Score) -> bytes:
    from music21 import note, stream
    from music21.musicxml.m21ToXml import GeneralObjectExporter

    whole: Any = stream.Score()
    for part in score.parts:
        line: Any = stream.Part()  # type: ignore[no-untyped-call]
        for written in part.notes:
            sound = note.Note(written.pitch.name.replace("b", "-"))
            sound.duration.quarterLength = written.duration
            line.insert(written.start, sound)
        whole.insert(0, line)
    return bytes(GeneralObjectExporter(whole).parse())
