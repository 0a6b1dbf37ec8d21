"""Hypothesis strategies that draw scores: any `Score`, scores as people write them, and tunes for ABC."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import MODES, Key
from consort_music.metre import Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

ANY_PITCH = st.builds(Pitch, st.sampled_from("CDEFGAB"), st.integers(-2, 2), st.integers(0, 8))
TIMES = st.fractions(0, 200, max_denominator=480)
LENGTHS = st.fractions(Fraction(1, 480), 20, max_denominator=480)
KEYS = st.builds(Key, st.sampled_from("CDEFGAB"), st.integers(-1, 1), st.sampled_from(sorted(MODES)))
METRES = st.builds(Metre, st.integers(1, 16), st.sampled_from([1, 2, 4, 8, 16]))
ANY_NOTE = st.builds(Note, TIMES, LENGTHS, ANY_PITCH, st.integers(1, 127))
ANY_PART = st.builds(
    Part.of, st.text(max_size=4), st.lists(ANY_NOTE, max_size=6), st.one_of(st.none(), st.just("Violin"))
)


def _in_time(items: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(st.tuples(TIMES, items), max_size=3).map(tuple)


ANY_SCORE = st.builds(
    Score,
    parts=st.lists(ANY_PART, max_size=3).map(tuple),
    metres=_in_time(METRES),
    keys=_in_time(KEYS),
    tempos=_in_time(st.fractions(4, 400, max_denominator=1000)),
    chords=st.lists(st.builds(ChordMark, TIMES, st.text(max_size=6)), max_size=3).map(tuple),
    pickup=TIMES,
    title=st.one_of(st.none(), st.text(max_size=20)),
    rest_to=TIMES,
    fermatas=st.lists(TIMES, max_size=3).map(tuple),
)

NOTATED_PITCH = st.builds(Pitch, st.sampled_from("CDEFGAB"), st.integers(-2, 2), st.integers(1, 7))
_VALUES = [Fraction(length) for length in ("1/4", "1/2", "3/4", "1", "3/2", "2", "5/2", "3", "4", "7/2", "9")]
_TUPLETS = [
    (Fraction(1), (1, 1, 1)),
    (Fraction(2), (1, 1, 1)),
    (Fraction(1), (2, 1)),
    (Fraction(1), (1, 2, 1, 1, 1)),
    (Fraction(1), (1, 1, 1, 1, 1)),
    (Fraction(2), (3, 1, 1, 1, 1)),
    (Fraction(4), (1, 1, 1)),
    (Fraction(2), (1, 1, 1, 1, 1, 1, 1)),
]
_ODD = [Fraction(length) for length in ("1/5", "3/7", "1/12", "5/24", "1/9", "11/13", "1/64", "4/3", "1/480", "1/1024")]


_TEMPOS = [(), ((Fraction(0), Fraction(96)),), ((Fraction(3, 2), Fraction(181, 2)),)]
_CHORDS = (ChordMark(Fraction(1), "Am7"), ChordMark(Fraction(7, 3), "F#/A#"))


@st.composite
def lines(draw: st.DrawFn, odd: bool = False, length: int = 10) -> list[Note]:
    """Draw one voice of successive chords and rests. Lengths are note values and tuplets or, if `odd`, also others."""
    now, notes = Fraction(0), []
    while now < length:
        lengths = [draw(st.sampled_from(_VALUES))]
        if odd and draw(st.booleans()):
            lengths = [draw(st.sampled_from(_ODD))]
        elif now.denominator == 1 and draw(st.booleans()):
            time, shares = draw(st.sampled_from(_TUPLETS))
            lengths = [time * share / sum(shares) for share in shares]
        for duration in lengths:
            chord = draw(st.lists(NOTATED_PITCH, max_size=2, unique_by=lambda pitch: pitch.midi))
            notes += [Note(now, duration, pitch) for pitch in chord]
            now += duration
    return notes


@st.composite
def notated_parts(draw: st.DrawFn, name: str, max_voices: int, odd: bool) -> Part:
    """Draw a part of one or two voices. No pitch sounds twice at the same time, because notation cannot show that."""
    notes: list[Note] = []
    for voice in draw(st.lists(lines(odd), min_size=1, max_size=max_voices)):
        notes += [
            note
            for note in voice
            if not any(
                note.midi == other.midi and note.start <= other.end and other.start <= note.end for other in notes
            )
        ]
    return Part.of(name, notes, draw(st.sampled_from([None, "Violin", "Drums"])))


@st.composite
def notated_scores(draw: st.DrawFn, max_voices: int = 2, odd: bool = False) -> Score:
    """Draw a score as people write it. The metre may change at a bar line or within a bar; there may be a pickup."""
    parts = [draw(notated_parts(f"part {number + 1}", max_voices, odd)) for number in range(draw(st.integers(1, 2)))]
    metre = draw(METRES.filter(lambda metre: 1 <= metre.bar <= 6))
    uneven = Fraction(1, 3) if odd else Fraction(3, 4)
    pickup = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), uneven]))
    if pickup >= metre.bar:
        pickup = Fraction(0)
    change = pickup + metre.bar + draw(st.sampled_from([Fraction(0), metre.bar / 2, metre.bar]))
    end = max(part.end for part in parts)
    changes = [(change, other) for other in draw(st.lists(METRES, max_size=1)) if change < end]
    keys = [(Fraction(0), key) for key in draw(st.lists(KEYS, max_size=1))]
    if keys:
        keys += draw(st.lists(st.tuples(st.sampled_from([Fraction(2), Fraction(7, 2)]), KEYS), max_size=1))
    score = Score(
        tuple(parts),
        metres=((Fraction(0), metre), *changes),
        keys=tuple(key for key in keys if key[0] < end),
        tempos=tuple(tempo for tempo in draw(st.sampled_from(_TEMPOS)) if tempo[0] < end),
        chords=tuple(chord for chord in draw(st.sampled_from([(), _CHORDS])) if chord.start < end),
        pickup=pickup,
        title=draw(st.sampled_from([None, "Tom & Jerry <1>"])),
    )
    end = score.bars[-1].end if score.bars else Fraction(0)  # marks after the last bar are not in the score
    return replace(
        score,
        tempos=tuple(tempo for tempo in score.tempos if tempo[0] < end),
        chords=tuple(mark for mark in score.chords if mark.start < end),
    )


@st.composite
def tunes(draw: st.DrawFn) -> Score:
    """Draw a melody for ABC, with tuplets without rests, in a key of up to seven sharps or flats."""
    now, notes = Fraction(0), []
    while now < 12:
        if now.denominator == 1 and draw(st.booleans()):
            time, shares = draw(st.sampled_from(_TUPLETS[:6]))
            lengths = [time * share / sum(shares) for share in shares]
            rests = [False] * len(lengths)
        else:
            lengths, rests = [draw(st.sampled_from(_VALUES))], [draw(st.integers(0, 4)) == 0]
        for length, is_rest in zip(lengths, rests, strict=True):
            if not is_rest:
                notes.append(Note(now, length, draw(NOTATED_PITCH)))
            now += length
    if not notes:
        notes = [Note(now, Fraction(1), draw(NOTATED_PITCH))]
    metre = draw(st.sampled_from([Metre(4, 4), Metre(3, 4), Metre(6, 8), Metre(2, 2), Metre(7, 8), Metre(9, 8)]))
    key = draw(KEYS.filter(_is_read_by_music21))
    pickup = draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]))
    return Score((Part.of("part 1", notes),), ((Fraction(0), metre),), ((Fraction(0), key),), pickup=pickup)


def _is_read_by_music21(key: Key) -> bool:
    """Return whether music21 reads the key in ABC. It reads neither Locrian nor tonics without a major key, like Fb."""
    major = Key(key.step, key.alter, "major")
    return abs(key.sharps) <= 7 and abs(major.sharps) <= 7 and key.mode != "locrian"
