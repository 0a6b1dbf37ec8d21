"""Measure add_voice: faults in every species against every cantus firmus, and the CPU time for 16 bars.

The independent checker judges each counterpoint, above and below the cantus. The table also describes the lines:
leaps (moves of a fourth or more) and thirds and sixths on inner downbeats as shares, the share of inner bars that begin
with a tied note, and the share of notes that two seeds have in common. music21 cannot compose counterpoint. Its
time is for writing the same two voices as MusicXML only; ours is for composing, analysing and writing them.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from statistics import fmean, median
from typing import Any

from benchmarks.composer_tools import SIXTEEN_BARS
from benchmarks.support.cpu_time import cpu_ms, timed_call
from benchmarks.support.report import Cell, Report, Requirement
from consort_compose.composer.counterpoint.models import AddVoice
from consort_compose.composer.counterpoint.service import run_add_voice
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Score
from evaluation.checkers.counterpoint import cantus_notes, interval, simple, sounding
from evaluation.corpora.cantus_firmi import CANTUS_FIRMI, Cantus
from evaluation.engine_runs.species_counterpoint import Verdict, judge

SEEDS = 10
FOURTH = 5
"""In semitones."""
RUNS = 7
CANTUS = "C5 D5 E5 C5 F5 E5 G5 F5 E5 D5 C5 E5 D5 B4 D5 C5"
WHAT = {0: "free", 1: "note against note", 2: "two against one", 3: "four against one", 4: "suspensions", 5: "florid"}


def run() -> Report:
    rows: list[dict[str, Cell]] = []
    requirements = []
    for species in WHAT:
        milliseconds, baseline = timed(species)
        row: dict[str, Cell] = {
            "species": f"{species} {WHAT[species]}",
            "ms for 16 bars": milliseconds,
            "music21, writing alone": baseline,
        }
        requirements.append(Requirement(f"CPU ms for 16 bars, species {species}", milliseconds, 50))
        if species:
            jobs_by_seed = {
                (cantus, above): [judge(cantus, species, above, seed) for seed in range(SEEDS)]
                for cantus in CANTUS_FIRMI
                for above in (True, False)
            }
            verdicts = [verdict for judged in jobs_by_seed.values() for verdict in judged]
            clean = sum(not verdict.faults and not verdict.relaxations for verdict in verdicts)
            downbeats = sum(verdict.downbeat_parallels for verdict in verdicts) / len(verdicts)
            row |= {"jobs": len(verdicts), "clean": clean, "downbeat parallels a job": downbeats}
            row |= lines_of(jobs_by_seed)
            requirements.append(Requirement(f"jobs with a fault, species {species}", len(verdicts) - clean, 0))
            requirements.append(Requirement(f"downbeat parallels a job, species {species}", downbeats, 0.1))
        rows.append(row)
    jobs = sum(int(row.get("jobs") or 0) for row in rows)
    clean = sum(int(row.get("clean") or 0) for row in rows)
    slowest = max(float(row["ms for 16 bars"] or 0) for row in rows)
    return Report(
        title=f"add_voice: {len(CANTUS_FIRMI)} cantus firmi, above and below, {SEEDS} seeds",
        rows=rows,
        summary=f"{clean} of {jobs} counterpoints are without fault; 16 bars take at most {slowest:.0f} ms of CPU.",
        requirements=requirements,
    )


def lines_of(judged: Mapping[tuple[Cantus, bool], Sequence[Verdict]]) -> dict[str, Cell]:
    leaps: list[bool] = []
    intervals: list[int] = []
    tied: list[bool] = []
    for (cantus, _), verdicts in judged.items():
        inner = cantus_notes(cantus, octave=4)[1:-1]
        for voice in (verdict.sung for verdict in verdicts):
            leaps += [abs(after.midi - before.midi) >= FOURTH for before, after in pairwise(voice)]
            starts = [(note, bar) for bar in inner if (note := sounding(voice, bar.onset)) is not None]
            intervals += [simple(interval(note, bar)[0]) for note, bar in starts]
            tied += [note.onset < bar.onset for note, bar in starts]
    return {
        "leaps": fmean(leaps),
        "thirds": intervals.count(3) / len(intervals),
        "sixths": intervals.count(6) / len(intervals),
        "tied bars": fmean(tied),
        "notes shared by seeds": fmean(map(shared_notes, judged.values())),
    }


def shared_notes(verdicts: Sequence[Verdict]) -> float:
    """Return the mean share of notes (onset and pitch) that two voices have in common."""
    voices = [{(note.onset, note.midi) for note in verdict.sung} for verdict in verdicts]
    return fmean(len(one & other) / max(len(one), len(other)) for one, other in combinations(voices, 2))


def timed(species: int) -> tuple[float, float]:
    """Return the median CPU milliseconds of the tool for 16 bars, and of music21 for writing the notation."""
    score = parse_note_list(
        " ".join(f"{name}:w" for name in CANTUS.split()) if species else SIXTEEN_BARS.replace("\n", " ")
    )
    ours, theirs = [], []
    for seed in range(RUNS):
        for voice in ("alto", "bass"):
            asked = {"existing_voice": "-", "new_voice_type": voice, "species": species, "seed": seed}
            body = AddVoice.model_validate(asked)
            spent, (_, combined, _) = timed_call(run_add_voice, score, body)
            ours.append(spent)
        theirs.append(cpu_ms(music21_xml, combined))
    return median(ours), median(theirs)


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
