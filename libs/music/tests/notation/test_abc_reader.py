"""Reading ABC: the notes of every construct, warnings, and errors with their line."""

from fractions import Fraction

import pytest

from consort_music.chords.timed_chords import ChordMark
from consort_music.errors import MusicError
from consort_music.notation.abc.reader import read_abc
from consort_music.score import Score

HEAD = "X:1\nT:Test\nM:4/4\nL:1/4\nK:{key}\n"


def notes_as_text(music: str, key: str = "C") -> str:
    """Return the notes as `start pitch length`, for short comparisons."""
    score, _ = read_abc(HEAD.format(key=key) + music)
    return ", ".join(f"{note.start} {note.pitch.name} {note.duration}" for note in score.parts[0].notes)


def read(text: str) -> Score:
    return read_abc(text)[0]


@pytest.mark.parametrize(
    ("music", "expected"),
    [
        ("C D,2 c' B,,/", "0 C4 1, 1 D3 2, 3 C6 1, 4 B2 1/2"),
        ("C/2 D// E3/2 F3/4", "0 C4 1/2, 1/2 D4 1/4, 3/4 E4 3/2, 9/4 F4 3/4"),
        ("^F _B =c ^^G __A", "0 F#4 1, 1 Bb4 1, 2 C5 1, 3 G##4 1, 4 Abb4 1"),
        ("^F F f | F", "0 F#4 1, 1 F#4 1, 2 F#5 1, 3 F4 1"),
        ("A>B A<B", "0 A4 3/2, 3/2 B4 1/2, 2 A4 1/2, 5/2 B4 3/2"),
        ("A>>B A>>>B", "0 A4 7/4, 7/4 B4 1/4, 2 A4 15/8, 31/8 B4 1/8"),
        ("(A > .B) A>{g}B", "0 A4 3/2, 3/2 B4 1/2, 2 A4 3/2, 7/2 B4 1/2"),
        ("z>A", "3/2 A4 1/2"),
        ("(3ABc (3:2:2A2B", "0 A4 2/3, 2/3 B4 2/3, 4/3 C5 2/3, 2 A4 4/3, 10/3 B4 2/3"),
        ("(2AB (4ABcd", "0 A4 3/2, 3/2 B4 3/2, 3 A4 3/4, 15/4 B4 3/4, 9/2 C5 3/4, 21/4 D5 3/4"),
        ("(5ABcde", "0 A4 2/5, 2/5 B4 2/5, 4/5 C5 2/5, 6/5 D5 2/5, 8/5 E5 2/5"),
        ("(5:4ABcde", "0 A4 4/5, 4/5 B4 4/5, 8/5 C5 4/5, 12/5 D5 4/5, 16/5 E5 4/5"),
        ("[.Cz2E>] A", "0 C4 1, 0 E4 1, 1 A4 1"),
        ("[CEG]2 [C2E]", "0 C4 2, 0 E4 2, 0 G4 2, 2 C4 2, 2 E4 1"),
        ("A2-A | A-|A", "0 A4 3, 3 A4 2"),
        ("^F2- | F F", "0 F#4 3, 3 F4 1"),
        ("[CE]-[CE] [C-E][CE]", "0 C4 2, 0 E4 2, 2 C4 2, 2 E4 1, 3 E4 1"),
        ("z2 A x A", "2 A4 1, 4 A4 1"),
        ("A4 | Z2 | B", "0 A4 4, 12 B4 1"),
        ("A4 & z2 C2 | B", "0 A4 4, 2 C4 2, 4 B4 1"),
        ("!trill!A +fermata+B ~c .d HA uB Tc", "0 A4 1, 1 B4 1, 2 C5 1, 3 D5 1, 4 A4 1, 5 B4 1, 6 C5 1"),
        ("+CE+ A", "0 C4 1, 0 E4 1, 1 A4 1"),
        ("(AB) (c (de)) y A`B", "0 A4 1, 1 B4 1, 2 C5 1, 3 D5 1, 4 E5 1, 5 A4 1, 6 B4 1"),
        ("A [L:1/8] B [M:3/4] [K:G] f | f", "0 A4 1, 1 B4 1/2, 3/2 F#5 1/2, 2 F#5 1/2"),
        ("A % comment | B\nc", "0 A4 1, 1 C5 1"),
        ("A B \\\nc | d\nw: la la", "0 A4 1, 1 B4 1, 2 C5 1, 3 D5 1"),
        ("|: A |1 B :|2 c |]", "0 A4 1, 1 B4 1, 2 C5 1"),
    ],
)
def test_each_construct_is_read(music: str, expected: str) -> None:
    assert notes_as_text(music) == expected


@pytest.mark.parametrize(
    ("key", "music", "expected"),
    [
        ("G", "F", "F#4"),
        ("Am", "G", "G4"),
        ("F#m", "C", "C#4"),
        ("Bb", "B", "Bb4"),
        ("D dor", "B", "B4"),
        ("Dmix", "C", "C4"),
        ("E phrygian", "F", "F4"),
        ("Flydian", "B", "B4"),
        ("D =c", "C", "C4"),
        ("Dmix=c", "C", "C4"),
        ("Es", "A", "Ab4"),
        ("H", "D", "D#4"),
        ("Bn", "D", "D#4"),
        ("D=c_b clef=bass", "B", "Bb4"),
        ("D exp _b", "F", "F4"),
        ("none", "F", "F4"),
        ("Hp", "F", "F#4"),
        ("G clef=bass", "F", "F#4"),
        ("C octave=-1", "C", "C3"),
        ("treble", "C", "C4"),
        ("G clef=treble-8", "C", "C3"),
        ("C -8va", "C", "C3"),
        ("", "C", "C4"),
    ],
)
def test_keys_are_read(key: str, music: str, expected: str) -> None:
    assert notes_as_text(music, key) == f"0 {expected} 1"


@pytest.mark.parametrize(
    ("music", "expected"),
    [
        ("A B c d |\nw: Hap-py birth-day", "0 Hap begin 1, 1 py end 1, 2 birth begin 1, 3 day end 1"),
        (
            "A B | c d |\nw: glo_ ri-a\nw: one | two~too",
            "0 glo single 1, 2 ri begin 1, 3 a end 1, 0 one single 2, 2 two too single 2",
        ),
        ("z A {g}B [ce]- [ce]|\nw: * x\\-y _ z lost", "2 x-y single 1, 4 z single 1"),
        ("A B |\nc d|\nw: la la", "2 la single 1, 3 la single 1"),
        ("A A & C C | B\nw: a b c", "0 a single 1, 1 b single 1, 2 c single 1"),
    ],
)
def test_lyrics_are_read(music: str, expected: str) -> None:
    lyrics = read(f"X:1\nM:none\nL:1/4\nK:C\n{music}\n").parts[0].lyrics
    found = sorted(lyrics, key=lambda each: (each[1].verse, each[0]))
    assert ", ".join(f"{at} {lyric.text} {lyric.syllabic} {lyric.verse}" for at, lyric in found) == expected


def test_header_fields_are_read() -> None:
    score = read('X:1\nT:A title % not this\nC:someone\nM:6/8\nQ:"Lively" 3/8=80\nK:Ador\nABc def|')
    assert score.title == "A title"
    assert score.metre.name == "6/8"
    assert score.tempos == ((Fraction(0), Fraction(120)),)
    assert score.key is not None and score.key.name == "A dorian"
    assert score.parts[0].notes[0].duration == Fraction(1, 2)


@pytest.mark.parametrize(("field", "bpm"), [("120", 120), ("1/8=120", 60), ("1/4 1/8=60", 90), ("1/2=50", 100)])
def test_tempos_are_read(field: str, bpm: int) -> None:
    assert read(f"X:1\nM:4/4\nQ:{field}\nK:C\nC").tempos == ((Fraction(0), Fraction(bpm)),)


def test_a_colon_after_a_note_is_not_a_field() -> None:
    score = read("X:1\nN::a remark\nL:1/4\nK:C\nc:|\nd::\n")
    assert [note.pitch.name for note in score.parts[0].notes] == ["C5", "D5"]


def test_the_default_unit_length_follows_the_metre() -> None:
    assert read("X:1\nM:2/4\nK:C\nC").parts[0].notes[0].duration == Fraction(1, 4)
    assert read("X:1\nM:3/4\nK:C\nC").parts[0].notes[0].duration == Fraction(1, 2)


def test_voices_become_parts() -> None:
    head = 'X:1\nM:4/4\nL:1/4\nV:S name="High voice"\nV:B\nK:C\n'
    score = read(head + "V:S\nc4|d4|\nV:B\n%%MIDI program 42\nC4|D4|\n[V:S]e4|]\n")
    assert [part.instrument for part in score.parts] == [None, "Cello"]
    assert [part.name for part in score.parts] == ["High voice", "B"]
    assert [[note.pitch.name for note in part.notes] for part in score.parts] == [["C5", "D5", "E5"], ["C4", "D4"]]


def test_a_tenor_sounds_an_octave_lower() -> None:
    score = read("X:1\nV:T clef=treble-8\nV:S\nK:C\nV:T\nc\nV:S\nc")
    assert [part.notes[0].pitch.name for part in score.parts] == ["C4", "C5"]


def test_chord_symbols_and_annotations() -> None:
    score = read(HEAD.format(key="C") + '"Am"A "^slowly"B "F#m7/E" c2|')
    assert score.chords == (ChordMark(Fraction(0), "Am"), ChordMark(Fraction(2), "F#m7/E"))


def test_pickups_and_short_bars() -> None:
    score = read(HEAD.format(key="C") + "G | CDEF | GAB :| c | defg |]")
    assert score.pickup == 1
    assert [(bar.number, int(bar.length)) for bar in score.bars] == [(0, 1), (1, 4), (2, 3), (3, 1), (4, 4)]


def test_a_directive_sets_how_far_accidentals_reach() -> None:
    text = "X:1\nL:1/4\nI:propagate-accidentals {how}\nK:C\n^F F f|"
    names = {how: [note.pitch.name for note in read(text.format(how=how)).parts[0].notes] for how in ("not", "octave")}
    assert names == {"not": ["F#4", "F4", "F5"], "octave": ["F#4", "F#4", "F5"]}


def test_left_out_constructs_are_warned_about() -> None:
    text = "X:1\nK:C\n{ab}C :|\n\nX:2\nK:C\nD\n"
    score, warnings = read_abc(text)
    assert [note.pitch.name for note in score.parts[0].notes] == ["C4"]
    assert warnings == [
        "The ABC text has 2 tunes; only the first one was read.",
        "2 grace notes were left out (measure 1).",
        "Repeats and endings were not played out: each bar comes once.",
    ]


def test_a_tie_to_another_pitch_is_warned_about() -> None:
    score, warnings = read_abc("X:1\nL:1/4\nM:4/4\nK:C\nCDEF-|G-GAB-|BCDE|]")
    assert score.note_count == 10
    assert warnings == ["1 tie without a next note of the same pitch was left out (measure 1)."]


def test_meaningless_characters_are_warned_about() -> None:
    score, warnings = read_abc("X:1\nK:C\nA ^3B =")
    assert [note.pitch.name for note in score.parts[0].notes] == ["A4", "B4"]
    assert warnings == [
        "ABC line 3: '^3B =' at column 3 has no meaning here and was skipped.",
        "ABC line 3: '3B =' at column 4 has no meaning here and was skipped.",
        "ABC line 3: '=' at column 7 has no meaning here and was skipped.",
    ]


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("X:1\nK:C\nC D §E", "PARSE_ERROR", "ABC line 3: '§E' at column 5"),
        ("X:1\nM:x\nK:C\nC", "PARSE_ERROR", "line 2: 'x' is not a metre"),
        ("X:1\nL:1/7\nK:C\nC", "PARSE_ERROR", "line 2: '1/7' is not a unit"),
        ("X:1\nK:Q\nC", "PARSE_ERROR", "line 2: 'Q' is not a key"),
        ("X:1\nK:Cfoo\nC", "PARSE_ERROR", "'foo' is not a mode"),
        ("X:1\nK:C\n[CE!G]", "PARSE_ERROR", "line 3"),
        ("X:1\nK:C\nC0", "PARSE_ERROR", "ABC line 3: '0' is not a length"),
        ("X:1\nK:C\nC>>> >D", "PARSE_ERROR", "ABC line 3: At column 6: There are more than 3 signs of broken rhythm"),
        ("X:1\nK:C\nC" + ">" * 99_000 + "D", "PARSE_ERROR", "ABC line 3: At column 5: There are more than 3 signs"),
        ("X:1\nK:C\nc'''''''''", "PARSE_ERROR", "outside the range"),
        ("X:1\nK:C\nz4|", "EMPTY_INPUT", "no notes"),
        ("X:1\nK:C\n" + "C" * 2_000_000, "TOO_LARGE", "characters"),
        pytest.param("X:1\nK:C\n" + "C" * 200_001, "TOO_LARGE", "200,000 notes", marks=pytest.mark.long),
        ("X:1\nK:C\n" + "Z999|" * 100, "TOO_LARGE", "bars"),
    ],
)
def test_errors_name_the_line(text: str, code: str, says: str) -> None:
    with pytest.raises(MusicError) as raised:
        read_abc(text)
    assert raised.value.code == code
    assert says in raised.value.message


def test_a_later_voice_starts_with_the_settings_of_the_header() -> None:
    score = read("X:1\nM:4/4\nL:1/4\nK:C\nV:1\nCDEF|\nK:D\nL:1/8\n[M:2/4]FGAB|\nV:2\nF4|F2|")
    assert [f"{note.pitch.name} {note.duration}" for note in score.parts[1].notes] == ["F4 4", "F4 2"]


@pytest.mark.parametrize("head", ["K:D transpose=-2\n", "K:D\nV:1 transpose=-2\n"])
def test_transposing_voices_are_read_at_sounding_pitch(head: str) -> None:
    score = read(f'X:1\nM:4/4\nL:1/4\n{head}"D7/F#"D"Fflat7onA"^G-|"Fine"G F|')
    assert [f"{note.pitch.name} {note.duration}" for note in score.parts[0].notes] == ["C4 1", "F#4 2", "E4 1"]
    assert score.key is not None and score.key.name == "C major"
    assert [mark.symbol for mark in score.chords] == ["C7/E", "Ebb7/G", "Fine"]


def test_the_history_may_continue_in_plain_lines() -> None:
    score = read("X:1\nH:An old tune,\nbeloved of a good baker\nL:1/4\nK:C\nCDEF|")
    assert [note.pitch.name for note in score.parts[0].notes] == ["C4", "D4", "E4", "F4"]
