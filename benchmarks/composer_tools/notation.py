"""Read every MusicXML file and every ABC tune of music21's corpus, and compare the notes with those that music21 reads.

music21 takes many minutes for all of them, so only every tenth is compared, or all with `CONSORT_BENCH_ALL=1`. "in
step" counts files in which the measures of the parts have different lengths. Their notes are the same if all parts
begin each measure together, as in our reader. "music21 is wrong" counts tunes that music21 is known to misread.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.support.report import Report, Requirement, Row
from consort_music.errors import MusicError
from consort_music.notation.abc.reader import read_abc
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.score import Score
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

COLUMNS = (
    "read", "without notes", "over 10 MB", "rejected", "compared", "same", "in step",
    "music21 is wrong", "music21 fails", "differs",
)  # fmt: skip
EVERY = 1 if os.environ.get("CONSORT_BENCH_ALL") else 10


def run() -> Report:
    counts: dict[str, Counter[str]] = {"MusicXML": Counter(), "ABC": Counter()}
    seconds: dict[str, float] = {"MusicXML": 0.0, "ABC": 0.0}
    unlike: list[str] = []
    for number, (kind, name, source) in enumerate([*_musicxml(), *_abc()]):
        found = counts[kind]
        began = time.process_time()
        try:
            score, _ = read_musicxml(source.read_bytes()) if isinstance(source, Path) else read_abc(source)
        except MusicError as error:
            reason = {"EMPTY_INPUT": "without notes", "TOO_LARGE": "over 10 MB"}.get(error.code, "rejected")
            found[reason] += 1
            if reason == "rejected":
                unlike.append(f"{name}: {error.message}")
            continue
        finally:
            seconds[kind] += time.process_time() - began
        found["read"] += 1
        if number % EVERY == 0:
            verdict = _verdict(source, score)
            found["compared"] += 1
            found[verdict] += 1
            if verdict == "differs":
                unlike.append(f"{name} differs")
    rows: list[Row] = [
        {"corpus": kind} | {column: found[column] for column in COLUMNS} | {"CPU s": round(seconds[kind], 1)}
        for kind, found in counts.items()
    ]
    rejected = sum(found["rejected"] for found in counts.values())
    differs = sum(found["differs"] for found in counts.values())
    return Report(
        title="The corpus of music21",
        rows=rows,
        summary=" ".join([f"{differs} differ, {rejected} are rejected.", *unlike[:20]]),
        requirements=[
            Requirement("files and tunes rejected", rejected, 0),
            Requirement("different without a reason", differs, 0),
        ],
    )


def _musicxml() -> Iterator[tuple[str, str, Path | str]]:
    for path in corpus_files(".mxl", ".xml", ".musicxml"):
        yield "MusicXML", f"{path.parent.name}/{path.name}", path


def _abc() -> Iterator[tuple[str, str, Path | str]]:
    """Yield each tune of each file, with the header of the file before it."""
    for path in corpus_files(".abc"):
        head, *tunes = re.split(r"(?m)^(?=[ \t]*X:)", path.read_text(encoding="utf-8", errors="replace"))
        for number, tune in enumerate(tunes or [""], start=1):
            yield "ABC", f"{path.name} {number}", head + tune


def _verdict(source: Path | str, score: Score) -> str:
    try:
        theirs = music21_file(source) if isinstance(source, Path) else music21_abc(source)
        if is_same_music(music21_notes(theirs), our_notes(score)):
            return "same"
        if isinstance(source, Path) and is_same_music(music21_notes_in_step(theirs), our_notes(score)):
            return "in step"
    except Exception:  # music21 raises many kinds of errors
        return "music21 fails"
    if isinstance(source, Path):
        return "music21 is wrong" if music21_misreads_file(source) else "differs"
    return "music21 is wrong" if music21_misreads_abc(source) else "differs"
