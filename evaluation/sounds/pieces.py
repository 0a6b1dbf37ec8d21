"""Read the pieces that `pieces.json` lists. Times are in quarter notes from the first whole bar.

Reading with music21 takes a quarter of a second a piece, so the notes are kept in the cache folder.
"""

import json
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.corpora.folk_tunes import bar_length, beat_length, corpus_texts, read_tune
from evaluation.sounds.cache_folder import cache_folder

_LIST = Path(__file__).with_name("pieces.json")
KINDS = ("tunes", "chorales", "works")
_VERSION = 1
TONIC_NAMES = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")


class PieceNote(NamedTuple):
    onset: float
    duration: float
    midi: int
    voice: int


@dataclass(frozen=True)
class Piece:
    name: str
    metre: str
    tonic: int | None
    """The pitch class, or None if the key is not certain."""
    mode: str
    notes: tuple[PieceNote, ...]

    @property
    def bar(self) -> float:
        return float(bar_length(self.metre))

    @property
    def beat(self) -> float:
        return float(beat_length(self.metre))

    @property
    def end(self) -> float:
        return max(note.onset + note.duration for note in self.notes)

    @property
    def shortest(self) -> float:
        """A length that nine of ten notes reach."""
        return sorted(note.duration for note in self.notes)[len(self.notes) // 10]


@cache
def seed() -> int:
    return int(json.loads(_LIST.read_text())["seed"])


def piece_names(split: str, kind: str) -> list[str]:
    """Return the names of one kind (`tunes`, `chorales` or `works`) in one part (`tune` or `test`)."""
    names: list[str] = json.loads(_LIST.read_text())[split][kind]
    return names


@cache
def pieces(split: str, kind: str) -> tuple[Piece, ...]:
    """Return the pieces of one kind in one part, read with music21 or from the cache."""
    names = piece_names(split, kind)
    place = cache_folder() / f"pieces-{split}-{kind}-{_VERSION}.json"
    try:
        rows = json.loads(place.read_text())
    except (OSError, ValueError):
        rows = None
    if rows is None or list(rows) != names:
        rows = {name: _to_json(piece) for name, piece in zip(names, _read(names, kind), strict=True)}
        place.write_text(json.dumps(rows))
    return tuple(_from_json(name, row) for name, row in rows.items() if row["notes"])


def _read(names: list[str], kind: str) -> list[Piece]:
    if kind != "tunes":
        return [_read_work(name) for name in names]
    texts = {name: text for name, text in corpus_texts() if name in set(names)}
    found = []
    for name in names:
        tune = read_tune(name, texts[name])
        assert tune is not None, f"{name} is in the list and cannot be read"
        notes = tuple(PieceNote(float(note.onset), float(note.duration), note.midi, 0) for note in tune.notes)
        found.append(Piece(name, tune.metre, tune.tonic, tune.mode, notes))
    return found


def _read_work(name: str) -> Piece:
    from music21 import corpus

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = corpus.parse(name).stripTies()
    notes: list[PieceNote] = []
    for voice, part in enumerate(score.parts):
        for note in part.flatten().notes:
            if note.quarterLength and not {"ChordSymbol", "Unpitched"} & set(note.classes):
                notes += [
                    PieceNote(float(note.offset), float(note.quarterLength), pitch.midi, voice)
                    for pitch in note.pitches
                ]
    first = score.parts[0]
    bars = list(first.getElementsByClass("Measure"))
    metre = next((bar.timeSignature.ratioString for bar in bars if bar.timeSignature), "4/4")
    changes = {bar.timeSignature.ratioString for bar in bars if bar.timeSignature}
    if len(changes) > 1:
        end = next(bar.offset for bar in bars if bar.timeSignature and bar.timeSignature.ratioString != metre)
        notes = [note for note in notes if note.onset + note.duration <= end]
    pickup = float(bars[1].offset) if len(bars) > 1 and bars[1].offset < bar_length(metre) else 0.0
    notes = sorted({note._replace(onset=note.onset - pickup) for note in notes})
    signature = next(iter(first.recurse().getElementsByClass("KeySignature")), None)
    tonic, mode = _certain_key(signature.sharps if signature else None, notes)
    return Piece(name, metre, tonic, mode, tuple(notes))


def _certain_key(sharps: int | None, notes: list[PieceNote]) -> tuple[int | None, str]:
    """Return the key if the last bass note is the tonic of the key signature's major or minor key."""
    if sharps is None or not notes:
        return None, ""
    end = max(note.onset + note.duration for note in notes)
    bass = min(note.midi for note in notes if note.onset + note.duration >= end - Fraction(1, 100)) % 12
    major = 7 * sharps % 12
    if bass == major:
        return major, "major"
    return (bass, "minor") if bass == (major + 9) % 12 else (None, "")


def _to_json(piece: Piece) -> dict[str, Any]:
    return {"metre": piece.metre, "tonic": piece.tonic, "mode": piece.mode, "notes": piece.notes}


def _from_json(name: str, row: dict[str, Any]) -> Piece:
    return Piece(name, row["metre"], row["tonic"], row["mode"], tuple(PieceNote(*note) for note in row["notes"]))
