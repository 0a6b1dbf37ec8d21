"""50 pieces of many kinds: scores and performances of music21's corpus, and random music for what these lack."""

import base64
import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from benchmarks.performances import corpus_scores
from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.midi.writer import write_midi
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from consort_music.score_json import score_to_json

SEED = 50
CORPUS, PERFORMANCES = 16, 8
_VALUES = [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3, 2), Fraction(2)]
_BANDS = {
    "wind band": ("Flute", "Clarinet", "Alto Sax", "Trumpet", "French Horn", "Tuba"),
    "small orchestra": ("Piccolo", "Oboe", "English Horn", "Violin", "Viola", "Cello", "Contrabass"),
    "saxophones": ("Soprano Sax", "Alto Sax", "Tenor Sax", "Baritone Sax"),
}
_FRETTED = {
    "guitar": ("Acoustic Guitar (nylon)", 40, 74),
    "bass": ("Electric Bass (finger)", 28, 50),
    "ukulele": ("Acoustic Guitar (nylon)", 60, 76),
    "banjo": ("Banjo", 50, 72),
    "mandolin": ("Acoustic Guitar (steel)", 55, 80),
    "guitar with capo": ("Acoustic Guitar (steel)", 45, 74),
}
_DRUMS = ((36, 42), (42,), (38, 42), (46,), (36,), (48,), (45, 49), (44, 51))


class MusicPiece(NamedTuple):
    kind: str
    name: str
    source: dict[str, Any]
    """As `make_notation` takes it."""
    options: dict[str, Any]
    """Arguments of midi_to_notation."""


def all_pieces() -> list[MusicPiece]:
    return [
        *_corpus(),
        *_performances(),
        *_drums(),
        *_tabs(),
        *_lyrics(),
        *_transposing(),
        *_tuplets(),
        *_changes(),
        *_large(),
    ]


def _corpus() -> Iterator[MusicPiece]:
    """Yield scores of the corpus. Those with lengths that have no note value (hidden notes of trills) are left out."""
    found = ((name, corpus_scores.performance(name).score) for name in _spread(CORPUS + 2))
    written = [(name, score) for name, score in found if _has_values(score)]
    for name, score in written[:CORPUS]:
        yield _piece("corpus", name, score)


def _has_values(score: Score) -> bool:
    return "<type>" in (text := write_musicxml(score)) and text.count("<type>") == text.count("<note") - text.count(
        '<rest measure="yes"/>'
    )


def _performances() -> Iterator[MusicPiece]:
    for name in _spread(PERFORMANCES, 3):
        content = base64.b64encode(zlib.compress(write_midi(corpus_scores.performance(name).file))).decode()
        yield MusicPiece("performance", name, {"kind": "midi", "content": content, "title": name}, {})


def _spread(count: int, skipped: int = 0) -> list[str]:
    names = corpus_scores.LIST.read_text().splitlines()[skipped:]
    return names[:: len(names) // count][:count]


def _drums() -> Iterator[MusicPiece]:
    for number, (metre, steps) in enumerate((("4/4", 2), ("4/4", 3), ("7/8", 2), ("6/8", 4))):
        rng = random.Random(f"{SEED} drums {number}")
        length = parse_metre(metre).bar * 4
        places = [Fraction(place, steps) for place in range(int(length * steps))]
        notes = [
            Note(place, Fraction(1, steps), Pitch.from_midi(drum), 90)
            for place in places
            if rng.random() < 0.8
            for drum in rng.choice(_DRUMS)
        ]
        yield _piece("drums", f"drums in {metre}, {steps} a beat", _score([("Drums", "Drums", notes)], metre))


def _tabs() -> Iterator[MusicPiece]:
    for number, (name, (instrument, low, high)) in enumerate(_FRETTED.items()):
        rng = random.Random(f"{SEED} tabs {number}")
        score = _score([(name, instrument, _line(rng, low, high, bars=8))])
        options: dict[str, Any] = {"format": "both", "instrument": name.split()[0]}
        yield _piece("tabs", name, score, **options, **({"capo": 3} if "capo" in name else {}))


def _lyrics() -> Iterator[MusicPiece]:
    for number, syllables in enumerate(("la", "down by the riv-er", "Grü-ße & <Küs-se>")):
        notes = _line(random.Random(f"{SEED} lyrics {number}"), 60, 76, bars=8)
        words = syllables.split()
        sung = len({note.start for note in notes})
        text = " ".join(words * (sung // (len(words) + syllables.count("-"))))
        chords = tuple(ChordMark(Fraction(4 * bar), symbol) for bar, symbol in enumerate(("C", "Bb7", "F#m7b5", "G/B")))
        yield _piece("lyrics", f"lyrics: {syllables}", _score([("Voice", None, notes)], chords=chords), lyrics=text)


def _transposing() -> Iterator[MusicPiece]:
    for name, instruments in _BANDS.items():
        rng = random.Random(f"{SEED} {name}")
        parts = [(instrument, instrument, _line(rng, 55, 72, bars=6)) for instrument in instruments]
        yield _piece("transposing", name, _score(parts, key="Eb major"))


def _tuplets() -> Iterator[MusicPiece]:
    for actual in (3, 5, 7):
        rng = random.Random(f"{SEED} tuplets {actual}")
        values = [Fraction(1), *[Fraction(1, actual)] * actual, Fraction(1, 2), Fraction(1, 2), Fraction(1)]
        notes, at = [], Fraction(0)
        for value in values * 6:
            notes.append(Note(at, value, Pitch.from_midi(rng.randint(58, 79)), 80))
            at += value
        yield _piece("tuplets", f"{actual} in a beat", _score([("Violin", "Violin", notes)]))


def _changes() -> Iterator[MusicPiece]:
    """Yield music whose metre, key or tempo changes, and with a pickup."""
    rng = random.Random(f"{SEED} changes")
    piano = [("Piano", "Acoustic Grand Piano", [*_line(rng, 60, 79, bars=12), *_line(rng, 36, 55, bars=12)])]
    metres = (("4/4", 0), ("3/4", 8), ("7/8", 14), ("6/8", 21), ("5/4", 27))
    changed = tuple((Fraction(at), parse_metre(metre)) for metre, at in metres)
    yield _piece("changes", "metres", replace(_score(piano), metres=changed))
    keys = (("G major", 0), ("E minor", 16), ("Db major", 24), ("B minor", 33))
    named = tuple((Fraction(at), parse_key(key)) for key, at in keys)
    yield _piece("changes", "keys", replace(_score(piano), keys=named))
    tempos = tuple((Fraction(at), Fraction(bpm)) for at, bpm in ((0, 60), (9, 90), (16, 132)))
    yield _piece("changes", "tempos", replace(_score(piano), tempos=tempos))
    yield _piece("changes", "pickup", replace(_score(piano, "3/4"), pickup=Fraction(1)))
    yield _piece("changes", "pickup of an eighth", replace(_score(piano, "6/8"), pickup=Fraction(1, 2)))


def _large() -> Iterator[MusicPiece]:
    for tracks in (16, 30):
        rng = random.Random(f"{SEED} {tracks}")
        parts = [(f"Track {number + 1}", None, _line(rng, 48, 76, bars=6)) for number in range(tracks)]
        yield _piece("many tracks", f"{tracks} tracks", _score(parts))


def _piece(kind: str, name: str, score: Score, **options: Any) -> MusicPiece:
    return MusicPiece(kind, name, {"kind": "score", "score": score_to_json(score), "marks": [["0", "A"]]}, options)


def _score(
    parts: Sequence[tuple[str, str | None, Sequence[Note]]],
    metre: str = "4/4",
    key: str = "C major",
    chords: tuple[ChordMark, ...] = (),
) -> Score:
    return Score(
        parts=tuple(Part.of(name, notes, instrument) for name, instrument, notes in parts),
        metres=((Fraction(0), parse_metre(metre)),),
        keys=((Fraction(0), parse_key(key)),),
        tempos=((Fraction(0), Fraction(96)),),
        chords=chords,
        title="A piece",
    )


def _line(rng: random.Random, low: int, high: int, bars: int) -> list[Note]:
    """Return a line with rests and chords that fills bars of 4/4."""
    notes: list[Note] = []
    at, pitch, end = Fraction(0), (low + high) // 2, Fraction(4 * bars)
    while at < end:
        value = min(rng.choice(_VALUES), end - at)
        pitch = min(max(pitch + rng.randint(-4, 4), low), high)
        if rng.random() < 0.9:
            notes.append(Note(at, value, Pitch.from_midi(pitch), 80))
        if rng.random() < 0.1 and pitch - 7 >= low:
            notes.append(Note(at, value, Pitch.from_midi(pitch - 7), 80))
        at += value
    return notes
