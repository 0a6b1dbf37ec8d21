"""Chorales and folk tunes of music21's corpus with the key that their file states, for measuring key finding.

The stated mode is removed from the score, so only a key signature is left, as in MusicXML without `<mode>`. The corpus
names the keys of chorales by their signatures, so a dorian chorale on G with one flat is "D minor". Its last bass note
decides then: it is in G minor. A minor chorale may end on its dominant; chorales that end elsewhere are left out,
because their key is doubtful. Two on `tune` (bwv145.5 and bwv288) that reach this dominant with an authentic cadence
have another key in other editions; such chorales count as they are. The editors' keys of folk tunes are taken as they
are. A tune in a church mode counts as minor or major by its third: E dorian as E minor, A mixolydian as A major. Some
editors state only a signature: At Midnight Hour, in A minor, is said to be in C major, and Along with My Love I'll Go,
in D minor, in F major. A third to a half of the wrong answers on `tune` are of this kind, so `ends_on_tonic` says which
keys are hardly doubtful. Tunes are divided by the SHA-256 of their name, chorales as in `chorales/split.json`.
"""

import hashlib
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from consort_music.errors import MusicError
from consort_music.keys import Key, key_of_signature
from consort_music.notation.read_music import read_music
from consort_music.score import Score
from evaluation.corpora.chorales.split import split
from evaluation.corpora.music21_files import corpus_folder
from evaluation.corpora.music21_tunes import all_tunes

_FOLDERS = ("oneills1850", "ryansMammoth", "airdsAirs")
_OTHER_FOLDERS = (
    "beach",
    "beethoven",
    "chopin",
    "corelli",
    "cpebach",
    "handel",
    "haydn",
    "johnson_j_r",
    "joplin",
    "liliuokalani",
    "mozart",
    "schubert",
    "schumann",
    "verdi",
    "weber/",
)
_FOLK_TUNES = 300
"""In each part of the split, where nothing else is asked for."""
_FOURTH, _FIFTH = 5, 7
_MODE = re.compile(r"<mode>(major|minor)</mode>")


@dataclass(frozen=True)
class KeyedPiece:
    name: str
    score: Score
    """Without any stated key."""
    tonic: int
    is_minor: bool
    sharps: int

    @property
    def ends_on_tonic(self) -> bool:
        """Whether the last and lowest note is the tonic. If not, an editor's key is doubtful."""
        return _last_bass(self.score) == self.tonic

    def with_signature(self, sharps: int | None) -> Score:
        """Return the score with a key signature that has no mode."""
        keys = () if sharps is None else ((Fraction(0), key_of_signature((sharps + 6) % 12 - 6, "major")),)
        return replace(self.score, keys=keys)


def keyed_chorales(part: Literal["tune", "test"]) -> Iterator[KeyedPiece]:
    groups = split().train if part == "tune" else split().test
    for name in sorted(name for group in groups for name in group):
        path = corpus_folder() / "bach" / f"{name}.mxl"
        if not path.exists():
            continue
        with zipfile.ZipFile(path) as archive:
            inside = next(one for one in archive.namelist() if one.endswith("xml") and "META" not in one)
            text = archive.read(inside).decode()
        if _MODE.search(text) is None:
            continue
        piece = _piece(name, read_music(text, "musicxml")[0])
        bass = _last_bass(piece.score)
        above = (bass - piece.tonic) % 12
        if above == 0 or (piece.is_minor and above == _FIFTH):
            yield piece
        elif piece.is_minor and above == _FOURTH:
            yield replace(piece, tonic=bass)


def keyed_other_music() -> Iterator[KeyedPiece]:
    """Yield quartets, songs and piano music that end on a tonic of their signature. They are learned, not measured."""
    for tune in all_tunes():
        if not tune.path.startswith(_OTHER_FOLDERS):
            continue
        try:
            score, _ = read_music(tune.text(), "mxl" if tune.path.endswith(".mxl") else "musicxml")
        except MusicError:
            continue
        for mode in ("major", "minor"):
            if score.key is not None and key_of_signature(score.key.sharps, mode).tonic == _last_bass(score):
                named = key_of_signature(score.key.sharps, mode)
                yield _piece(tune.path, replace(score, keys=((Fraction(0), named),)))


def keyed_folk_tunes(part: Literal["tune", "test"], most: int = _FOLK_TUNES) -> Iterator[KeyedPiece]:
    """Yield the first tunes of a part. Those after the first `_FOLK_TUNES` are not measured, but may be learned."""
    tunes = [
        tune
        for tune in all_tunes()
        if tune.path.startswith(_FOLDERS) and (_digest(tune.name) % 2 == 0) == (part == "tune")
    ]
    found = 0
    for tune in sorted(tunes, key=lambda tune: _digest(tune.name)):
        text = tune.text()
        try:
            score, _ = read_music(text, "abc")
        except MusicError:
            continue
        if score.key is None or len(score.keys) > 1 or score.note_count < 16:
            continue
        yield _piece(tune.name, score)
        found += 1
        if found == most:
            return


def _last_bass(score: Score) -> int:
    """Return the pitch class of the lowest note that ends last."""
    notes = [note for part in score.parts for note in part.notes]
    end = max(note.end for note in notes)
    return min(note.midi for note in notes if note.end == end) % 12


def _piece(name: str, score: Score) -> KeyedPiece:
    key = score.key
    assert key is not None
    return KeyedPiece(name, replace(score, keys=()), key.tonic, _is_minor(key), key.sharps)


def _is_minor(key: Key) -> bool:
    return (key.tonic + 3) % 12 in key.pitch_classes and (key.tonic + 4) % 12 not in key.pitch_classes


def _digest(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)
