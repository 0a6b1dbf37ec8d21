"""Well-known public-domain tunes with the chords that musicians usually play: `lead_sheets.abc`, written from memory.

The songs, hymns and dances are in two parts: `tune`, for choosing the constants of the harmony engine, and `test`,
for measuring it. Of the tunes in alphabetical order, every third one is in `test`. This was fixed before anything was
tuned.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

from consort_music.chords.timed_chords import chord_spans
from consort_music.notation.read_music import read_music
from consort_music.score import Score

FILE = Path(__file__).with_suffix(".abc")


@dataclass(frozen=True)
class LeadSheet:
    title: str
    melody: Score
    """The tune without its chords."""
    roots: tuple[tuple[Fraction, int | None], ...]
    """For each beat from the first chord on: its start in quarter notes, and the pitch class of the printed root."""


@cache
def lead_sheets(part: Literal["tune", "test"]) -> tuple[LeadSheet, ...]:
    """Return the tunes of one part in alphabetical order."""
    texts = [text for text in re.split(r"(?m)^(?=X:)", FILE.read_text()) if text.startswith("X:")]
    sheets = sorted(map(read_lead_sheet, texts), key=lambda sheet: sheet.title)
    return tuple(sheet for index, sheet in enumerate(sheets) if (index % 3 == 2) == (part == "test"))


def read_lead_sheet(text: str) -> LeadSheet:
    score, _ = read_music(text)
    spans = chord_spans(score.chords, score.length)
    roots = [
        (beat, span.chord.root_pitch_class)
        for beat in beat_starts(score)
        for span in spans
        if span.start <= beat < span.end
    ]
    found = re.search(r"(?m)^T:(.*)$", text)
    assert found is not None and roots
    return LeadSheet(found[1].strip(), replace(score, chords=()), tuple(roots))


def beat_starts(score: Score) -> list[Fraction]:
    """Return the start of each beat, in quarter notes. Beats that an incomplete bar lacks are left out."""
    return [
        moment
        for bar in score.bars
        for beat in bar.metre.beats
        if bar.start <= (moment := bar.start - bar.missing + beat) < bar.end
    ]
