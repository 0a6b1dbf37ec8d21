"""Real scores: what music21 reads out of files of its corpus, our readers read too, with the same notes.

A seeded sample; `consort bench compose` reads all of them. Where music21 is known to be wrong, `SLIPS` says why, and
it is only tested that we read the tune.
"""

import random
import re
from functools import cache
from pathlib import Path

import pytest

from consort_music.notation.abc_reader import read_abc
from consort_music.notation.musicxml_reader import read_musicxml
from libs.music.tests.music21_oracle import (
    is_same_music,
    music21_abc,
    music21_file,
    music21_notes,
    music21_notes_in_step,
    our_notes,
)

SLIPS = {
    r"::": "music21 loses the note before a double repeat",
    r"\[[\^_=A-Ga-g]": "music21 knows no ties, accidentals or single lengths in chords",
    r"\+[\^_=A-Ga-g]": "music21 knows no chords between plus signs",
    r"(?m)^(?![A-Za-z]:).*[xZ]": "music21 gives invisible rests and rests of whole bars no time",
    r"[<>]-": "music21 misses a broken rhythm before a tie",
    r"[\^_=][A-Ga-g][,']*[0-9/]*-\s*\|": "music21 lets a note that is tied over a bar line lose its accidental",
    r"\[K:": "music21 passes over a key between bars",
    r"K:.*\bbass": "music21 takes notes in a bass clef two octaves down, as before ABC 2",
    r"\^[0-9]": "a slip of the pen, which music21 reads as a sharp",
    r"\[\"": "an ending with a text is a chord once the oracle has taken the text out",
}
ODD_FILES = {
    "trecento/PMFC_13_04": "an editorial accidental beside a pitch without one, which music21 plays",
    "schumann_robert/dichterliebe_no2": "cue notes, which music21 plays",
    "schumann_robert/opus48no2": "cue notes, which music21 plays",
    "opus41no1/movement1": "17 divisions a quarter, which cannot say a sixteenth",
}


def is_odd(path: Path) -> bool:
    return f"{path.parent.name}/{path.stem}".startswith(tuple(ODD_FILES))


@cache
def corpus(*suffixes: str) -> list[Path]:
    import music21

    folder = Path(music21.__file__).parent / "corpus"
    return sorted(path for path in folder.rglob("*") if path.suffix in suffixes and not path.name.startswith("."))


def sample(count: int, max_bytes: int, *suffixes: str) -> list[Path]:
    small = [path for path in corpus(*suffixes) if path.stat().st_size <= max_bytes]
    return random.Random(6).sample(small, count)


@pytest.mark.parametrize("path", sample(12, 9_000, ".mxl") + sample(2, 100_000, ".xml"), ids=lambda path: path.stem)
def test_musicxml(path: Path) -> None:
    score, _ = read_musicxml(path.read_bytes())
    theirs = music21_file(path)
    if is_odd(path):
        return
    assert is_same_music(music21_notes(theirs), our_notes(score)) or is_same_music(
        music21_notes_in_step(theirs), our_notes(score)
    )


@pytest.mark.parametrize("path", sample(30, 10_000, ".abc"), ids=lambda path: path.stem)
def test_abc(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    score, _ = read_abc(text)
    if not any(re.search(slip, text) for slip in SLIPS):
        assert is_same_music(music21_notes(music21_abc(text)), our_notes(score))
