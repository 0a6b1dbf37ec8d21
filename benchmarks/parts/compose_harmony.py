"""reharmonize and analyze_harmony: CPU time for 16 bars, three options, with the answer and its MusicXML.

Every call has the tune in another key, so that no chord is set from memory. music21 has no harmoniser to compare with:
its part is what would have to be done anyway, to find the key and to write the four voices that we found as MusicXML,
three times.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

from benchmarks.report import Cell, Floor, Report
from consort_compose.composer.harmony.models import AnalyzeHarmony, Reharmonize
from consort_compose.composer.harmony.service import describe, find, study
from consort_music.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Part, Score

KEYS = range(-3, 4)
"""Semitones up or down from G major."""
LIMIT_MS = 150
TUNE = """
G4:q G4:e A4:e B4:q G4:q | A4:q A4:e B4:e C5:q A4:q | B4:q C5:e B4:e A4:q D5:q | B4:h G4:h
G4:qd A4:e B4:q C5:q | D5:h C5:q B4:q | A4:q B4:q C5:q F#4:q | G4:w
B4:q D5:q D5:e C5:e B4:q | C5:q E5:q E5:e D5:e C5:q | B4:q G4:q A4:q B4:q | A4:h D4:h
G4:q G4:e A4:e B4:q G4:q | A4:q C5:q B4:e A4:e G4:q | F#4:q A4:q D5:q C5:q | G4:w
"""


def run() -> Report:
    tunes = [moved(parse_note_list(TUNE), semitones) for semitones in KEYS]
    rows: list[dict[str, Cell]] = []
    worst = 0.0
    for style in ("classical", "jazz", "pop", "modal"):
        row: dict[str, Cell] = {"tool": f"reharmonize, {style}"}
        for rhythm in ("per_measure", "per_half", "per_beat"):
            body = Reharmonize.model_validate(
                {"melody": TUNE, "style": style, "chord_rhythm": rhythm, "include_musicxml": True}
            )
            cost = milliseconds(partial(harmonize, body), tunes)
            row[f"ms {rhythm}"] = cost
            worst = max(worst, cost)
        rows.append(row)
    body = Reharmonize.model_validate({"melody": TUNE, "style": "classical", "chord_rhythm": "per_beat"})
    voices = [find(tune, body).options[0].score for tune in tunes]
    asked = AnalyzeHarmony.model_validate({"music": "score"})
    analysis = milliseconds(lambda score: study(score, asked), voices)
    rows.append({"tool": "analyze_harmony, four voices", "ms per_beat": analysis})
    plain = milliseconds(written_by_music21, [to_music21(score) for score in voices])
    rows.append({"tool": "music21: find the key, write the voices three times", "ms per_beat": plain})
    return Report(
        title="Harmony of 16 bars",
        rows=rows,
        summary=f"reharmonize, 16 bars, 3 options: {worst:.0f} ms at most; analyze_harmony: {analysis:.0f} ms.",
        floors=[Floor("CPU ms of reharmonize, 16 bars, 3 options", round(worst, 1), LIMIT_MS)],
    )


def moved(tune: Score, semitones: int) -> Score:
    notes = [note._replace(pitch=Pitch.from_midi(note.midi + semitones)) for note in tune.parts[0].notes]
    return tune.with_parts([Part.of("melody", notes)])


def harmonize(body: Reharmonize, tune: Score) -> object:
    return describe(find(tune, body), body)


def milliseconds(work: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """The median CPU time of the work on each input."""
    times = []
    for one in inputs:
        began = time.process_time()
        work(one)
        times.append(1000 * (time.process_time() - began))
    return median(times)


def to_music21(voices: Score) -> Any:
    import music21

    score: Any = music21.stream.Score()
    for part in voices.parts:
        line: Any = music21.stream.Stream()
        for note in part.notes:
            written = music21.note.Note(quarterLength=note.duration)
            written.pitch.midi = note.midi
            line.insert(note.start, written)
        score.insert(0, line)
    return score


def written_by_music21(score: Any) -> None:
    import music21

    music21.analysis.discrete.analyzeStream(score, "key.temperley")
    for _ in range(3):
        music21.musicxml.m21ToXml.GeneralObjectExporter(score).parse()
