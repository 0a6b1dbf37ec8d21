"""Reading MusicXML: every construct, round trips with our writer, and hostile documents."""

import io
import zipfile
from fractions import Fraction

import pytest
from hypothesis import given, settings

from consort_music.chords.timed_chords import ChordMark
from consort_music.errors import MusicError
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Lyric, Score
from evaluation.checkers.music21_notes import our_notes
from tests.support.score_strategies import notated_scores


def with_notes(score: Score) -> bool:
    return score.note_count > 0


@settings(max_examples=25)
@given(notated_scores(odd=True).filter(with_notes))
def test_written_musicxml_reads_back_the_same(score: Score) -> None:
    back, warnings = read_musicxml(write_musicxml(score))
    assert our_notes(back) == our_notes(score)
    assert back.bars == score.bars
    assert (back.tempos, back.chords) == (score.tempos, score.chords)
    assert (back.title, back.pickup) == (score.title, score.pickup)
    assert [(part.name, part.instrument) for part in back.parts] == [(p.name, p.instrument) for p in score.parts]
    for moment, key in score.keys:
        found = back.key_at(moment)
        assert found is not None and found.sharps == key.sharps
    assert warnings == []


def document(measures: str, head: str = "<part-name>Flute</part-name>", root: str = "partwise") -> str:
    return (
        f'<score-{root}><part-list><score-part id="P1">{head}</score-part></part-list>'
        f'<part id="P1">{measures}</part></score-{root}>'
    )


def measure(inside: str, attributes: str = "") -> str:
    return f"<measure><attributes><divisions>2</divisions>{attributes}</attributes>{inside}</measure>"


def note(pitch: str, duration: int, more: str = "", before: str = "") -> str:
    alter = {"#": "<alter>1</alter>", "b": "<alter>-1</alter>"}.get(pitch[1:-1], "")
    return (
        f"<note>{before}<pitch><step>{pitch[0]}</step>{alter}<octave>{pitch[-1]}</octave></pitch>"
        f"<duration>{duration}</duration>{more}</note>"
    )


def first_part_notes(text: str | bytes) -> list[tuple[str, str, str]]:
    """Return the notes of the first part, for short comparisons."""
    notes = read_musicxml(text)[0].parts[0].notes
    return [(str(each.start), str(each.duration), each.pitch.name) for each in notes]


def test_chords_backup_forward_and_changing_divisions() -> None:
    text = measure(
        note("C4", 2) + note("E4", 2, before="<chord/>") + note("G4", 4)
        + "<backup><duration>4</duration></backup><forward><duration>2</duration></forward>" + note("C3", 2)
        + "<attributes><divisions>3</divisions></attributes>" + note("D3", 1)
    )  # fmt: skip
    assert first_part_notes(document(text)) == [
        ("0", "1", "C4"), ("0", "1", "E4"), ("1", "2", "G4"), ("2", "1", "C3"), ("3", "1/3", "D3"),
    ]  # fmt: skip


def test_ties_join_across_bars_and_voices() -> None:
    start, stop = '<tie type="start"/>', '<tie type="stop"/>'
    text = measure(note("C4", 8, start)) + measure(
        note("C4", 8, stop + start) + "<backup><duration>8</duration></backup>" + note("E4", 8)
    )
    text += measure(note("C4", 2, stop) + note("C4", 2, stop))
    assert first_part_notes(document(text)) == [("0", "9", "C4"), ("4", "4", "E4"), ("9", "1", "C4")]


def test_transposing_instruments_are_read_at_sounding_pitch() -> None:
    clarinet = "<key><fifths>2</fifths></key><transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>"
    score, _ = read_musicxml(document(measure(note("D5", 2), clarinet)))
    assert score.parts[0].notes[0].pitch.name == "C5"
    assert score.key is not None and score.key.name == "C major"
    bass = "<transpose><chromatic>0</chromatic><octave-change>-1</octave-change></transpose>"
    assert first_part_notes(document(measure(note("E3", 2), bass))) == [("0", "1", "E2")]


def test_staves_become_parts() -> None:
    back = "<backup><duration>8</duration></backup>"
    text = measure(note("C5", 8, "<staff>1</staff>") + back + note("C3", 8, "<staff>2</staff>"))
    score, _ = read_musicxml(document(text + text, "<part-name>Piano</part-name>"))
    assert [part.name for part in score.parts] == ["Piano, staff 1", "Piano, staff 2"]
    assert [[each.pitch.name for each in part.notes] for part in score.parts] == [["C5", "C5"], ["C3", "C3"]]


def test_lyrics_are_read_and_written_again() -> None:
    def lyric(inside: str, number: str = "1") -> str:
        return f'<lyric number="{number}">{inside}</lyric>'

    first = lyric("<syllabic>begin</syllabic><text>Glo</text>") + lyric("<text>a</text><elision/><text>b</text>", "2")
    text = measure(
        note("C4", 2, first) + note("D4", 2) + note("E4", 4, lyric("<syllabic>end</syllabic><text>ry</text>"))
    )
    score, warnings = read_musicxml(document(text))
    assert warnings == [] and score.parts[0].lyrics == (
        (Fraction(0), Lyric("Glo", "begin")),
        (Fraction(0), Lyric("a b", "single", 2)),
        (Fraction(2), Lyric("ry", "end")),
    )
    assert read_musicxml(write_musicxml(score))[0].parts[0].lyrics == score.parts[0].lyrics


def test_left_out_elements_are_warned_about() -> None:
    repeat = '<barline><repeat direction="backward"/></barline>'
    drum = "<note><unpitched/><duration>2</duration></note>"
    grace = "<note><grace/><pitch><step>A</step><octave>4</octave></pitch></note>"
    text = measure(grace + note("C4", 2) + drum + repeat)
    score, warnings = read_musicxml(document(text))
    assert score.note_count == 1 and score.length == 2
    assert warnings == [
        "1 grace note was left out (measure 1).",
        "1 note without pitch (percussion) was left out (measure 1).",
        "Repeats and endings were not played out: each measure comes once.",
    ]


def test_a_tie_to_another_pitch_is_warned_about_with_its_measure() -> None:
    start, stop = '<tie type="start"/>', '<tie type="stop"/>'
    text = measure(note("C4", 8, start)) + measure(note("D4", 4, stop) + note("D4", 4)) + measure(note("E4", 8, stop))
    score, warnings = read_musicxml(document(text))
    assert [(int(each.start), int(each.duration)) for each in score.parts[0].notes] == [(0, 4), (4, 2), (6, 2), (8, 4)]
    assert warnings == [
        "1 tie without a next note of the same pitch was left out (measure 1).",
        "1 tie without an earlier note of the same pitch was left out (measure 3).",
    ]


def test_microtones_are_warned_about_with_their_measures() -> None:
    def quarter_tone(alter: str) -> str:
        return note("C4", 4).replace("<octave>", f"<alter>{alter}</alter><octave>")

    pickup = "<time><beats>4</beats><beat-type>4</beat-type></time>"
    bars = measure(note("C4", 4), pickup), measure(quarter_tone("0.5") + quarter_tone("1"))
    score, warnings = read_musicxml(document("".join((*bars, measure(quarter_tone("-1.5") + quarter_tone("0.5"))))))
    assert [each.pitch.name for each in score.parts[0].notes] == ["C4", "C4", "C#4", "Cb4", "C4"]
    assert warnings == ["3 microtones were rounded towards the natural (measures 1, 2)."]


def test_a_warning_about_many_measures_is_short() -> None:
    grace = "<note><grace/><pitch><step>A</step><octave>4</octave></pitch></note>"
    _, warnings = read_musicxml(document(measure(grace + note("C4", 8)) * 12))
    assert warnings == ["12 grace notes were left out (measures 1, 2, 3, 4, 5, 6, 7, 8…)."]


def test_chords_tempos_metres_and_keys_are_read() -> None:
    harmony = (
        "<harmony><root><root-step>B</root-step><root-alter>-1</root-alter></root><kind>dominant</kind>"
        "<degree><degree-value>9</degree-value><degree-alter>-1</degree-alter><degree-type>add</degree-type></degree>"
        "<bass><bass-step>D</bass-step></bass><offset>2</offset></harmony>"
    )
    tempo = (
        "<direction><direction-type><metronome><beat-unit>quarter</beat-unit><beat-unit-dot/>"
        "<per-minute>ca. 80</per-minute></metronome></direction-type></direction>"
    )
    time = "<time><beats>3+2</beats><beat-type>8</beat-type></time><key><fifths>-1</fifths><mode>dorian</mode></key>"
    score, _ = read_musicxml(document(measure(tempo + harmony + note("C4", 5), time)))
    assert score.chords == (ChordMark(Fraction(1), "Bb7b9/D"),)
    assert score.tempos == ((Fraction(0), Fraction(120)),)
    assert score.metre.name == "5/8" and score.key is not None and score.key.name == "G dorian"


def test_short_bars_and_pickups() -> None:
    time = "<time><beats>3</beats><beat-type>4</beat-type></time>"
    lengths = [2, 6, 4, 2, 6]
    text = "".join(measure(note("C4", length), time if place == 0 else "") for place, length in enumerate(lengths))
    score, _ = read_musicxml(document(text))
    assert score.pickup == 1
    assert [(bar.number, int(bar.length)) for bar in score.bars] == [(0, 1), (1, 3), (2, 2), (3, 1), (4, 3)]


def test_timewise_documents_are_read() -> None:
    text = (
        '<score-timewise><part-list><score-part id="a"><part-name>A</part-name></score-part></part-list>'
        f'<measure><part id="a">{note("C4", 4)}</part><part id="b">{note("E4", 4)}</part></measure>'
        f'<measure><part id="a">{note("D4", 4)}</part><part id="b">{note("F4", 4)}</part></measure></score-timewise>'
    )
    score, _ = read_musicxml(text)
    assert [part.name for part in score.parts] == ["A", "part 2"]
    assert [(str(each.start), each.pitch.name) for each in score.parts[1].notes] == [("0", "E4"), ("4", "F4")]


def archive(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return packed.getvalue()


CONTAINER = b'<container><rootfiles><rootfile full-path="music/x.xml"/></rootfiles></container>'
PLAIN = write_musicxml(parse_note_list("C4:w"))


def test_compressed_documents_are_read() -> None:
    packed = archive({"META-INF/container.xml": CONTAINER, "a.xml": b"<no/>", "music/x.xml": PLAIN.encode()})
    assert first_part_notes(packed) == [("0", "4", "C4")]
    assert first_part_notes(archive({"score.musicxml": PLAIN.replace("UTF-8", "UTF-16").encode("utf-16")})) == [
        ("0", "4", "C4")
    ]


def test_other_encodings_are_read() -> None:
    latin = PLAIN.replace("UTF-8", "iso-8859-1").replace("part 1", "Flöte").encode("latin-1")
    assert read_musicxml(latin)[0].parts[0].name == "Flöte"


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><score-partwise>&b;</score-partwise>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><score-partwise>&a;</score-partwise>'


@pytest.mark.parametrize(
    ("hostile", "code", "says"),
    [
        ("<score-partwise><part>", "PARSE_ERROR", "line 1"),
        ("<html></html>", "PARSE_ERROR", "<html>"),
        (LAUGHS, "PARSE_ERROR", "entity"),
        (OUTSIDE, "PARSE_ERROR", "entity"),
        ("<score-partwise>" + "<a>" * 100, "TOO_LARGE", "40 levels"),
        ("<score-partwise>" + " " * 10_000_001, "TOO_LARGE", "10,000,000"),
        (PLAIN.replace("<duration>16<", "<duration>-16<"), "PARSE_ERROR", "-16"),
        (PLAIN.replace("<duration>16<", "<duration>1e999999<"), "PARSE_ERROR", "1e999999"),
        (PLAIN.replace("<divisions>4<", "<divisions>0<"), "PARSE_ERROR", "divisions"),
        (PLAIN.replace("<step>C<", "<step>H<"), "PARSE_ERROR", "'H'"),
        (PLAIN.replace("<octave>4<", "<octave>99<"), "PARSE_ERROR", "'99'"),
        (document("<measure/>"), "EMPTY_INPUT", "no notes"),
        (b"PK\x03\x04 and nothing more", "PARSE_ERROR", ".mxl"),
        (archive({"readme.txt": b"hello"}), "PARSE_ERROR", "no MusicXML"),
        (archive({"bomb.xml": b" " * 30_000_000}), "TOO_LARGE", "unpacks"),
        (PLAIN.encode().replace(b"UTF-8", b"UTF-9"), "PARSE_ERROR", "encoding"),
    ],
)
def test_errors_say_what_to_change(hostile: str | bytes, code: str, says: str) -> None:
    with pytest.raises(MusicError) as raised:
        read_musicxml(hostile)
    assert raised.value.code == code
    assert says in raised.value.message


def test_lengths_without_a_common_divisor_are_rejected() -> None:
    bars = "".join(
        f"<measure><attributes><divisions>{number}</divisions></attributes>{note('C4', 1)}</measure>"
        for number in range(10_007, 10_400)
    )
    with pytest.raises(MusicError, match="no note value in common"):
        read_musicxml(document(bars))


def test_note_values_are_used_if_the_divisions_are_too_few() -> None:
    ratio = "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>"
    triplet = "".join(note(pitch, 1, f"<type>eighth</type>{ratio}") for pitch in ("C4", "D4", "E4"))
    text = measure(triplet + "<backup><duration>2</duration></backup>" + note("C3", 1, f"<type>eighth</type>{ratio}"))
    assert first_part_notes(document(text)) == [
        ("0", "1/3", "C4"), ("1/3", "1/3", "C3"), ("1/3", "1/3", "D4"), ("2/3", "1/3", "E4"),
    ]  # fmt: skip


def test_tuplets_with_equal_numbers_and_different_ratios() -> None:
    ratio = "<type>eighth</type><time-modification><actual-notes>3</actual-notes><normal-notes>{}</normal-notes>"
    notes = (note("C4", 1, ratio.format(normal) + "</time-modification>") for normal in (2, 4))
    assert first_part_notes(document(measure("".join(notes)))) == [("0", "1/3", "C4"), ("1/3", "2/3", "C4")]


def test_an_extra_dot_is_ignored() -> None:
    assert first_part_notes(document(measure(note("C4", 2, "<type>16th</type><dot/>")))) == [("0", "1", "C4")]


def test_rests_do_not_lengthen_a_measure() -> None:
    rest = "<note><rest/><duration>8</duration></note>"
    assert first_part_notes(document(measure(rest + rest) + measure(note("C4", 8)))) == [("4", "4", "C4")]


def harmony(kind: str, degrees: str = "") -> str:
    return f"<harmony><root><root-step>D</root-step></root>{kind}{degrees}</harmony>"


def degree(value: int, alter: int, how: str, attributes: str = "") -> str:
    return (
        f"<degree{attributes}><degree-value>{value}</degree-value><degree-alter>{alter}</degree-alter>"
        f"<degree-type>{how}</degree-type></degree>"
    )


@pytest.mark.parametrize(
    ("written", "symbol"),
    [
        (harmony('<kind text="7">dominant</kind>', degree(9, -1, "add")), "D7b9"),
        (harmony('<kind text="7b9">dominant</kind>', degree(9, -1, "add", ' print-object="no"')), "D7b9"),
        (harmony('<kind text="7b9">dominant</kind>', degree(9, -1, "add")), "D7b9"),
        (harmony('<kind text="m7">minor-seventh</kind>', degree(5, -1, "alter")), "Dm7b5"),
        (harmony('<kind text="13">dominant-13th</kind>', degree(3, 0, "subtract")), "D13no3"),
        (harmony('<kind text="">minor</kind>'), "Dm"),
        (harmony('<kind text="">major</kind>'), "D"),
        (harmony('<kind text="Mol">minor</kind>'), "Dm"),
        (harmony('<kind text=" (tacet)">other</kind>'), "D (tacet)"),
    ],
)
def test_chord_symbols_are_read(written: str, symbol: str) -> None:
    score, _ = read_musicxml(document(measure(written + note("D4", 8))))
    assert score.chords == (ChordMark(Fraction(0), symbol),)


def test_chord_symbols_of_transposing_instruments_are_transposed() -> None:
    transpose = "<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>"
    bass = "<bass><bass-step>F</bass-step><bass-alter>1</bass-alter></bass>"
    score, _ = read_musicxml(document(measure(harmony("<kind>dominant</kind>", bass) + note("D4", 8), transpose)))
    assert score.chords == (ChordMark(Fraction(0), "C7/E"),)
