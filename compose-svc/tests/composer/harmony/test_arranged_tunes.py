"""What a strict arranger asks of the first option, on well-known tunes: dissonances, sevenths, cadences and styles."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.reharmonize import Reharmonization
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_music.notation.read_music import read_music
from evaluation.checkers.harmony import CheckedChord, TimedPitch, leaping_dissonances, read_symbol
from evaluation.corpora.lead_sheets import lead_sheets

STYLES = ("classical", "pop", "jazz", "modal")
DOMINANTS = ("7", "9", "13", "7b9", "7#9", "7sus4")
MINOR = ("m", "m7", "m9", "m11", "m7b5")
TENSIONS = {"m": (2, 5), "7": (1, 2, 3, 6, 8, 9), "maj": (2, 6, 9)}
"""Accepted tensions of jazz, in semitones above the root, by the kind of chord."""
ChordTime = tuple[Fraction, Fraction, CheckedChord]


@cache
def first_option(title: str, style: str) -> Reharmonization:
    melody = next(sheet.melody for sheet in lead_sheets("tune") if sheet.title == title)
    return find_harmonizations(melody, Reharmonize.model_validate({"melody": "x", "style": style, "num_options": 1}))


def titles() -> list[str]:
    return [sheet.title for sheet in lead_sheets("tune")]


def spans(found: Reharmonization) -> list[ChordTime]:
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


def wrong_spans(style: str) -> Iterator[tuple[str, ChordTime, bool]]:
    """Yield each chord of each tune, and whether a long foreign note leaps away from it."""
    for title in titles():
        found = first_option(title, style)
        score = found.options[0].score
        for start, end, chord in spans(found):
            bar = next(bar for bar in score.bars if bar.start <= start < bar.end)
            beats = bar.metre.beats
            beat = beats[1] - beats[0] if len(beats) > 1 else bar.metre.bar
            tones = accepted(chord, style, found.key.tonic)
            leaping = leaping_dissonances(melody_of(found), beat, bar.end, start, end, tones)
            yield title, (start, end, chord), bool(leaping)


@pytest.mark.parametrize("style", STYLES)
def test_long_foreign_notes_do_not_leap_away(style: str) -> None:
    """In at least 997 of 1,000 chords, no note of a beat or longer is foreign to the chord and left by leap."""
    found = list(wrong_spans(style))
    wrong = [(title, str(span[0]), span[2].root, span[2].suffix) for title, span, is_wrong in found if is_wrong]
    assert len(found) > 500 and len(wrong) <= 0.003 * len(found), wrong


def test_a_classical_dominant_has_the_seventh_that_the_melody_sings() -> None:
    count = 0
    for title in titles():
        found = first_option(title, "classical")
        tonic = found.key.tonic
        for start, end, chord in spans(found):
            if chord.root == (tonic + 7) % 12 and chord.suffix != "m" and (tonic + 5) % 12 in sung(found, start, end):
                count += 1
                assert chord.suffix == "7", (title, start)
    assert count >= 40


def test_the_six_four_chord_leads_to_the_dominant() -> None:
    count = 0
    for title in titles():
        found = first_option(title, "classical")
        fifth = (found.key.tonic + 7) % 12
        chords = [chord for _, _, chord in spans(found)]
        for before, after in pairwise(chords):
            if before.root == found.key.tonic and before.bass == fifth:
                count += 1
                assert after.root == after.bass == fifth, title
    assert count >= 5


@pytest.mark.parametrize(("style", "least"), [("classical", 0.6), ("jazz", 0.7)])
def test_the_last_dominant_is_prepared(style: str, least: float) -> None:
    """In classical style by ii, IV or the six-four chord; in jazz by its ii."""
    prepared = count = 0
    for title in titles():
        found = first_option(title, style)
        tonic = found.key.tonic
        chords = [chord for _, _, chord in spans(found)]
        while len(chords) > 2 and chords[-1].root == tonic == chords[-2].root:
            chords.pop()
        dominant = chords[-2].root
        if (dominant - tonic) % 12 not in (7, 1):
            continue
        before = next(chord for chord in reversed(chords[:-1]) if chord.root != dominant)
        count += 1
        if style == "jazz":
            prepared += before.suffix in MINOR and (dominant - before.root) % 12 in (5, 11)
        else:
            is_six_four = before.root == tonic and before.bass == (tonic + 7) % 12
            prepared += is_six_four or (before.root - tonic) % 12 in (2, 5)
    assert count >= 30 and prepared >= least * count, (prepared, count)


def test_modal_closes_on_the_major_dominant_need_the_leading_tone() -> None:
    """At most one in six moves from a major V to I has no leading tone in the melody over V."""
    without = count = 0
    for title in titles():
        found = first_option(title, "modal")
        tonic = found.key.tonic
        for (start, end, chord), (_, _, after) in pairwise(spans(found)):
            if chord.root == (tonic + 7) % 12 and chord.suffix == "" and after.root == tonic:
                count += 1
                without += (tonic + 11) % 12 not in sung(found, start, end)
    assert count >= 20 and without <= count / 6, (without, count)


def test_a_major_melody_without_the_seventh_is_mixolydian_in_modal_style() -> None:
    grace = read_music("M:3/4\nL:1/4\nK:G\nD|G2B/G/|B2A|G2E|D2D|G2B/G/|B2A|d3-|d2B|d2B/G/|B2A|G2E|D2D|G2B/G/|B2A|G3|]")[
        0
    ]
    body = Reharmonize.model_validate({"melody": "x", "style": "modal"})
    assert find_harmonizations(grace, body).key.name == "G mixolydian"
    stated = body.model_copy(update={"key": find_harmonizations(grace, body.model_copy(update={"style": "pop"})).key})
    assert find_harmonizations(grace, stated).key.name == "G major"


def test_classical_and_pop_differ() -> None:
    """In at least a quarter of the bars, the chords or their basses are not the same."""
    bars = different = 0
    for title in titles():
        classical, pop = (first_option(title, style) for style in ("classical", "pop"))
        for bar in classical.options[0].score.bars:
            chords = [
                [(start, chord) for start, _, chord in spans(found) if bar.start <= start < bar.end]
                for found in (classical, pop)
            ]
            bars += 1
            different += chords[0] != chords[1]
    assert different >= bars / 4, (different, bars)


def test_jazz_chords_have_two_tones_of_an_arpeggio() -> None:
    """Under three notes of a triad, two of them are root, third, fifth or seventh of the chord."""
    count = wrong = 0
    for title in titles():
        found = first_option(title, "jazz")
        for start, end, chord in spans(found):
            notes = sung(found, start, end)
            if any(notes == {(root + tone) % 12 for tone in (0, third, 7)} for root in range(12) for third in (3, 4)):
                basic = {tone for tone in chord.tones if (tone - chord.root) % 12 in (0, 3, 4, 5, 6, 7, 10, 11)}
                count += 1
                wrong += len(notes & basic) < 2
    assert count >= 25 and not wrong, (wrong, count)


@pytest.mark.parametrize("style", ["classical", "pop"])
def test_a_phrase_that_begins_with_a_clash_begins_with_its_own_chord(style: str) -> None:
    """The third phrase of this carol begins with E on the last beat of a bar of B major."""
    found = first_option("God Rest Ye Merry Gentlemen", style)
    begun = [(start, chord.root, chord.suffix) for start, _, chord in spans(found) if 13 <= start < 20]
    assert [(root, suffix) for _, root, suffix in begun[:2]] == [(11, ""), (4, "m")]
    assert begun[1][0] - begun[0][0] == 3
