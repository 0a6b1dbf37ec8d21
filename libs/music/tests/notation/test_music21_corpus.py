"""Our readers and music21 read the same notes from files of music21's corpus.

A seeded sample; `consort bench compose` reads all files. Where music21 is known to be wrong
(`evaluation.checkers.music21_errors`), only our reading is tested.
"""

import random
from pathlib import Path

import pytest

from consort_music.notation.abc.reader import read_abc
from consort_music.notation.musicxml.reader import read_musicxml
from evaluation.checkers.music21_errors import music21_misreads_abc, music21_misreads_file
from evaluation.checkers.music21_notes import (
    is_same_music,
    music21_abc,
    music21_file,
    music21_notes,
    music21_notes_in_step,
    our_notes,
)
from evaluation.corpora.music21_files import corpus_files


def sample(count: int, max_bytes: int, *suffixes: str) -> list[Path]:
    small = [path for path in corpus_files(*suffixes) if path.stat().st_size <= max_bytes]
    return random.Random(6).sample(small, count)


MUSICXML_FILES = sample(12, 9_000, ".mxl") + sample(2, 100_000, ".xml")
ABC_FILES = sample(30, 10_000, ".abc")


def abc_text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize("path", MUSICXML_FILES, ids=lambda path: path.stem)
def test_musicxml_files_are_read(path: Path) -> None:
    score, _ = read_musicxml(path.read_bytes())
    assert score.note_count


@pytest.mark.parametrize(
    "path", [path for path in MUSICXML_FILES if not music21_misreads_file(path)], ids=lambda path: path.stem
)
def test_musicxml_files_are_read_as_music21_reads_them(path: Path) -> None:
    """music21 does not align parts whose measures differ in length, so its notes are compared with and without that."""
    score, _ = read_musicxml(path.read_bytes())
    theirs = music21_file(path)
    readings = [music21_notes(theirs), music21_notes_in_step(theirs)]
    assert any(is_same_music(notes, our_notes(score)) for notes in readings)


@pytest.mark.parametrize("path", ABC_FILES, ids=lambda path: path.stem)
def test_abc_files_are_read(path: Path) -> None:
    score, _ = read_abc(abc_text(path))
    assert score.note_count


@pytest.mark.parametrize(
    "path", [path for path in ABC_FILES if not music21_misreads_abc(abc_text(path))], ids=lambda path: path.stem
)
def test_abc_files_are_read_as_music21_reads_them(path: Path) -> None:
    text = abc_text(path)
    score, _ = read_abc(text)
    assert is_same_music(music21_notes(music21_abc(text)), our_notes(score))
