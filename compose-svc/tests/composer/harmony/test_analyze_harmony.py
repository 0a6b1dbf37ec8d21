"""Chords, numerals and cadences of given music: textbook examples, and chorales with analyses by musicians."""

import re
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from consort_compose.composer.harmony.analyze.analysis import Analysis, analyze_harmony
from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony
from consort_compose.composer.harmony.analyze.part_writing import part_writing_faults
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.composer.tonality import harmonic_key, key_of, modal_key
from consort_compose.composer.voicings.engine.progression import realize_progression
from consort_compose.composer.voicings.engine.single_chord import VoicingInstrument
from consort_compose.composer.voicings.voicing_score import score_of_equal_steps
from consort_music.chords.grammar import parse_chord
from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.notation.musicxml.mxl import unpack_mxl
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.read_music import read_music
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

VOICES = ("soprano", "alto", "tenor", "bass")


def chorale(*chords: str) -> Score:
    """Return a score for four voices. Each chord lists its notes from the soprano down.

    A chord lasts a quarter note; the last one lasts a half note.
    """
    lines: list[list[Note]] = [[] for _ in VOICES]
    for index, chord in enumerate(chords):
        length = Fraction(2 if index == len(chords) - 1 else 1)
        for line, name in zip(lines, chord.split(), strict=True):
            line.append(Note(Fraction(index), length, Pitch.parse(name)))
    return Score(tuple(Part.of(name, line) for name, line in zip(VOICES, lines, strict=True)))


def analyzed(score: Score, key: str, **options: str) -> Analysis:
    return analyze_harmony(score, parse_key(key), **options)  # type: ignore[arg-type]


def test_numerals_inversions_and_functions() -> None:
    music = chorale(
        "E5 G4 C4 C3", "F5 A4 C4 F3", "D5 G4 B3 F3", "C5 G4 C4 E3", "D5 A4 F4 F3", "D5 G4 B3 G2", "C5 G4 E4 C3"
    )
    found = analyzed(music, "C major")
    assert [chord.numeral for chord in found.chords] == ["I", "IV", "V42", "I6", "ii6", "V", "I"]
    assert [chord.symbol.name for chord in found.chords] == ["C", "F", "G7/F", "C/E", "Dm/F", "G", "C"]
    assert [chord.function for chord in found.chords] == ["T", "S", "D", "T", "S", "D", "T"]
    assert [(cadence.kind, cadence.numerals) for cadence in found.cadences] == [("perfect", ("V", "I"))]
    assert not found.is_implied


def test_applied_chords() -> None:
    music = chorale("C5 G4 E4 C3", "C5 A4 F#4 D3", "B4 G4 D4 G3", "A4 F#4 C4 D#3", "G4 E4 B3 E3", "G4 D4 B3 G2")
    found = analyzed(music, "C major")
    assert [chord.numeral for chord in found.chords] == ["I", "V7/V", "V", "viio7/iii", "iii", "V"]
    assert found.chords[1].function == "D"


def test_minor() -> None:
    music = chorale("A4 E4 C4 A2", "B4 F4 D4 D3", "B4 E4 G#3 E3", "C5 E4 A3 F3", "B4 F4 D4 G#2", "C5 E4 A3 A2")
    found = analyzed(music, "A minor")
    assert [chord.numeral for chord in found.chords] == ["i", "iio6", "V", "VImaj7", "viio7", "i"]
    assert found.cadences[-1].kind == "imperfect"


@pytest.mark.parametrize(
    ("chords", "kind"),
    [
        (("C5 G4 E4 C3", "C5 A4 F4 F3", "C5 G4 E4 C3"), "plagal"),
        (("C5 G4 E4 C3", "D5 A4 F4 D3", "D5 G4 B3 G2"), "half"),
        (("C5 G4 E4 C3", "B4 G4 D4 G3", "C5 E4 C4 A3"), "deceptive"),
        (("C5 G4 E4 C3", "D5 G4 B3 G3", "E5 G4 C4 C3"), "imperfect"),
    ],
)
def test_cadences(chords: tuple[str, ...], kind: str) -> None:
    assert [cadence.kind for cadence in analyzed(chorale(*chords), "C major").cadences] == [kind]


TRIADS = {"I": "C3+E3+G3", "ii": "D3+F3+A3", "IV": "F2+A2+C3", "V": "G2+B2+D3", "V7": "G2+B2+D3+F3", "vi": "A2+C3+E3"}


def accompanied(music: str) -> Score:
    """Return a melody with a chord of C major under each note. `music` is such as `E4:q/I D4:h/V R:q`."""
    steps = [step.partition("/") for step in music.split()]
    return parse_note_list(" ".join(note if note[0] == "R" else f"{TRIADS[chord]}+{note}" for note, _, chord in steps))


@pytest.mark.parametrize(
    ("music", "cadences"),
    [
        pytest.param(
            "E5:q/I E5:q/I F5:q/V7 G5:q/I G5:q/V F5:q/V7 E5:q/I D5:q/V C5:q/I C5:q/I D5:q/V E5:q/I D5:q/V "
            "D5:q/V7 C5:h/I",
            [(4, "perfect")],
            id="dominants within a phrase and at the ends of bars",
        ),
        pytest.param(
            "C5:h/I D5:h/V E5:h/I D5:h/V C5:h/IV B4:h/V C5:h/I D5:h/V E5:h/I F5:h/ii D5:h/V C5:h/I",
            [(6, "perfect")],
            id="a tune in half notes",
        ),
        pytest.param(
            "E5:q/I F5:q/I G5:q/I R:q G5:q/I D5:q/V B4:q/V7 R:q C5:q/I R:q D5:q/V R:q C5:q/I R:q B4:q/V R:q C5:w/I",
            [(5, "perfect")],
            id="short rests",
        ),
        pytest.param(
            "E5:q/I E5:q/I F5:q/V7 G5:q/I G5:q/I F5:q/IV E5:q/I D5:q/ii E5:qd/I D5:e/V D5:h/V "
            "E5:q/I E5:q/I F5:q/V7 G5:q/I G5:q/I F5:q/IV E5:q/I D5:q/V D5:qd/V C5:e/I C5:h/I",
            [(3, "half"), (6, "perfect")],
            id="question and answer",
        ),
        pytest.param(
            "C5:q/I C5:q/I G5:q/I G5:q/I A5:q/IV A5:q/IV G5:h/I F5:q/IV F5:q/IV E5:q/I E5:q/I D5:q/V D5:q/V C5:h/I "
            "G5:q/I G5:q/I F5:q/IV F5:q/IV E5:q/I E5:q/I D5:h/V G5:q/I G5:q/I F5:q/IV F5:q/IV E5:q/I E5:q/I D5:h/V",
            [(2, "plagal"), (4, "perfect"), (6, "half"), (8, "half")],
            id="two bars a phrase",
        ),
    ],
)  # fmt: skip
def test_phrases_end_where_melody_and_harmony_rest(music: str, cadences: list[tuple[int, str]]) -> None:
    found = analyzed(accompanied(music), "C major").cadences
    assert [(cadence.place.measure, cadence.kind) for cadence in found] == cadences


def test_a_waltz_does_not_pause_in_every_bar() -> None:
    music = accompanied("E5:h/I G5:q/I D5:h/V G5:q/V E5:h/I G5:q/I D5:h/V F5:q/V E5:h/I D5:q/V C5:hd/I")
    waltz = replace(music, metres=((Fraction(0), parse_metre("3/4")),))
    assert [cadence.kind for cadence in analyzed(waltz, "C major").cadences] == ["perfect"]


def test_fermatas_mark_phrases_without_pauses() -> None:
    music = "E5:q/I F5:q/IV D5:q/V D5:q/V E5:q/I F5:q/ii E5:q/V C5:q/I C5:q/I A4:q/ii B4:q/V C5:q/I"
    marked = replace(accompanied(music), fermatas=(Fraction(3), Fraction(11)))
    found = analyzed(marked, "C major").cadences
    assert [(cadence.place.measure, int(cadence.place.beat), str(cadence.kind)) for cadence in found] == [
        (1, 3, "half"),
        (3, 4, "perfect"),
    ]


@pytest.mark.parametrize("name", ["bwv110.7", "bwv255"])
def test_cadences_of_chorales_are_at_their_fermatas(name: str) -> None:
    """music21 reads the fermatas. Most fermatas have a cadence, and there are no cadences elsewhere."""
    from music21 import corpus

    path = next(Path(path) for path in corpus.getComposer("bach") if Path(path).stem == name)
    score, _ = read_music(unpack_mxl(path.read_bytes()).decode(), None)
    soprano = corpus.parse(path).parts[0].flatten()
    held = [(Fraction(note.offset), Fraction(note.offset + note.quarterLength))
            for note in soprano.notes if any("Fermata" in mark.classes for mark in note.expressions)]  # fmt: skip
    assert list(score.fermatas) == [start for start, _ in held]
    found = analyze_harmony(score, harmonic_key(score))
    places = [chord.place for chord in found.chords]
    cadential = [found.chords[places.index(cadence.place)] for cadence in found.cadences]
    assert all(any(chord.start < end and chord.end > start for start, end in held) for chord in cadential)
    assert len(cadential) >= 0.8 * len(held)


def test_broken_chords_are_recognized_bar_by_bar() -> None:
    melody = Part.of(
        "melody", [Note(Fraction(4 * bar), Fraction(4), Pitch.parse(top)) for bar, top in enumerate(("E5", "D5", "C5"))]
    )
    broken = [Note(Fraction(4 * bar + step), Fraction(1), Pitch.parse(name))
              for bar, names in enumerate(("C3 E4 G4 E4", "G2 F4 B4 F4", "C3 E4 G4 E4"))
              for step, name in enumerate(names.split())]  # fmt: skip
    found = analyzed(Score((melody, Part.of("piano", broken))), "C major", rhythm="per_measure")
    assert [chord.numeral for chord in found.chords] == ["I", "V7", "I"]


def test_a_melody_alone_has_implied_chords() -> None:
    found = analyzed(parse_note_list("C4:q E4:q G4:q E4:q F4:q D4:q B3:q G3:q C4:w"), "C major", rhythm="per_measure")
    assert found.is_implied
    assert found.chords[0].numeral == "I" and found.chords[-1].numeral == "I"


@pytest.mark.parametrize("number", ["001", "003", "010"])
def test_roots_agree_with_human_analyses(number: str) -> None:
    """At least 88% of the beats have the root of the analysis in music21's corpus."""
    from music21 import corpus
    from music21.roman import RomanNumeral

    paths = [Path(path) for path in corpus.getComposer("bach")]
    text = next(path for path in paths if path.name == f"riemenschneider{number}.rntxt")
    work = re.search(r"BWV: *([\d.]+)", text.read_text())
    assert work is not None
    chorale_path = next(path for path in paths if path.stem == f"bwv{work[1]}")
    with zipfile.ZipFile(chorale_path) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".xml") and "META" not in name)
        score, _ = read_music(archive.read(name).decode(), None)
    written = corpus.parse(text)
    wanted = [(Fraction(numeral.getOffsetInHierarchy(written)), numeral.root().pitchClass)
              for numeral in written.recurse().getElementsByClass(RomanNumeral)]  # fmt: skip
    found = analyze_harmony(score, harmonic_key(score)).chords
    same = total = 0
    for beat in range(int(score.length)):
        heard = [chord.symbol.root_pitch_class for chord in found if chord.start <= beat < chord.end]
        analyst = [root for start, root in wanted if start <= beat]
        if heard and analyst:
            total += 1
            same += heard[0] == analyst[-1]
    assert same / total >= 0.88


@pytest.mark.parametrize(
    ("text", "key", "mode"),
    [
        ("A4:q B4 C5 D5 E5 D5 C5 B4 A4:w", "A minor", "A minor"),
        ("D4:q E4 F4 G4 A4 B4 C5 A4 G4 F4 E4 C4 D4:w", "D minor", "D dorian"),
        ("G4:q A4 B4 C5 D5 E5 F5 D5 B4 A4 F4 A4 G4:w", "G major", "G mixolydian"),
        ("C4:q E4 G4 C5 B4 A4 G4 F4 E4 D4 B3 D4 C4:w", "C major", "C major"),
    ],
)
def test_keys_and_modes_are_found(text: str, key: str, mode: str) -> None:
    score = parse_note_list(text)
    assert harmonic_key(score).name == key
    assert modal_key(score).name == mode


def test_a_signature_without_a_mode_may_be_minor() -> None:
    score = replace(parse_note_list("A4:q B4 C5 E5 D5 C5 B4 G#4 A4:w"), keys=((Fraction(0), parse_key("C major")),))
    assert harmonic_key(score).name == "A minor"
    ends_at_home = replace(parse_note_list("A4:q B4 C5 E5 D5 C5 B4 D5 C5:w"), keys=score.keys)
    assert harmonic_key(ends_at_home).name == "C major"


D_MAJOR_TUNE = "D4:q F#4 A4 D5 B4 G4 A4 F#4 E4 C#4 E4 A4 D4:w"


def unspelled_melody(text: str, key: str | None, up: int = 0) -> Score:
    """Return a melody without known spelling that states `key`, transposed by `up` semitones."""
    notes = [note._replace(pitch=Pitch.from_midi(note.midi + up)) for note in parse_note_list(text).parts[0].notes]
    keys = ((Fraction(0), parse_key(key)),) if key else ()
    return Score((Part.of("melody", notes),), keys=keys, is_spelled=False)


@pytest.mark.parametrize("signature", ["C major", "A minor", "D minor", "F major", "Eb major", "D major", None])
def test_a_wrong_key_signature_does_not_change_the_mode(signature: str | None) -> None:
    score = unspelled_melody(D_MAJOR_TUNE, signature)
    assert [find(score).name for find in (harmonic_key, modal_key, key_of)] == ["D major"] * 3
    assert analyze_harmony(score, harmonic_key(score)).key.name == "D major"


@pytest.mark.parametrize("up", range(-6, 6))
def test_clear_tunes_in_all_keys_under_a_default_signature(up: int) -> None:
    minor = "D4:q D4 A4 A4 Bb4 A4 G4:h F4:q F4 E4 C#4 D4:w"
    for text, mode in ((D_MAJOR_TUNE, "major"), (minor, "minor")):
        found = harmonic_key(unspelled_melody(text, "C major", up))
        assert (found.tonic, found.mode) == ((2 + up) % 12, mode)


def test_drums_do_not_count_for_the_key() -> None:
    score = unspelled_melody(D_MAJOR_TUNE, None, up=-2)
    drums = Part.of("Kit", [Note(Fraction(beat, 2), Fraction(1, 2), Pitch.parse("F#2")) for beat in range(32)], "Drums")
    assert harmonic_key(score.with_parts([*score.parts, drums])).name == "C major"


def test_a_piece_that_changes_key_has_the_key_of_its_beginning() -> None:
    first, second = (
        unspelled_melody(D_MAJOR_TUNE, "D major").parts[0],
        unspelled_melody(D_MAJOR_TUNE, None, up=1).parts[0],
    )
    later = [note._replace(start=note.start + 16) for note in second.notes]
    both = Part.of("melody", [*first.notes, *later])
    score = Score((both,), keys=((Fraction(0), parse_key("D major")), (Fraction(16), parse_key("Eb major"))))
    assert key_of(score).name == "D major"


def voiced(*symbols: str, instrument: VoicingInstrument = "satb") -> Score:
    steps = realize_progression([parse_chord(symbol) for symbol in symbols], instrument, inversions=False).steps
    return score_of_equal_steps(steps, instrument, Fraction(4))


@pytest.mark.parametrize("instrument", ["satb", "piano"])
def test_chord_symbols_of_the_score_are_kept(instrument: VoicingInstrument) -> None:
    symbols = ["Dm9", "Db7#11", "Cmaj9", "A7", "Dm7", "G13", "C6"]
    found = analyzed(voiced(*symbols, instrument=instrument), "C major")
    assert [chord.symbol.name for chord in found.chords] == symbols
    assert [chord.numeral for chord in found.chords] == ["ii9", "bII7", "Imaj9", "V7/ii", "ii7", "V13", "Iadd6"]
    assert [chord.function for chord in found.chords] == ["S", "D", "T", "D", "S", "D", "T"]


def test_a_lead_sheet_keeps_its_chords() -> None:
    music = parse_note_list("E4:h G4:h F4:h D4:h E4:w")
    marks = [ChordMark(Fraction(beat), symbol) for beat, symbol in ((0, "Cmaj7"), (4, "Dm7/G"), (8, "N.C."))]
    found = analyzed(replace(music, chords=tuple(marks)), "C major")
    assert not found.is_implied
    assert [(chord.symbol.name, chord.numeral, chord.place.measure) for chord in found.chords] == [
        ("Cmaj7", "Imaj7", 1),
        ("Dm7/G", "ii7", 2),
    ]


def test_a_symbol_without_a_slash_gets_the_bass_that_sounds() -> None:
    music = chorale("E5 G4 C4 C3", "E5 G4 C4 E3", "D5 F4 B3 G3", "C5 E4 G3 C3")
    marks = [ChordMark(Fraction(beat), symbol) for beat, symbol in ((0, "C"), (1, "C"), (2, "G7"), (3, "C"))]
    found = analyzed(replace(music, chords=tuple(marks)), "C major")
    assert [(chord.symbol.name, chord.numeral) for chord in found.chords] == [
        ("C", "I"),
        ("C/E", "I6"),
        ("G7", "V7"),
        ("C", "I"),
    ]


def test_symbols_that_do_not_match_the_notes_are_ignored() -> None:
    music = chorale("C5 G4 E4 C3", "C5 A4 F4 F3", "B4 G4 D4 G3", "C5 G4 E4 C3")
    marks = [ChordMark(Fraction(beat), symbol) for beat, symbol in ((0, "C"), (1, "Eb"), (2, "G"), (3, "C"))]
    found = analyzed(replace(music, chords=tuple(marks)), "C major")
    assert [chord.symbol.name for chord in found.chords] == ["C", "F", "G", "C"]


def test_a_chord_before_a_cadential_six_four_is_applied_to_the_dominant() -> None:
    found = analyzed(voiced("C", "F", "F#dim7", "C/G", "G7", "C"), "C major")
    assert [chord.numeral for chord in found.chords] == ["I", "IV", "viio7/V", "I64", "V7", "I"]


@pytest.mark.parametrize(
    ("notes", "symbol"),
    [
        ("E5 F4 C4 D3", "Dm7"),
        ("D5 E4 B3 C3", "Cmaj7"),
        ("A4 D4 B3 F3 G2", "G7"),
        ("Ab4 F4 Cb4", "Fdim/Cb"),
        ("C5 A4 F4 D3", "Dm7"),
    ],
)
def test_no_chord_is_recognized_without_its_third(notes: str, symbol: str) -> None:
    """For example, E F C D is Dm7: other seventh chords with these notes would lack their third."""
    music = Score((Part.of("piano", [Note(Fraction(0), Fraction(4), Pitch.parse(name)) for name in notes.split()]),))
    assert [chord.symbol.name for chord in analyzed(music, "C minor").chords] == [symbol]


def test_missing_tones_of_two_voices_are_tones_of_the_key() -> None:
    """On the tonic of a minor key, a fifth alone is no major chord, and a minor sixth alone is no augmented triad."""
    cantus = '"cantus" D3:w F3:w E3:w D3:w G3:w A3:w G3:w F3:w E3:w D3:w'
    exercise = parse_note_list(f'"voice" A3:w A3:w C4:w D4:w B3:w E4:w D4:w C4:w C#4:w D4:w\n{cantus}')
    found = analyzed(exercise, "D dorian", rhythm="per_measure")
    assert [chord.numeral for chord in found.chords] == ["i", "i6", "VII6", "i", "IV", "v", "IV", "III", "viio6", "i"]


def test_a_bare_fifth_on_the_dominant_of_a_minor_key_is_major() -> None:
    found = analyzed(parse_note_list('"s" D5:h E5:h F5:w\n"b" D3:h A2:h D3:w'), "D minor")
    assert [chord.numeral for chord in found.chords] == ["i", "V", "i"]


def test_the_faults_of_an_exercise_are_listed() -> None:
    exercise = parse_note_list('"cantus" D3:w F3:w E3:w D3:w\n"student" A3:w C4:w A3:w D4:w')
    assert part_writing_faults(exercise) == [
        "parallel fifths, student and cantus: 2:1",
        "dissonance, student and cantus: 3:1",
    ]


def test_faults_are_listed_only_for_single_lines() -> None:
    assert part_writing_faults(parse_note_list('"s" E5:w D5:w C5:w\n"b" C4:w B3:w C4:w')) == []
    assert part_writing_faults(parse_note_list('"s" E5:w\n"b" C4+G4:w')) is None
    assert part_writing_faults(parse_note_list("C4:q D4:q")) is None


@pytest.mark.parametrize(
    ("upper", "fault"),
    [
        ("E5:h B4:h F5:h D5:h C5:w", "dissonance entered and left by leap, s and b: 1:3"),
        ("E5:h F#5:h D5:h E5:h C5:w", "tritone left by leap, s and b: 1:3"),
        ("E5:h Bb4:h A4:h G4:h F4:w", "melodic tritone, s: 1:3"),
        ("G4:h E4:h A4:h F4:h E4:w", "fifths on successive downbeats, s and b: 2:1"),
    ],
)
def test_faults_of_two_voices_between_the_beats_are_listed(upper: str, fault: str) -> None:
    for parts in (f'"s" {upper}\n"b" C4:w D4:w C4:w', f'"b" C4:w D4:w C4:w\n"s" {upper}'):
        assert fault in (part_writing_faults(parse_note_list(parts)) or [])


def test_species_counterpoint_is_marked_without_chords_by_default() -> None:
    exercise = parse_note_list('"cantus" D4:w F4:w E4:w D4:w\n"voice" A4:w C5:w C#5:w D5:w')
    data, _, _ = analyze(exercise, AnalyzeHarmony(music="…", species=1))
    assert data.chords is None and data.part_writing is None and data.cantus == "cantus"
    marked = [(fault.measure, fault.beat, fault.kind) for fault in data.faults or []]
    assert marked == [(2, 1, "parallel_fifths"), (3, 1, "melodic_interval")]
    both, _, _ = analyze(exercise, AnalyzeHarmony(music="…", species=1, include_chords=True))
    assert both.chords and both.faults == data.faults
