"""The notes of Bach's four-part chorales, read from music21's corpus once and cached outside the repository.

A chorale is a score of the folder `bach` with parts named soprano, alto, tenor and bass. Other instruments are left
out, tied notes are joined, repeats are not played. Times are in ticks, 24 per quarter note. The cache is one JSON file
of about 2 MB in the user's cache folder. It is made again when music21's version or `CACHE_VERSION` changes.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.corpora.music21_cache import read_once

TICKS = 24
"""Ticks per quarter note."""
VOICES = ("soprano", "alto", "tenor", "bass")
CACHE_VERSION = 2
"""The version of the cache's format."""
MAX_NOTES = 4000
"""A score with more notes than this in a voice is not a chorale."""


@dataclass(frozen=True)
class Chorale:
    name: str
    sharps: int
    voices: dict[str, list[tuple[int, int, int]]]
    """By voice: the onset, duration and MIDI number of each note."""
    measures: list[tuple[int, int, int]]
    """By measure: onset, and numerator and denominator of the metre. A pickup is a short first measure."""
    end: int
    fermatas: list[int]
    """Onsets of the soprano notes with a fermata."""

    @property
    def beats(self) -> list[tuple[int, int, bool]]:
        """The onset and end of each beat, and whether it is the first beat of a whole bar."""
        found = []
        for index, (onset, numerator, denominator) in enumerate(self.measures):
            end = self.measures[index + 1][0] if index + 1 < len(self.measures) else self.end
            step = TICKS * 4 // denominator * (3 if denominator >= 8 and numerator % 3 == 0 and numerator > 3 else 1)
            full = numerator * TICKS * 4 // denominator
            # A pickup is the end of a bar: count its beats back from the next bar line.
            start = end - -(-(end - onset) // step) * step if index == 0 and end - onset < full else onset
            for beat in range(start, end, step):
                found.append((max(beat, onset), min(beat + step, end), beat == start and end - onset >= full))
        return found


@cache
def chorales() -> dict[str, Chorale]:
    """Return every chorale by its name, such as `bwv66.6`, sorted by name."""
    kept = read_once("chorales.json", "chorales", CACHE_VERSION, lambda: map(asdict, _read_all()))
    return {item["name"]: _restored(item) for item in kept}


def _restored(item: dict[str, Any]) -> Chorale:
    voices = {voice: [(a, b, c) for a, b, c in notes] for voice, notes in item["voices"].items()}
    measures = [(a, b, c) for a, b, c in item["measures"]]
    return Chorale(item["name"], item["sharps"], voices, measures, item["end"], item["fermatas"])


def _read_all() -> Iterator[Chorale]:
    from music21 import corpus

    paths = [Path(path) for path in corpus.getComposer("bach")]
    for path in sorted((path for path in paths if path.suffix in {".mxl", ".xml", ".krn"}), key=lambda path: path.name):
        chorale = _read(path)
        if chorale is not None:
            yield chorale


def _read(path: Path) -> Chorale | None:
    """Return the chorale in a file, or None if the file has no chorale."""
    from music21 import corpus

    score = corpus.parse(path)
    parts = {}
    for part in score.parts:
        name = (part.partName or "").strip().lower()
        for voice in VOICES:
            if name.startswith(voice) and voice not in parts:
                parts[voice] = part
    if set(parts) != set(VOICES):
        return None
    voices = {voice: _notes(parts[voice]) for voice in VOICES}
    if not all(8 <= len(notes) <= MAX_NOTES for notes in voices.values()):
        return None
    signatures = [found.sharps for found in parts["soprano"].recurse().getElementsByClass("KeySignature")]
    measures = []
    metre = (4, 4)
    for measure in parts["soprano"].getElementsByClass("Measure"):
        if measure.timeSignature is not None:
            metre = (measure.timeSignature.numerator, measure.timeSignature.denominator)
        measures.append((_ticks(measure.offset), *metre))
    end = max(onset + duration for notes in voices.values() for onset, duration, _ in notes)
    measures = [measure for measure in measures if measure[0] < end]
    if not measures:
        return None
    held = [
        note for note in parts["soprano"].flatten().notes if any("Fermata" in mark.classes for mark in note.expressions)
    ]
    fermatas = sorted({_ticks(note.offset) for note in held})
    return Chorale(path.stem, signatures[0] if signatures else 0, voices, measures, end, fermatas)


def _notes(part: Any) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    for note in part.stripTies().flatten().notes:
        duration = _ticks(note.quarterLength)
        if duration > 0:
            found.append((_ticks(note.offset), duration, max(pitch.midi for pitch in note.pitches)))
    return sorted(found)


def _ticks(quarters: float | Fraction) -> int:
    return round(quarters * TICKS)
