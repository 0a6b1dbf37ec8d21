"""Measure analyze_harmony against musicians' analyses, and the key finder against the keys of chorales and folk tunes.

- *chords*: per beat, how often the root, the local key, and both with the kind of triad agree with the analysis
  (`evaluation/corpora/roman_numerals`). The input is the score alone. *one key* is the same engine when it names all
  chords in the key of the piece, as before changes of key were found.
- *textures*: the same for chorales whose chords are broken into figures.
- *keys*: how often tonic and mode are found (`evaluation/corpora/stated_keys.py`), with the signature without a mode,
  with no signature, and with signatures that are wrong. A tune in a church mode is in minor or major by its third. Some
  editors' keys of folk tunes are wrong (only a signature), so the tunes that end on their stated tonic have a row too.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Literal

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row, join_reports
from consort_compose.composer.harmony.analyze.analysis import analyze_harmony
from consort_compose.composer.harmony.analyze.named_chord import NamedChord
from consort_compose.composer.harmony.degree_chords import DIMINISHED, MINOR
from consort_compose.composer.tonality import harmonic_key
from consort_music.score import Score
from evaluation.corpora.roman_numerals.analyses import AnalystChord, AnalyzedPiece, analyzed_pieces
from evaluation.corpora.roman_numerals.textures import TEXTURES, broken
from evaluation.corpora.stated_keys import KeyedPiece, keyed_chorales, keyed_folk_tunes

SplitName = Literal["tune", "test"]
SIGNATURES: dict[str, Callable[[int], int | None]] = {
    "its signature": lambda sharps: sharps,
    "no signature": lambda _: None,
    "that of C major": lambda _: 0,
    "a sharp too many": lambda sharps: sharps + 1,
    "two flats too many": lambda sharps: sharps - 2,
}
_TRIADS = {MINOR: "minor", DIMINISHED: "diminished"}


def run(options: BenchOptions) -> Report:
    part: SplitName = "tune" if options.split == "tune" else "test"
    pieces = [piece for piece in analyzed_pieces(part)][: options.limit]
    tasks: dict[str, Callable[[], Report]] = {
        "chords": lambda: chords(pieces),
        "textures": lambda: textures([piece for piece in pieces if piece.kind == "chorales"]),
        "keys": lambda: keys(part, options.limit),
    }
    return join_reports([task() for name, task in tasks.items() if not options.tasks or name in options.tasks])


def chords(pieces: Sequence[AnalyzedPiece]) -> Report:
    rows = []
    for kind in dict.fromkeys(piece.kind for piece in pieces):
        scores = [(piece.score(), piece) for piece in pieces if piece.kind == kind]
        rows += [_agreement(f"{kind}, one key", scores, False), _agreement(kind, scores, True)]
    by_name = {str(row["music"]): row for row in rows}
    requirements = []
    if row := by_name.get("chorales"):
        requirements = [
            Requirement("root, chorales, %", float(row["root %"] or 0), 95, more_is_better=True),
            Requirement("chord and local key, chorales, %", float(row["chord + key %"] or 0), 75, more_is_better=True),
        ]
    return Report("Agreement with musicians' analyses, per beat", rows, "", requirements)


def textures(pieces: Sequence[AnalyzedPiece]) -> Report:
    rows = [
        _agreement(f"chorales, {texture}", [broken(piece, texture) for piece in pieces], True) for texture in TEXTURES
    ]
    least = min(float(row["root %"] or 0) for row in rows)
    needed = Requirement("root, least of the textures, %", least, 75, more_is_better=True)
    return Report("The same with broken chords", rows, "", [needed])


def _agreement(name: str, scores: Iterable[tuple[Score, AnalyzedPiece]], changes_key: bool) -> Row:
    beats = same_root = same_key = same = keyed = 0
    for score, piece in scores:
        found = analyze_harmony(score, harmonic_key(score), changes_key=changes_key).chords
        place = 0
        for start, end in _beats(score):
            while place < len(found) and found[place].end <= start:
                place += 1
            true = piece.chord_at(start, end)
            if true is None or place == len(found) or found[place].start > start:
                continue
            beats += 1
            is_root = found[place].root == true.root
            same_root += is_root
            if true.mode:
                keyed += 1
                key = found[place].key
                is_key = (key.tonic, "minor" if key.is_minor else "major") == (true.tonic, true.mode)
                same_key += is_key
                same += is_root and is_key and _is_kind(found[place], true)
    row: dict[str, str | int | float | None] = {
        "music": name,
        "beats": beats,
        "root %": round(100 * same_root / beats, 1),
    }
    return row | {
        "local key %": round(100 * same_key / keyed, 1) if keyed else None,
        "chord + key %": round(100 * same / keyed, 1) if keyed else None,
    }


def _is_kind(chord: NamedChord, true: AnalystChord) -> bool:
    return true.quality in ("augmented", "other") or _TRIADS.get(chord.chord.family, "major") == true.quality


def _beats(score: Score) -> Iterable[tuple[Fraction, Fraction]]:
    for bar in score.bars:
        beat = Fraction(4, bar.metre.denominator)
        start = bar.start
        while start < min(bar.end, score.length):
            yield start, min(start + beat, bar.end)
            start += beat


def keys(part: SplitName, limit: int | None) -> Report:
    rows = []
    tunes = list(keyed_folk_tunes(part))
    ending_on_tonic = [tune for tune in tunes[:limit] if tune.ends_on_tonic]
    for name, pieces in (
        ("chorales", list(keyed_chorales(part))),
        ("folk tunes", tunes),
        ("folk tunes that end on the tonic", ending_on_tonic),
    ):
        for words, sharps in SIGNATURES.items():
            rows.append(_keys_found(name, words, pieces[:limit], sharps))
    least = {
        name: min(float(row["right %"] or 0) for row in rows if row["music"] == name)
        for name in ("chorales", "folk tunes")
    }
    return Report(
        "Keys found",
        rows,
        "",
        [
            Requirement("keys of chorales, %", least["chorales"], 98, more_is_better=True),
            Requirement("keys of folk tunes, %", least["folk tunes"], 95, more_is_better=True),
        ],
    )


def _keys_found(name: str, words: str, pieces: Sequence[KeyedPiece], sharps: Callable[[int], int | None]) -> Row:
    right = {True: 0, False: 0}
    count = {minor: sum(piece.is_minor == minor for piece in pieces) for minor in right}
    for piece in pieces:
        found = harmonic_key(piece.with_signature(sharps(piece.sharps)))
        right[piece.is_minor] += (found.tonic, found.is_minor) == (piece.tonic, piece.is_minor)
    return {
        "music": name,
        "with": words,
        "pieces": len(pieces),
        "right %": round(100 * sum(right.values()) / len(pieces), 1),
        "minor %": round(100 * right[True] / max(count[True], 1), 1),
        "major %": round(100 * right[False] / max(count[False], 1), 1),
    }
