"""What a strict arranger asks of the first option, on well-known tunes: dissonances, sevenths, cadences and styles."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.reharmonize import Reharmonization
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_compose.composer.harmony.harmonize.styles.style_chords import style_vocabulary
from consort_music.notation.read_music import read_music
from evaluation.checkers.harmony import CheckedChord, TimedPitch, leaping_dissonances, read_symbol
from evaluation.corpora.lead_sheets import lead_sheets

STYLES = ("classical", "pop", "jazz", "modal")
DOMINANTS = ("7", "9", "13", "7b9", "7#9", "7sus4")
MINOR = ("m", "m7", "m9", "m11", "m7b5")
TENSIONS = {"m": (2, 5), "7": (1, 2, 3, 6, 8, 9), "maj": (2, 6, 9)}
"""Accepted tensions of jazz, in semitones above the root, by the kind of chord."""
Span = tuple[Fraction, Fraction, CheckedChord]


@cache
def first_option(title: str, style: str) -> Reharmonization:
    melody = next(sheet.melody for sheet in lead_sheets("tune") if sheet.title == title)
    return find_harmonizations(melody, Reharmonize.model_validate({"melody": "x", "style": style, "num_options": 1}))


def titles() -> list[str]:
    return [sheet.title for sheet in lead_sheets("tune")]


def spans(found: Reharmonization) -> list[Span]:
    return [(start, end, read_symbol(symbol.name)) for start, end, symbol in found.options[0].chords]


def melody_of(found: Reharmonization) -> list[TimedPitch]:
    return [(note.start, note.end, note.midi) for note in found.options[0].score.parts[0].notes]


def sung(found: Reharmonization, start: Fraction, end: Fraction) -> set[int]:
    return {midi % 12 for begin, stop, midi in melody_of(found) if begin < end and stop > start}


def accepted(chord: CheckedChord, style: str, tonic: int) -> set[int]:
    """Return the pitch classes that may be held over a chord: its tones, tensions in jazz, the seventh of V in pop."""
    tones = set(chord.tones)
    if style == "jazz":
        kind = "7" if chord.suffix in DOMINANTS else "m" if chord.suffix.startswith(("m7", "m9", "m1", "m6")) else "maj"
        tones |= {(chord.root + tension) % 12 for tension in TENSIONS[kind]}
    if style == "pop" and chord.root == (tonic + 7) % 12:
        tones.add((chord.root + 10) % 12)
    return tones


def wrong_spans(style: str) -> Iterator[tuple[str, Span, bool]]:
    """Yield each chord of each tune, and whether a long foreign note leaps away from it."""
    for title in titles():
        found = first_option(title, style)
        score = found.options[0].score
        for start, end, chord in spans(found):
            bar = next(bar for bar in score.bars if bar.start <= start < bar.end)
            beats = bar.metre.beats
            beat = beats[1] - beats[0] if len(beats) > 1 else bar.metre.bar
            tones = accepted(chord, style, found.key.tonic)
            yield title, (start, end, chord), bool(leaping_dissonances(melody_of(found), beat, start, end, tones))


@pytest.mark.parametrize("style", STYLES)
def test_long_foreign_notes_do_not_leap_away(style: str) -> None:
    """In at least 98 of 100 chords, no note of a beat or longer is foreign to the chord and left by leap."""
    found = list(wrong_spans(style))
    wrong = [(title, str(span[0]), span[2].root, span[2].suffix) for title, span, is_wrong in found if is_wrong]
    assert len(found) > 500 and len(wrong) <= 0.02 * len(found), wrong
