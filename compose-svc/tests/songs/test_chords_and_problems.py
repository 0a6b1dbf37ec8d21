"""Planned chords, problems that check_song finds, the overview, and key changes."""

from fractions import Fraction

import pytest

from consort_compose.songs.checks.instrument_ranges import INSTRUMENT_RANGES
from consort_compose.songs.checks.problems import find_problems
from consort_compose.songs.descriptions.overview import song_overview
from consort_compose.songs.document.chord_plan import ChordFinder, bars_with_offbeat_chords, planned_chords, with_chords
from consort_compose.songs.document.song import Section, Song, SongNote, Track, sorted_notes
from consort_compose.songs.edits.key_change import KeyChange
from consort_compose.songs.notes.note_text import read_note_text
from consort_music.chords.grammar import parse_chord
from consort_music.chords.progression import progression_over, read_progression
from consort_music.errors import MusicError
from consort_music.keys import Key, parse_key
from consort_music.notation.note_list import parse_note_list

F = Fraction
SONG = Song(
    "T",
    key="C",
    tracks=(Track(1, "Lead", 73), Track(2, "Kit", None), Track(3, "Pad", 48)),
    sections=(Section("A", 1, 4), Section("B", 5, 8, key="D", time_signature="3/4")),
)


def test_text_replaces_the_chords_of_its_bars() -> None:
    song = with_chords(SONG, "| C | F G | % | C  - Am G7 |", 1)
    assert [(str(c.start), c.symbol) for c in song.chords] == [
        ("0", "C"),
        ("4", "F"),
        ("6", "G"),
        ("8", "F"),
        ("10", "G"),
        ("12", "C"),
        ("14", "Am"),
        ("15", "G7"),
    ]
    song = with_chords(song, "Dm | A7 D", 5)
    assert [(str(c.start), c.symbol) for c in song.chords[-3:]] == [("16", "Dm"), ("19", "A7"), ("41/2", "D")]
    song = with_chords(song, "Em", 2)
    assert [(str(c.start), c.symbol) for c in song.chords][:3] == [("0", "C"), ("4", "Em"), ("8", "F")]
    song = with_chords(song, [{"symbol": "N.C.", "start": "1/3"}], 1)
    assert [(str(c.start), c.symbol) for c in song.chords] == [("1/3", "N.C.")]
    assert with_chords(song, [], 1).chords == ()


@pytest.mark.parametrize(
    "text",
    [
        "C Am F G",
        "C | Am | F G | C",
        "| C | % | F G | % |",
        "C - Am % | | F",
        "C / Am G",
        "C, Am\nF",
        "C | Am\nF G | N.C.",
    ],
)
def test_songs_and_scores_lay_out_chords_alike(text: str) -> None:
    planned = with_chords(Song("T"), text, 1).chords
    bars = parse_note_list("C4:w " * len(read_progression(text))).bars
    laid = [(chord.start, chord.chord) for chord in progression_over(text, bars)]
    assert [(chord.start, parse_chord(chord.symbol)) for chord in planned] == laid


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ("C | H7", "INVALID_CHORD_SYMBOL", "chords"),
        ([{"symbol": "C", "start": 0}, {"symbol": "nonsense", "start": 1}], "INVALID_CHORD_SYMBOL", "chords.1.symbol"),
        ([{"symbol": "C", "start": "1/0"}], "INVALID_EXPRESSION", "chords.0.start"),
        ([{"symbol": "C", "start": -1}], "INVALID_EXPRESSION", "chords.0.start"),
        ([{"symbol": "C", "start": 1}, {"symbol": "F", "start": "1"}], "INVALID_INPUT", "chords"),
        ([{"symbol": "C"}], "INVALID_INPUT", "chords.0"),
        (7, "INVALID_INPUT", "chords"),
        ("", "EMPTY_INPUT", "chords"),
        (" \n", "EMPTY_INPUT", "chords"),
        ("C | " * 2500, "TOO_MANY_CHORDS", "chords"),
    ],
)
def test_invalid_chords_are_rejected(given: object, code: str, field: str) -> None:
    with pytest.raises(MusicError) as caught:
        with_chords(SONG, given, 1)
    assert (caught.value.code, caught.value.field) == (code, field)


def test_bars_with_chords_between_beats_are_found() -> None:
    text = "C D7 G | F G | C / D7 G | Am | A7 D"
    assert bars_with_offbeat_chords(SONG, text, 1) == [1, 5], "the fifth is in 3/4"
    assert bars_with_offbeat_chords(SONG, [{"symbol": "C", "start": "1/3"}], 1) == [], "a given beat is taken as it is"


def test_chord_holds_until_the_next_one() -> None:
    finder = ChordFinder(with_chords(SONG, [{"symbol": "C", "start": 1}, {"symbol": "F", "start": "4/3"}], 1))
    assert [finder.at(F(beat)) for beat in ("0", "1", "5/4", "4/3", "99")] == [None, "C", "C", "F", "F"]


@pytest.mark.parametrize(
    ("symbol", "semitones", "key", "result"),
    [
        ("Dm7", 2, "Dm", "Em7"),
        ("Bb7/F", 1, None, "B7/F#"),
        ("Eflat7", 3, None, "Gb7"),
        ("ConE", 2, "C", "D/F#"),
        ("C6/9", 3, "C", "Eb6/9"),
        ("F#m7b5/A", -2, "Em", "Em7b5/G"),
        ("N.C.", 5, "C", "N.C."),
        ("Am", 12, "C", "Am"),
    ],
)
def test_chords_are_transposed(symbol: str, semitones: int, key: str | None, result: str) -> None:
    assert KeyChange(key_of(key), key_of(key), semitones, [symbol]).chord(symbol) == result


def test_chords_without_a_key_are_spelled_together() -> None:
    symbols = ["F#", "B/D#", "C#7"]
    change = KeyChange(None, None, 6, symbols)
    assert [change.chord(symbol) for symbol in symbols] == ["C", "F/A", "G7"]


def key_of(name: str | None) -> Key | None:
    return parse_key(name) if name else None


def found(song: Song, **texts: str) -> list[tuple[str, str, str | None, str]]:
    ids = {track.name: track.id for track in song.tracks}
    notes = {ids[name]: sorted_notes(read_note_text(text).notes) for name, text in texts.items()}
    return [
        (problem.kind, str(problem.start), problem.track, problem.message) for problem in find_problems(song, notes)
    ]


def test_notes_outside_key_and_chord_are_found() -> None:
    song = with_chords(SONG, "C | D7 | % | F", 1)
    lead = "C4; C#4; G#4; F4 2; F#4 @5 1; D4 @8 1/2; E4; G4 @12 1"
    problems = found(song, Lead=lead, Pad="C3 32", Kit="kick x32")
    assert [(kind, start) for kind, start, _, _ in problems] == [
        ("outside_key", "1"),
        ("outside_key", "2"),
        ("outside_chord", "3"),
        ("outside_chord", "12"),
    ]
    assert problems[0] == ("outside_key", "1", "Lead", "C#4 is not in C major.")
    assert problems[2][3] == "F4 is not in C."
    assert found(SONG, Lead="F4 @16 1; F#4 1", Pad="C3 16", Kit="kick x31")[0][:2] == ("outside_key", "16"), "key of B"


def test_passing_notes_are_told_apart() -> None:
    song = with_chords(SONG, "C | C | C | C", 1)
    rest = {"Pad": "C3 32", "Kit": "kick x32"}
    lead = "E4 1; D4; C4; E4; D4 @8 1/2; C4; D4 1; E4"
    assert [(kind, start, message) for kind, start, _, message in found(song, Lead=lead, **rest)][:2] == [
        ("passing", "1", "D4 is a passing note outside C."),
        ("outside_chord", "8", "D4 is not in C."),  # prominent, because it is on a downbeat
    ]
    broken = found(song, Lead="E4 1; D4; G4; A4; R; D4; C4", **rest)
    assert [(kind, start) for kind, start, _, _ in broken] == [
        ("outside_chord", "1"),
        ("outside_chord", "3"),
        ("outside_chord", "5"),
    ]


@pytest.mark.parametrize(
    ("lead", "kinds"),
    [
        ("C4 1; F#4; G4 2", ["passing"]),  # a leap, then a semitone into the chord
        ("C4 1; D#4; E4 2", ["passing"]),
        ("C4 1; C#4; D4; E4", ["passing", "passing"]),  # chromatic passing notes
        ("C4 1; C#4; G4 2", ["outside_key"]),  # left by a leap
        ("F#4 1; G4 3", ["outside_key"]),  # on a downbeat
        ("C4 1; F#4 2; G4 1", ["outside_key"]),  # too long for a passing note
        ("C4 1; F#4 1/2; G4 @3 1", ["outside_key"]),  # a rest between
        ("C4 1; G#4; A4 2", ["outside_key", "outside_chord"]),  # to a note that is outside the chord too
    ],
)
def test_semitone_to_a_chord_note_is_passing(lead: str, kinds: list[str]) -> None:
    song = with_chords(SONG, "C | C | C | C", 1)
    assert [kind for kind, *_ in found(song, Lead=lead, Pad="C3 32", Kit="kick x32")] == kinds


def test_simultaneous_notes_are_one_problem() -> None:
    song = with_chords(SONG, "C | C | C | C", 1)
    problems = found(song, Lead="C4 16", Pad="D3,F3,G3,F#3 2", Kit="kick x32")
    assert [(kind, message) for kind, _, _, message in problems] == [
        ("outside_chord", "D3, F3 are not in C."),
        ("outside_key", "F#3 is not in C major."),
    ]


def test_range_collision_and_empty_bars_are_found() -> None:
    problems = found(SONG, Lead="C3; C4 4 @4; C4 @5 1; D4 @6 1; D4 @6 1", Kit="20; kick @13 1")
    assert [(kind, start, track) for kind, start, track, _ in problems] == [
        ("empty_track", "0", "Pad"),
        ("out_of_range", "0", "Lead"),
        ("out_of_range", "0", "Kit"),
        ("collision", "5", "Lead"),
        ("collision", "6", "Lead"),
        ("empty_bar", "8", None),
        ("empty_bar", "16", None),
    ]
    assert (
        problems[1][3] == "C3 is below the range of Flute (B3 to D7)." and problems[-1][3] == "Bars 5 to 8 are empty."
    )
    assert "the C4 from beat 4 still sounds" in problems[3][3] and "occurs twice" in problems[4][3]
    assert find_problems(Song("T"), {}) == []


def test_instrument_ranges_are_valid() -> None:
    assert all(0 <= lowest < highest <= 127 for lowest, highest in INSTRUMENT_RANGES.values())
    assert INSTRUMENT_RANGES[40] == (55, 105) and INSTRUMENT_RANGES[0] == (21, 108)


def test_overview() -> None:
    song = with_chords(SONG, "C | F", 1)
    notes = {1: read_note_text("C4 1; G4; C5 @12 1; E4 @40 1").notes, 2: read_note_text("kick x28").notes}
    rows = song_overview(song, notes)
    assert [(row.section, row.bars, row.silent) for row in rows] == [
        ("A", "1-4", ["Pad"]),
        ("B", "5-8", ["Lead", "Pad"]),
        (None, "9-12", ["Kit", "Pad"]),
    ]
    lead, kit = rows[0].playing
    assert (lead.note_count, lead.range, lead.notes_a_bar, lead.empty_bars) == (3, "C4-C5", 0.8, "2-3")
    assert (kit.note_count, kit.range, kit.empty_bars) == (16, None, None) and rows[0].chords == "C F"


@pytest.mark.parametrize(
    ("source", "target", "given", "result"),
    [
        ("C", "D", None, [62, 66, 69, 63]),
        ("C", "G", None, [55, 59, 62, 56]),
        ("C", "F#", None, [54, 58, 61, 55]),
        ("C", "Cm", None, [60, 63, 67, 61]),
        ("C", "Am", None, [57, 60, 64, 58]),
        ("Am", "C", None, [64, 67, 71, 65]),
        ("C", "D", 0, [60, 64, 67, 61]),
        ("C", None, None, [60, 64, 67, 61]),
        ("C", "D", -12, [48, 52, 55, 49]),
    ],
)
def test_key_change_keeps_the_degrees(source: str, target: str | None, given: int | None, result: list[int]) -> None:
    """C, E, G and C sharp become the same degrees of the other key, by the nearest interval."""
    change = KeyChange(key_of(source), key_of(target), given, [])
    assert [change.pitch(pitch) for pitch in (60, 64, 67, 61)] == result


@pytest.mark.parametrize(
    ("source", "target", "chords"),
    [
        ("C", "Cm", "C>Cm Dm7>Dm7b5 Em>Eb F/A>Fm/Ab G7>Gm7 Am>Ab Bdim>Bb Fmaj7>Fm7 N.C.>N.C."),
        ("Am", "A", "Am>A F>F#m G7>G#m7b5 C/E>C#m/E"),
        ("C", "D", "C>D G7/B>A7/C# Db7>Eb7 Eflat7>F7 ConE>D/F#"),
        ("C", "Cm", "C7alt>C7alt"),
    ],
)
def test_key_change_moves_chords_with_their_notes(source: str, target: str, chords: str) -> None:
    change = KeyChange(key_of(source), key_of(target), None, [])
    for pair in chords.split():
        old, new = pair.split(">")
        assert change.chord(old) == new


def test_planned_chords_of_a_section() -> None:
    song = with_chords(Song("T", sections=(Section("Verse", 2, 3),)), "C | Am | F G", 1)
    assert [(span.start, span.chord.name) for span in planned_chords(song, "verse").chords] == [
        (F(0), "Am"),
        (F(4), "F"),
        (F(6), "G"),
    ]
    with pytest.raises(MusicError) as caught:
        planned_chords(song, "Vers")
    assert (caught.value.code, caught.value.field) == ("UNKNOWN_SECTION", "section")
    assert caught.value.suggestions[0] == "Verse"


def test_notes_sort_by_exact_start() -> None:
    third = F(1, 3)
    near = third + F(1, 10**25)
    assert [note.start for note in sorted_notes([SongNote(near, 1, F(1)), SongNote(third, 99, F(1))])] == [third, near]
