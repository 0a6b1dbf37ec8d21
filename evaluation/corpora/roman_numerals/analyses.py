"""Read the Roman-numeral analyses of music21's corpus, aligned with their scores.

A chorale or madrigal is read by music21, and each chord gets the time at which it starts in the score, by measure
number and beat. An analysis is left out if its measures are not those of its score, or if less than three quarters of
the notes at the starts of its chords belong to them (it is of another version, or in another key). The result is cached
outside the repository, because reading takes a minute. The cache is made again when music21's version or
`CACHE_VERSION` changes.
"""

import json
import re
import warnings
from base64 import b64encode
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from consort_music.notation.read_music import read_music
from consort_music.score import Score
from evaluation.corpora.music21_cache import read_once
from evaluation.corpora.music21_files import corpus_folder

Kind = Literal["chorales", "madrigals", "prelude"]
CACHE_VERSION = 3
_FITS = 0.75
_SPLIT = Path(__file__).with_name("split.json")
_PRELUDE = """
C | Dm7 | G7 | C | Am | D7 | G | Cmaj7 | Am7 | D7 | G | C#dim7 | Dm | Bdim7 | C | Fmaj7 | Dm7 | G7 | C | C7 | Fmaj7 |
F#dim7 | Bdim7 | G7 | C | G7 | F#dim7 | C | G7 | G7 | C7 | F | G7 | C
"""
"""The chord of each bar of BWV 846, prelude, in the corpus, which has no bar 23 of some editions."""
_ROOTS = {"C": 0, "C#": 1, "Dm": 2, "D": 2, "F": 5, "F#": 6, "G": 7, "A": 9, "Am": 9, "B": 11}


@dataclass(frozen=True)
class AnalystChord:
    """The chord of an analysis from `start` on, in quarter notes. `root` and `tonic` are pitch classes."""

    start: float
    root: int
    quality: str
    """`major`, `minor`, `diminished`, `augmented` or `other`."""
    tonic: int
    mode: str
    """`major` or `minor`, or an empty string if the key is not known."""


@dataclass(frozen=True)
class AnalyzedPiece:
    name: str
    kind: Kind
    path: str
    """The file of the score, relative to the corpus."""
    chords: tuple[AnalystChord, ...]

    def score(self) -> Score:
        content = (corpus_folder() / self.path).read_bytes()
        return read_music(b64encode(content).decode(), "mxl")[0]

    def chord_at(self, start: Fraction, end: Fraction) -> AnalystChord | None:
        """Return the chord that lasts longest between two moments, or None before the first chord."""
        best, longest = None, Fraction(0)
        for chord, after in pairwise([*self.chords, None]):
            assert chord is not None
            until = Fraction(after.start) if after else Fraction(10**9)
            shared = min(until, end) - max(Fraction(chord.start), start)
            if shared > longest:
                best, longest = chord, shared
        return best


def analyzed_pieces(part: Literal["tune", "test"]) -> list[AnalyzedPiece]:
    """Return the pieces of one part of the split."""
    names = json.loads(_SPLIT.read_text())[part]
    return [_all()[name] for name in names]


@cache
def _all() -> dict[str, AnalyzedPiece]:
    kept = read_once("roman_numerals.json", "pieces", CACHE_VERSION, lambda: map(asdict, _read_all()))
    pieces = [
        AnalyzedPiece(one["name"], one["kind"], one["path"], tuple(AnalystChord(**chord) for chord in one["chords"]))
        for one in kept
    ]
    return {piece.name: piece for piece in [*pieces, _prelude()]}


def _read_all() -> list[AnalyzedPiece]:
    found = []
    for file in sorted((corpus_folder() / "bach" / "choraleAnalyses").glob("*.rntxt")):
        number = re.search(r"(?m)^BWV:\s*([\d.]+)", file.read_text(encoding="utf-8"))
        if number is not None:
            found.append(_read("chorales", f"bwv{number[1]}", f"bach/bwv{number[1]}.mxl", file))
    for file in sorted((corpus_folder() / "monteverdi").glob("*.rntxt")):
        found.append(_read("madrigals", file.stem, f"monteverdi/{file.stem}.mxl", file))
    return [piece for piece in found if piece is not None]


def _read(kind: Kind, name: str, path: str, analysis: Path) -> AnalyzedPiece | None:
    from music21 import converter, corpus

    if not (corpus_folder() / path).exists():
        return None
    with warnings.catch_warnings(action="ignore"):
        stream = converter.parse(analysis)  # kept, because its elements refer to it weakly
        numerals = list(stream.recurse().getElementsByClass("RomanNumeral"))
        score = corpus.parse(path)
    measures = list(score.parts[0].getElementsByClass("Measure"))
    notes = [(float(note.offset), note) for part in score.parts for note in part.stripTies().flatten().notes]
    starts = _measure_starts(measures)
    chords = []
    inside = sounding = 0
    for numeral in numerals:
        into = (float(numeral.beat) - 1) * float(numeral.beatDuration.quarterLength)
        places = [
            start + into - begin for start, begin, end in starts.get(numeral.measureNumber, []) if begin <= into < end
        ]
        if places:
            key = numeral.key
            for start, note in notes:
                if start <= places[0] < start + float(note.quarterLength):
                    sounding += 1
                    inside += note.pitches[0].pitchClass in numeral.pitchClasses
            chords.append(
                AnalystChord(
                    round(places[0], 4), numeral.root().pitchClass, numeral.quality, key.tonic.pitchClass, key.mode
                )
            )
    end = float(measures[-1].offset + measures[-1].duration.quarterLength)
    is_aligned = all(one.start <= two.start for one, two in pairwise(chords))
    if len(chords) < 0.95 * len(numerals) or not is_aligned or chords[-1].start >= end or inside < _FITS * sounding:
        return None
    return AnalyzedPiece(name, kind, path, tuple(chords))


def _measure_starts(measures: list[Any]) -> dict[int, list[tuple[float, float, float]]]:
    """Return by printed number the start of each measure, and the first and last moment that it has of a full bar."""
    found: dict[int, list[tuple[float, float, float]]] = {}
    for measure in measures:
        length = float(measure.duration.quarterLength)
        before = found.get(measure.number, [])
        begin = before[-1][2] if before else float(measure.paddingLeft)
        found.setdefault(measure.number, []).append((float(measure.offset), begin, begin + length))
    return found


def _prelude() -> AnalyzedPiece:
    chords = []
    for bar, name in enumerate(_PRELUDE.replace("|", " ").split()):
        stem = re.sub("maj7|dim7|7", "", name)
        quality = "diminished" if "dim" in name else "minor" if stem.endswith("m") else "major"
        chords.append(AnalystChord(4.0 * bar, _ROOTS[stem], quality, 0, ""))
    return AnalyzedPiece("bwv846", "prelude", "bach/bwv846.mxl", tuple(chords))
