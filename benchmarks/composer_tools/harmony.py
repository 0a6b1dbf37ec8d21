"""Measure reharmonize and analyze_harmony: CPU time for 16 bars and three options, including the MusicXML.

Every call has the tune in another key, so that no cache is used. music21 cannot harmonize. It does the part that any
program must do: find the key, and write the four voices that we found as MusicXML, three times.
"""

from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

from benchmarks.composer_tools import SIXTEEN_BARS
from benchmarks.support.cpu_time import cpu_ms
from benchmarks.support.report import Cell, Report, Requirement
from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.service import describe_harmonizations, find_harmonizations
from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Part, Score

KEYS = range(-3, 4)
"""Semitones up or down from G major."""
LIMIT_MS = 150


def run() -> Report:
    tunes = [moved(parse_note_list(SIXTEEN_BARS), semitones) for semitones in KEYS]
    rows: list[dict[str, Cell]] = []
    worst = 0.0
    for style in ("classical", "jazz", "pop", "modal"):
        row: dict[str, Cell] = {"tool": f"reharmonize, {style}"}
        for rhythm in ("per_measure", "per_half", "per_beat"):
            body = Reharmonize.model_validate(
                {"melody": SIXTEEN_BARS, "style": style, "chord_rhythm": rhythm, "include_musicxml": True}
            )
            cost = median_cpu_ms(partial(harmonize, body), tunes)
            row[f"ms {rhythm}"] = cost
            worst = max(worst, cost)
        rows.append(row)
    body = Reharmonize.model_validate({"melody": SIXTEEN_BARS, "style": "classical", "chord_rhythm": "per_beat"})
    voices = [find_harmonizations(tune, body).options[0].score for tune in tunes]
    asked = AnalyzeHarmony.model_validate({"music": "score"})
    analysis = median_cpu_ms(lambda score: analyze(score, asked), voices)
    rows.append({"tool": "analyze_harmony, four voices", "ms per_beat": analysis})
    plain = median_cpu_ms(written_by_music21, [to_music21(score) for score in voices])
    rows.append({"tool": "music21: find the key, write the voices three times", "ms per_beat": plain})
    return Report(
        title="Harmony of 16 bars",
        rows=rows,
        summary=f"reharmonize, 16 bars, 3 options: {worst:.0f} ms at most; analyze_harmony: {analysis:.0f} ms.",
        requirements=[Requirement("CPU ms of reharmonize, 16 bars, 3 options", round(worst, 1), LIMIT_MS)],
    )


def moved(tune: Score, semitones: int) -> Score:
    notes = [note._replace(pitch=Pitch.from_midi(note.midi + semitones)) for note in tune.parts[0].notes]
    return tune.with_parts([Part.of("melody", notes)])


def harmonize(body: Reharmonize, tune: Score) -> object:
    return describe_harmonizations(find_harmonizations(tune, body), body)


def median_cpu_ms(work: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """Return the median CPU time of the work on each input."""
    return median(cpu_ms(work, one) for one in inputs)


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
