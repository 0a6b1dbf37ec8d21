"""The pieces that `engrave.py` draws. All were written for these pictures, or are traditional."""

import base64
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.midi.writer import write_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from consort_music.score_json import score_to_json

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Piece:
    source: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)


def typed(text: str, **options: Any) -> Piece:
    return Piece({"kind": "text", "text": text}, options)


def score(
    title: str,
    parts: Iterable[tuple[str, str | None, str]],
    metre: str = "4/4",
    key: str = "C major",
    tempo: int = 100,
    chords: str = "",
    marks: Iterable[tuple[int, str]] = (),
    pickup: Fraction = Fraction(0),
    metres: Iterable[tuple[int, str]] = (),
    **options: Any,
) -> Piece:
    """Return a score. A part is its name, instrument and note lists, with `/` between voices that sound together."""
    made = Score(
        parts=tuple(Part.of(name, _notes(text), instrument) for name, instrument, text in parts),
        metres=((Fraction(0), parse_metre(metre)), *((Fraction(at), parse_metre(later)) for at, later in metres)),
        keys=((Fraction(0), parse_key(key)),),
        tempos=((Fraction(0), Fraction(tempo)),),
        chords=tuple(_chords(chords, parse_metre(metre).bar, pickup)),
        title=title,
        pickup=pickup,
    )
    return Piece(
        {"kind": "score", "score": score_to_json(made), "marks": [[str(at), mark] for at, mark in marks]}, options
    )


def _notes(text: str) -> list[Note]:
    return [note for voice in text.split("//") for part in parse_note_list(voice).parts for note in part.notes]


def _chords(text: str, bar: Fraction, pickup: Fraction) -> Iterable[ChordMark]:
    for number, symbols in enumerate(text.split("|") if text else ()):
        words = symbols.split()
        for place, symbol in enumerate(words):
            if symbol != ".":
                yield ChordMark(pickup + number * bar + place * bar / len(words), symbol)


def midi(content: bytes, title: str, **options: Any) -> Piece:
    return Piece(
        {"kind": "midi", "content": base64.b64encode(zlib.compress(content)).decode(), "title": title}, options
    )


def midi_text(name: str, title: str, **options: Any) -> Piece:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    return midi(write_midi(sequence_to_midi(read_midi_text(text).music)), title, **options)


def _drums() -> Piece:
    beat = Fraction(1)
    hits: list[tuple[Fraction, int]] = []
    for bar in range(4):
        start = 4 * bar * beat
        hits += [(start + step * beat / 2, 46 if step == 7 and bar % 2 else 42) for step in range(8)]
        hits += [(start, 36), (start + 2, 36), (start + Fraction(5, 2), 36), (start + 1, 38), (start + 3, 38)]
    hits = [hit for hit in hits if not (hit[0] >= 14 and hit[1] in (38, 42, 46))]
    hits += [(Fraction(14) + Fraction(step, 4), drum) for step, drum in enumerate((38, 38, 48, 48, 45, 45, 43, 43))]
    hits += [(Fraction(0), 49), (Fraction(8), 49)]
    notes = [Note(at, Fraction(1, 4), Pitch.from_midi(number), 90) for at, number in hits]
    made = Score(
        (Part.of("Drums", notes, "Drums"),), tempos=((Fraction(0), Fraction(112)),), title="Rock beat with a fill"
    )
    return Piece({"kind": "score", "score": score_to_json(made), "marks": []}, {})


_SWING_PAIRS = "D4 F4|A4 G4|F4 D4|C4 A3|B3 D4|F4 E4|D4 B3|G3 A3|C4 E4|G4 E4|D4 C4|B3 G3|C4 R|R R"


def _swing() -> Piece:
    long, short = "2/3", "1/3"
    line = []
    for pair in _SWING_PAIRS.split("|"):
        first, second = pair.split()
        line += [f"{first}:{long}", f"{second}:{short}"]
    text = " ".join(line) + " R:h"
    bass = "D2:q F2:q A2:q C3:q G1:q B1:q D2:q F2:q C2:q E2:q G2:q A2:q C2:q G1:q C2:h"
    made = Score(
        (Part.of("Tenor Sax", _notes(text), "Tenor Sax"), Part.of("Bass", _notes(bass), "Acoustic Bass")),
        keys=((Fraction(0), parse_key("C major")),),
        tempos=((Fraction(0), Fraction(132)),),
        title="Two-five-one",
    )
    return midi(write_midi(score_to_midi(made)), "Two-five-one", composer="Played by hand")


def _long() -> Piece:
    bars = []
    motif = ["C5:q E5:q G5:h", "A5:e G5:e F5:e E5:e D5:h", "E5:q F5:e G5:e A5:q G5:q", "F5:q D5:q C5:h"]
    for number in range(60):
        bars.append(motif[number % 4])
    low = " ".join(["C3+G3:h E3+G3:h", "F3+A3:h G2+D3:h", "C3+E3:h F2+C3:h", "G2+B2:h C3:h"] * 15)
    marks = [(0, "A"), (64, "B"), (128, "C"), (192, "D")]
    chords = "|".join(["C", "F G", "C F", "G C"] * 15)
    text = " ".join(bars)
    parts = [("Flute", "Flute", text), ("Piano", "Acoustic Grand Piano", f"{text} // {low}")]
    return score("Sixty bars", parts, tempo=112, chords=chords, marks=marks)


PIECES = {
    "melody": score(
        "River song",
        [
            (
                "Voice",
                None,
                "G4:e A4:e B4:q D5:q B4:e A4:e | B4:e G4:e A4:q D4:q E4:e F#4:e | G4:q~ G4:h R:q | "
                "A4:q A4:e B4:e C5:q A4:q | B4:q G4:q E4:q G4:e G4:e | A4:q F#4:q G4:h",
            )
        ],
        key="G major",
        tempo=84,
        chords="G D | G . Em D | G | Am C | G Em | D7 G",
        lyrics="Down by the riv-er the eve-ning is fall-ing, light is low. Boats on the wa-ter, home they go, and I "
        "fol-low.",
        composer="Consort",
    ),
    "chorale": midi_text("chorale", "Evening hymn"),
    "piano": score(
        "Nocturne",
        [
            (
                "Piano",
                "Acoustic Grand Piano",
                "Bb4:hd C5:e D5:e | Eb5:h D5:q C5:q | D5:hd Bb4:q | A4:h Bb4:h // "
                "R:q D4+F4:q D4+F4:q R:q | R:q Eb4+G4:q F4:q Eb4:q | R:q D4+F4:q D4+F4:q R:q | Eb4:h D4:h // "
                "Bb2:e F3:e Bb3:e F3:e Bb2:e F3:e Bb3:e F3:e | C3:e G3:e C4:e G3:e F2:e C3:e F3:e C3:e | "
                "Bb2:e F3:e Bb3:e F3:e Bb2:e F3:e Bb3:e F3:e | F2:e C3:e F3:e A3:e Bb2:h",
            )
        ],
        key="Bb major",
        tempo=72,
        split_point="D4",
    ),
    "triplets": score(
        "Triplets beside eighths",
        [
            ("Violin", "Violin", "D5:e3 E5:e3 F#5:e3 G5:e3 F#5:e3 E5:e3 D5:q A4:q | B4:q3 C#5:q3 D5:q3 E5:h | D5:w"),
            (
                "Cello",
                "Cello",
                "D3:e E3:e F#3:e G3:e A3:e G3:e F#3:e E3:e | G3:e A3:e B3:e G3:e A3:e B3:e C#4:e A3:e | D3:w",
            ),
        ],
        key="D major",
        tempo=96,
    ),
    "swing": _swing(),
    "pickup": score(
        "Morning walk",
        [("Fiddle", "Fiddle", "D4:q | G4:q A4:q B4:q | B4:qd A4:e G4:q | E4:q E4:q A4:q | F#4:h D4:q | G4:hd")],
        metre="3/4",
        key="G major",
        tempo=120,
        pickup=Fraction(1),
    ),
    "six-and-seven": score(
        "Six and seven",
        [
            (
                "Flute",
                "Flute",
                "D5:q E5:e F#5:e E5:e D5:e | B4:qd A4:qd | D5:e E5:e F#5:e A5:qd | D5:hd | "
                "E5:e F#5:e G5:e F#5:e E5:e D5:e C#5:e | D5:q B4:q A4:qd | G4:q A4:q B4:e C#5:e D5:e",
            )
        ],
        metre="6/8",
        metres=[(12, "7/8")],
        key="D major",
        tempo=126,
    ),
    "metre-change": score(
        "Changing metres",
        [
            (
                "Piano",
                "Acoustic Grand Piano",
                "C5:q D5:q E5:q G5:q | F5:q E5:q D5:q | E5:e F5:e G5:e A5:e B5:q | C6:w // "
                "C3+G3:h C3+G3:h | F3:hd | G3:h G2:q | C3+G3:w",
            )
        ],
        metres=[(4, "3/4"), (10, "4/4")],
        tempo=108,
    ),
    "guitar-tab": score(
        "Study in E minor",
        [
            (
                "Guitar",
                "Acoustic Guitar (nylon)",
                "B4:q A4:q G4:q | F#4:q G4:q A4:q | G4:hd | E4:hd // "
                "E2:e B3:e G3:e B3:e G3:e B3:e | B2:e A3:e F#3:e A3:e F#3:e A3:e | "
                "E2:e B3:e G3:e B3:e G3:e B3:e | E2+B2:hd",
            )
        ],
        metre="3/4",
        key="E minor",
        tempo=92,
        format="both",
    ),
    "bass-tab": score(
        "Walking in A",
        [
            (
                "Bass",
                "Electric Bass (finger)",
                "A1:q C#2:q E2:q F#2:q | G2:q F#2:q E2:q C#2:q | D2:e D2:e F#2:q A2:q F#2:q | E2:q G#2:q A2:h",
            )
        ],
        key="A major",
        tempo=116,
        chords="A | A7 | D | E A",
        format="both",
    ),
    "ukulele-tab": score(
        "Island tune",
        [("Ukulele", None, "G4:q C5:q E5:q C5:q | C4+E4+A4:h D4+F4+A4:h | G4+B4:q D5:q B4:q G4:q | E4+G4+C5:w")],
        key="C major",
        tempo=100,
        chords="C | Am F | G | C",
        format="both",
        instrument="ukulele",
        chord_diagrams=True,
    ),
    "drums": _drums(),
    "sixty-bars": _long(),
    "transposing": score(
        "Wind band in C",
        [
            ("Flute", "Flute", "C5:q D5:q E5:q F5:q | G5:h E5:h | C5:w"),
            ("Clarinet", "Clarinet", "E4:q F4:q G4:q A4:q | B4:h G4:h | E4:w"),
            ("Alto Sax", "Alto Sax", "C4:q B3:q C4:q D4:q | D4:h C4:h | G3:w"),
            ("Bassoon", "Bassoon", "C3:q G2:q C3:q F2:q | G2:h G2:h | C3:w"),
            ("Trumpet", "Trumpet", "G4:q G4:q C5:q C5:q | D5:h C5:h | C5:w"),
            ("Horn", "French Horn", "C4:q B3:q G3:q A3:q | B3:h C4:h | G3:w"),
            ("Double Bass", "Contrabass", "C2:q G1:q C2:q F1:q | G1:h G1:h | C2:w"),
        ],
        tempo=88,
    ),
}
