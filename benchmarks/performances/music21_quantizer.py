"""music21's reading of a performance, as the baseline: its MIDI import with quantising to quarters and thirds."""

import tempfile
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.performances.corpus_scores import CorpusPerformance
from benchmarks.performances.measures import INTERVALS, Written, compare, metre_class, right_intervals, true_notes
from consort_music.metre import Metre
from consort_music.midi.notes import pair_notes
from consort_music.midi.writer import write_midi


def music21_scores(performance: CorpusPerformance) -> dict[str, float]:
    """Return the same measures as for our reading. Its notes are matched with the played ones by pitch, in order."""
    stream = _read(performance)
    waiting: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for element in stream.flatten().notes:
        for pitch in element.pitches:
            start, length = Fraction(element.offset), Fraction(element.quarterLength)
            waiting.setdefault(pitch.midi, []).append((start, length))
    for places in waiting.values():
        places.sort()
    played = [note for track in performance.file.tracks for note in pair_notes(track).notes]
    written: list[Written] = [None] * len(played)
    for index in sorted(range(len(played)), key=lambda index: played[index].start):
        left = waiting.get(played[index].pitch)
        written[index] = left.pop(0) if left else None
    truth = true_notes(performance)
    onsets, values = compare(written, truth)
    metre = next(iter(stream.recurse().getElementsByClass("TimeSignature")), None)
    found = Metre(metre.numerator, metre.denominator) if metre else Metre(4, 4)
    key = stream.analyze("key")
    return {
        "onsets": onsets,
        INTERVALS: right_intervals(written, truth),
        "note values": values,
        "metre": float(metre_class(found) == metre_class(performance.score.metre)),
        "key signature, not in the file": float((key.sharps - performance.score.keys[0][1].sharps) % 12 == 0),
    }


def _read(performance: CorpusPerformance) -> Any:
    from music21 import converter

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "performance.mid"
        path.write_bytes(write_midi(performance.file))
        return converter.parse(path, quantizePost=True, quarterLengthDivisors=(4, 3), forceSource=True)
