"""Chord symbols moved by an interval: every readable spelling, into every key and back."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import NoteName
from consort_music.chords.transposition import change_chord_tones, transpose_name, transpose_symbol
from consort_music.errors import MusicError
from consort_music.intervals import Interval, parse_interval, usual_interval
from consort_music.keys import MODES, Key, parse_key
from consort_music.pitch import STEP_SEMITONES, STEPS
from consort_music.transposition import interval_between_keys, readable_interval
from evaluation.corpora.chord_symbols import symbols_and_notes

SYMBOLS = [symbol for symbol, _ in symbols_and_notes()]
UPWARD = [*map(parse_interval, ("P1", "m2", "M2", "A2", "m3", "M3", "P4", "A4", "d5", "P5", "A5", "m6", "M6", "m7"))]
UPWARD += [*map(parse_interval, ("M7", "P8", "M9", "A1", "d4"))]
INTERVALS = [*UPWARD, *(-interval for interval in UPWARD)]
KEYS = [Key(step, alter, mode) for step in STEPS for alter in (-1, 0, 1) for mode in ("major", "minor", "dorian")]


def by_hand(name: NoteName, interval: Interval) -> tuple[str, int]:
    """Move a name by counting letters and semitones; the alteration may be any number."""
    place = STEPS.index(name.step) + interval.steps
    letter = STEPS[place % 7]
    octaves = place // 7
    wanted = STEP_SEMITONES[name.step] + name.alter + interval.semitones
    return letter, wanted - STEP_SEMITONES[letter] - 12 * octaves


@pytest.mark.parametrize("interval", INTERVALS, ids=str)
def test_every_symbol_keeps_its_meaning_when_moved(interval: Interval) -> None:
    for symbol in SYMBOLS:
        chord, moved = parse_chord(symbol), parse_chord(transpose_symbol(symbol, interval))
        assert (moved.degrees, moved.quality) == (chord.degrees, chord.quality), symbol
        for before, after in ((chord.root, moved.root), (chord.bass, moved.bass)):
            assert (before is None) == (after is None), symbol
            if before and after:
                step, alter = by_hand(before, interval)
                assert after.pitch_class == (STEP_SEMITONES[step] + alter) % 12, symbol
                if abs(alter) <= 2:
                    assert after == (step, alter), symbol


@pytest.mark.parametrize("interval", INTERVALS, ids=str)
def test_moving_there_and_back_gives_the_same_chord(interval: Interval) -> None:
    for symbol in SYMBOLS:
        chord, there = parse_chord(symbol), transpose_symbol(symbol, interval)
        names = [name for name in (chord.root, chord.bass) if name]
        back = parse_chord(transpose_symbol(there, -interval))
        if all(abs(by_hand(name, interval)[1]) <= 2 for name in names):
            assert back == chord, (symbol, there)
        assert back.degrees == chord.degrees and back.pitch_classes == chord.pitch_classes, (symbol, there)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_a_key_changes_only_the_spelling(key: Key) -> None:
    for symbol, interval in itertools.product(SYMBOLS[::13], INTERVALS[::3]):
        plain, spelled = (
            parse_chord(transpose_symbol(symbol, interval)),
            parse_chord(transpose_symbol(symbol, interval, key)),
        )
        assert spelled.degrees == plain.degrees
        assert (spelled.root_pitch_class, spelled.bass_pitch_class) == (plain.root_pitch_class, plain.bass_pitch_class)
        if interval.semitones % 12:
            assert all(abs(name.alter) < 2 for name in (spelled.root, spelled.bass) if name)


@given(
    st.text(alphabet="ABCDEFGabcdefgbb##mMajin7dsu°øΔ+-^(),/9135624 olt♭♯𝄫flshrp:", max_size=12), st.integers(-24, 24)
)
def test_any_text_can_be_transposed(text: str, semitones: int) -> None:
    moved = transpose_symbol(text, usual_interval(semitones))
    try:
        chord = parse_chord(text)
    except MusicError:
        assert moved == text
    else:
        assert parse_chord(moved).degrees == chord.degrees


@pytest.mark.parametrize(
    ("symbol", "interval", "key", "result"),
    [
        ("Eflat7", "M2", None, "F7"),
        ("ConE", "M2", None, "D/F#"),
        ("B♭Δ7/D", "M2", None, "CΔ7/E"),
        ("am7", "M2", None, "Bm7"),
        ("C-sharp minor", "m2", None, "D minor"),
        ("C:min7", "M2", None, "Dmin7"),
        ("C6/9", "m3", "Eb", "Eb6/9"),
        ("Abbb5", "M3", None, "Cb(b5)"),
        ("G5", "AA1", None, "G##:5"),
        ("G9", "AA1", None, "G##:9"),
        ("Db7", "M2", "D", "Eb7"),
        ("D#dim7", "A1", "C#", "Edim7"),
        ("N.C.", "P4", "F", "N.C."),
        ("Am", "P8", "C", "Am"),
        ("Fine", "M2", None, "Fine"),
        ("D.C.", "M2", None, "D.C."),
    ],
)
def test_transposed_symbols(symbol: str, interval: str, key: str | None, result: str) -> None:
    assert transpose_symbol(symbol, parse_interval(interval), parse_key(key) if key else None) == result


def test_names_have_at_most_two_accidentals() -> None:
    names = [NoteName(step, alter) for step in STEPS for alter in range(-2, 3)]
    for name, interval in itertools.product(names, INTERVALS):
        moved = transpose_name(name, interval)
        assert abs(moved.alter) <= 2 and moved.pitch_class == (name.pitch_class + interval.semitones) % 12


@pytest.mark.parametrize(
    ("semitones", "positions", "name"),
    [(1, [0], "m2"), (1, [-5], "A1"), (6, [1], "d5"), (6, [-1], "A4"), (0, [7], "P1"), (12, [7], "P8"), (1, [], "m2")],
)
def test_the_interval_with_the_fewest_accidentals(semitones: int, positions: list[int], name: str) -> None:
    assert readable_interval(semitones, positions) == parse_interval(name)
    assert readable_interval(-semitones, [-each for each in positions]) == -parse_interval(name)


@given(st.sampled_from(KEYS), st.sampled_from(KEYS))
def test_intervals_between_keys(one: Key, other: Key) -> None:
    interval = interval_between_keys(one, other)
    assert -6 <= interval.semitones <= 5
    assert transpose_name(NoteName(one.step, one.alter), interval) == (other.step, other.alter)


@pytest.mark.parametrize(
    ("source", "target", "chords"),
    [
        ("major", "minor", "C>Cm Dm7>Dm7b5 Em>Eb F/A>Fm/Ab G7>Gm7 Am>Ab Bdim>Bb Fmaj7>Fm7 N.C.>N.C. ConE>Cm/Eb"),
        ("minor", "major", "Cm>C Eb>Em Gm7>G7 Bb7>Bm7b5"),
    ],
)
def test_chords_change_with_the_mode(source: str, target: str, chords: str) -> None:
    here, there = ([semitones for _, semitones in MODES[mode]] for mode in (source, target))
    change = {tone: there[here.index(tone)] if tone in here else tone for tone in range(12)}
    for pair in chords.split():
        old, new = pair.split(">")
        assert change_chord_tones(old, lambda tone: change[tone], Key("C", 0, target)) == new
