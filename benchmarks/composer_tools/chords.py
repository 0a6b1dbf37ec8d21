"""Measure realize_chord and realize_progression: CPU time compared with music21, and symbols read correctly.

Every chord is voiced only once, so that no cache is used. music21 gets the same symbol in its own spelling (flats as
'-') and returns the same: the notes of the chord, as MusicXML.
"""

import itertools
from collections.abc import Callable
from statistics import mean, quantiles
from typing import Any

from benchmarks.support.cpu_time import cpu_ms
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.voicings.engine.satb import realize_satb
from consort_compose.composer.voicings.models import RealizeChord, RealizeProgression
from consort_compose.composer.voicings.service import voice_chord, voice_progression
from consort_music.chords.grammar import parse_chord
from consort_music.errors import MusicError
from evaluation.corpora.chord_symbols import pitch_class, symbols_and_notes

ROOTS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
QUALITIES = ("", "m", "7", "maj7", "m7", "m7b5", "dim7", "6", "sus4", "9", "13", "7b9", "7alt", "m11")
STYLES = ("close", "open", "drop2", "drop3", "quartal", None)
PROGRESSION = [
    *("Dm7", "G7", "Cmaj7", "Fmaj7", "Bm7b5", "E7", "Am7", "A7"),
    *("Dm7", "G7", "Em7", "A7", "Dm9", "G13", "C6/9", "C"),
]
REALIZE_CHORD_MS = 10


def run() -> Report:
    symbols = ["".join(pair) for pair in itertools.product(ROOTS, QUALITIES)]
    rows: list[Row] = []
    worst = 0.0
    for instrument in ("piano", "guitar", "satb", "strings"):
        bodies = [
            RealizeChord.model_validate({"chord_symbol": symbol, "instrument": instrument, "voicing_style": style})
            for symbol, style in zip(symbols, itertools.cycle(STYLES), strict=False)
        ]
        times = [cpu_ms(voice_chord, body) for body in bodies]
        high = quantiles(times, n=20)[-1]
        worst = max(worst, high)
        rows.append({"tool": f"realize_chord, {instrument}", "ms a call": mean(times), "95% below ms": high})
    plain = [cpu_ms(music21_chord, symbol) for symbol in symbols]
    rows.append(
        {
            "tool": "music21: ChordSymbol to MusicXML",
            "ms a call": mean(plain),
            "95% below ms": quantiles(plain, n=20)[-1],
        }
    )
    for instrument in ("piano", "guitar", "satb"):
        body = RealizeProgression.model_validate({"chords": PROGRESSION, "instrument": instrument})
        rows.append(
            {"tool": f"realize_progression, 16 chords, {instrument}", "ms a call": cpu_ms(voice_progression, body)}
        )
    chords = [parse_chord(symbol) for symbol in symbols]
    rows.append({"tool": "four voices, one chord of 168", "ms a call": cpu_ms(realize_satb, chords) / len(chords)})
    ours, theirs = right_and_wrong(our_classes), right_and_wrong(music21_classes)
    total = len(charts())
    for name, (right, wrong) in (("our grammar", ours), ("music21", theirs)):
        rows.append(
            {
                "tool": f"{name}: {total} symbols of charts",
                "read right %": 100 * right / total,
                "silently wrong %": 100 * wrong / total,
            }
        )
    return Report(
        title="Chords",
        rows=rows,
        summary=f"realize_chord: 95% of calls below {worst:.1f} ms; {100 * ours[0] / total:.1f}% of {total} symbols "
        f"read right (music21 {100 * theirs[0] / total:.1f}%).",
        requirements=[
            Requirement("realize_chord, ms (95% of calls)", worst, REALIZE_CHORD_MS),
            Requirement("symbols of charts read right, %", 100 * ours[0] / total, 99, more_is_better=True),
        ],
    )


def charts() -> list[tuple[str, frozenset[int]]]:
    return [(symbol, frozenset(map(pitch_class, notes))) for symbol, notes in symbols_and_notes()]


def right_and_wrong(read: Callable[[str], frozenset[int] | None]) -> tuple[int, int]:
    """Return how many symbols are read correctly, and how many as another chord. The others are rejected."""
    answers = [(read(symbol), classes) for symbol, classes in charts()]
    return (
        sum(answer == classes for answer, classes in answers),
        sum(answer is not None and answer != classes for answer, classes in answers),
    )


def our_classes(symbol: str) -> frozenset[int] | None:
    try:
        return parse_chord(symbol).pitch_classes
    except MusicError:
        return None


def music21_classes(symbol: str) -> frozenset[int] | None:
    """Return the pitch classes that music21 reads from a symbol of a chart, or None if music21 rejects it."""
    from music21.harmony import ChordSymbol

    try:
        return frozenset(pitch.pitchClass for pitch in ChordSymbol(symbol).pitches)
    except Exception:  # music21 raises many kinds of errors
        return None


def music21_chord(symbol: str) -> str:
    from music21 import stream
    from music21.harmony import ChordSymbol
    from music21.musicxml.m21ToXml import GeneralObjectExporter

    root, quality = (symbol[:2], symbol[2:]) if symbol[1:2] in ("b", "#") else (symbol[:1], symbol[1:])
    known = {"m7b5": "ø7", "7b9": "7", "7alt": "7"}.get(quality, quality)
    chord = ChordSymbol(root.replace("b", "-") + known)
    chord.writeAsChord = True
    music: Any = stream.Stream([chord])
    return GeneralObjectExporter(music).parse().decode()
