"""MusicXML of notated scores: staves, voices, drums, transposition, tablature and marks, as music21 reads them."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import parse_key
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.score_arranging import choose_bars, hands_on_staves, join_keyboard_staves
from consort_music.notation.writing.bar_text import bar_texts
from consort_music.notation.writing.lyrics import with_lyrics
from consort_music.notation.writing.notated_score import (
    GraceNote,
    NotatedChord,
    NotatedPart,
    NotatedScore,
    NotatedStaff,
    notated_from_score,
)
from consort_music.notation.writing.staff_voices import (
    drums_in_two_voices,
    with_closed_gaps,
    with_straight_lengths,
    with_tidy_voices,
)
from consort_music.notation.writing.tablature import TabOptions, with_tablature
from consort_music.pitch import Pitch
from consort_music.score import Lyric, Part, Score
from evaluation.checkers.music21_notes import music21_reads, our_notes


def chord(start: str, length: str, pitches: str, **more: Any) -> NotatedChord:
    return NotatedChord(Fraction(start), Fraction(length), tuple(Pitch.parse(name) for name in pitches.split()), **more)


def part_of(notes: str, name: str = "part 1", instrument: str | None = None) -> Part:
    return Part.of(name, parse_note_list(notes).parts[0].notes, instrument)


def notated(*parts: Part, **more: Any) -> NotatedScore:
    return replace(notated_from_score(Score(parts)), **more)


PIANO = NotatedPart(
    "Piano",
    (
        NotatedStaff(((chord("0", "2", "C5"), chord("2", "2", "D5")), (chord("0", "4", "E4"),)), "treble"),
        NotatedStaff(((chord("0", "4", "C3 G3", is_arpeggio=True),),), "bass"),
    ),
    "Pno.",
    "Acoustic Grand Piano",
)


def test_two_staves_with_voices() -> None:
    text = write_musicxml(NotatedScore((PIANO,), keys=((Fraction(0), parse_key("F major")),)))
    read = music21_reads(text, "musicxml")
    upper, lower = read.parts
    assert [len(measure.voices) for measure in upper.getElementsByClass("Measure")] == [2]
    assert sorted(note.nameWithOctave for note in upper.flatten().notes) == ["C5", "D5", "E4"]
    assert [str(pitch) for pitch in lower.flatten().notes[0].pitches] == ["C3", "G3"]
    assert [key.sharps for key in read.parts[0].flatten().getElementsByClass("KeySignature")] == [-1]
    assert text.count("<arpeggiate/>") == 2 and re.findall(r"<sign>(\w)", text) == ["G", "F"]


def test_transposing_instruments_sound_the_same() -> None:
    text = write_musicxml(
        notated(part_of("C4:q E4:q G4:h", "Clarinet", "Clarinet"), keys=((Fraction(0), parse_key("C")),))
    )
    assert "<step>D</step><octave>4</octave>" in text and "<fifths>2</fifths>" in text
    read = music21_reads(text, "musicxml").toSoundingPitch()
    assert [note.nameWithOctave for note in read.flatten().notes] == ["C4", "E4", "G4"]
    assert our_notes(read_musicxml(text)[0]) == our_notes(Score((part_of("C4:q E4:q G4:h", "Clarinet", "Clarinet"),)))


def test_drums_have_places_and_read_back() -> None:
    kit = Part.of("Kit", parse_note_list("36+42:q 42:q 38+42:q 46:q").parts[0].notes, "Drums")
    text = write_musicxml(drums_in_two_voices(notated(kit)))
    assert re.findall(r"<notehead>([\w-]+)", text) == ["x", "x", "x", "circle-x"]
    assert "<key>" not in text and "<sign>percussion</sign>" in text
    back, warnings = read_musicxml(text)
    assert sorted((int(note.start), note.midi) for note in back.parts[0].notes) == [
        (0, 36), (0, 42), (1, 42), (2, 38), (2, 42), (3, 46)
    ]  # fmt: skip
    assert warnings == []


def test_stems_of_drums_are_up_for_hands_and_down_for_feet() -> None:
    """Otherwise a program turns those of the hands where the feet rest."""
    kit = Part.of("Kit", parse_note_list("36+42:q 42:q 38+42:q 46:q").parts[0].notes, "Drums")
    text = write_musicxml(drums_in_two_voices(notated(kit)))
    assert set(re.findall(r"<voice>(\d)</voice><type>\w+</type><stem>(\w+)", text)) == {("1", "up"), ("2", "down")}
    assert text.count("<stem>") == text.count("<unpitched>") == 6
    only_hands = Part.of("Kit", parse_note_list("42:q 38+42:q").parts[0].notes, "Drums")
    assert "<stem>" not in write_musicxml(drums_in_two_voices(notated(only_hands)))


def test_marks_beside_the_notes() -> None:
    voice = (
        chord("0", "1", "C5", grace_notes=(GraceNote((Pitch.parse("B4"),)),), lyrics=(Lyric("la"),)),
        chord("1", "1", "D5", articulations=("staccato",)),
    )
    score = NotatedScore(
        (NotatedPart("Voice", (NotatedStaff((voice,)),)),),
        tempos=((Fraction(0), Fraction(120)),),
        tempo_words=((Fraction(0), "Swing"),),
        chords=(ChordMark(Fraction(0), "C"),),
        rehearsal_marks=((Fraction(0), "A"),),
        composer="Anon.",
    )
    read = music21_reads(write_musicxml(score), "musicxml")
    notes = list(read.flatten().notes)
    assert [note.duration.isGrace for note in notes if note.isNote] == [True, False, False]
    assert notes[-1].articulations[0].name == "staccato" and [n.lyric for n in notes if n.isNote][1] == "la"
    assert [mark.content for mark in read.recurse().getElementsByClass("RehearsalMark")] == ["A"]
    assert read.metadata.composer == "Anon."


def test_keyboard_parts_are_written_on_two_staves() -> None:
    wide = Score((part_of("C5+C3:w E5+G2:w", "Keys", "Acoustic Grand Piano"),))
    score = join_keyboard_staves(notated_from_score(hands_on_staves(wide)))
    assert [len(part.staves) for part in score.parts] == [2]
    assert bar_texts(score) == [(1, "RH C5:w; LH C3:w"), (2, "RH E5:w; LH G2:w")]
    narrow = Score((part_of("C5:w E5:w", "Keys", "Acoustic Grand Piano"),))
    assert len(join_keyboard_staves(notated_from_score(hands_on_staves(narrow))).parts[0].staves) == 1


def test_a_voice_beside_others_stays_on_one_staff() -> None:
    """Chorales of the library have pianos as instruments, and an alto may go from A3 to B4."""

    def staves(*parts: str, split: int | None = None) -> list[int]:
        score = Score(
            tuple(part_of(notes, f"Voice {number}", "Acoustic Grand Piano") for number, notes in enumerate(parts))
        )
        return [
            len(part.staves) for part in join_keyboard_staves(notated_from_score(hands_on_staves(score, split))).parts
        ]

    alto = "G#3:q E4:q B4:h"
    assert staves("C5:w", alto) == [1, 1]
    assert staves(alto) == staves(alto, split=60) == [2]
    assert staves("C5:w", alto, split=60) == [1, 2]
    assert staves("C5:w", "G#3+E4:h B4:h") == staves("C5:w", "G2:q E4:q B4:h") == [1, 2]


def test_tablature_has_the_same_notes() -> None:
    score = notated(part_of("E2:q B3+E4:q G3:q E4:q", "Guitar", "Acoustic Guitar (nylon)"))
    made = with_tablature(score, TabOptions())
    text = write_musicxml(made.score)
    assert made.warnings == [] and text.count("<fret>") == 5 and "<staff-lines>6</staff-lines>" in text
    open_strings = {1: 64, 2: 59, 3: 55, 4: 50, 5: 45, 6: 40}
    places = re.findall(r"<string>(\d)</string><fret>(\d+)</fret>", text)
    assert [open_strings[int(string)] + int(fret) for string, fret in places] == [40, 59, 64, 55, 64]
    assert our_notes(read_musicxml(text)[0]) == our_notes(score.to_score())


def test_notes_out_of_range_are_named() -> None:
    made = with_tablature(notated(part_of("C1:q E4:q", "Guitar", "Acoustic Guitar (nylon)")), TabOptions())
    assert "C1" in made.warnings[0] and (Fraction(0), "(C1)") in made.score.note_words


def test_bars_are_chosen() -> None:
    score = notated(part_of("C4:w D4:hd E4:5/2 F4:hd G4:q G4:h", "Flute", "Flute"))
    chosen = choose_bars(score, 2, 3)
    assert [number for number, _ in bar_texts(chosen)] == [2, 3]
    assert bar_texts(chosen)[0] == bar_texts(score)[1]
    text = write_musicxml(chosen)
    assert re.findall(r'<measure number="(\d)"', text) == ["2", "3"]
    final = "light-heavy"
    assert final not in text, "the piece goes on"
    assert final in write_musicxml(score) and final in write_musicxml(choose_bars(score, 4, 4))


def test_lyrics_follow_the_notes() -> None:
    score = with_lyrics(notated(part_of("C4:q D4:q E4:q F4:q")), "O-ver_ you")
    found = [[lyric.text for lyric in chord.lyrics] for chord in score.parts[0].chords]
    assert found == [["O"], ["ver"], [], ["you"]]


def test_voices_that_do_not_overlap_are_one() -> None:
    staff = NotatedStaff(((chord("0", "1", "C5"), chord("2", "1", "E5")), (chord("1", "1", "D5"),)))
    score = with_tidy_voices(NotatedScore((NotatedPart("x", (staff,)),)))
    assert [text for _, text in bar_texts(score)] == ["C5:q D5:q E5:q R:q"]


def test_swing_is_written_straight() -> None:
    staff = NotatedStaff(((chord("0", "2/3", "C5"),), (chord("1/2", "1/3", "D5"),)))
    score = NotatedScore((NotatedPart("x", (staff,)),), tempo_words=((Fraction(0), "Swing"),))
    assert bar_texts(with_tidy_voices(with_straight_lengths(score)))[0][1] == "C5:e D5:e R:q R:h"


def test_chords_stay_in_their_voices() -> None:
    staff = NotatedStaff(
        ((chord("0", "2", "C5"), chord("2", "2", "F4 D5")), (chord("0", "1", "E4"), chord("1", "1", "F4")))
    )
    tidy = with_tidy_voices(NotatedScore((NotatedPart("x", (staff,)),)))
    assert [text for _, text in bar_texts(tidy)] == ["C5:h D5:h / E4:q F4:q F4:h"]


def test_the_higher_voice_comes_first_where_voices_overlap() -> None:
    crossed = NotatedStaff(
        ((chord("0", "1", "E4"), chord("2", "1", "G4")), (chord("1/2", "1/2", "C5"), chord("2", "1/2", "C4")))
    )
    (part,) = with_tidy_voices(NotatedScore((NotatedPart("p", (crossed,)),))).parts
    upper, lower = ([one.pitches[0].name for one in voice] for voice in part.staves[0].voices)
    assert (upper, lower) == (["C5", "G4"], ["E4", "C4"])


def test_notes_that_end_a_little_early_have_no_rest() -> None:
    def lengths(*chords: NotatedChord) -> list[Fraction]:
        (part,) = with_closed_gaps(NotatedScore((NotatedPart("p", (NotatedStaff((chords,)),)),))).parts
        return [one.duration for one in part.chords]

    short = [chord("0", "31/32", "C4"), chord("1", "7/16", "D4"), chord("3/2", "93/32", "E4")]
    assert lengths(*short) == [1, Fraction(1, 2), 3]
    rests = [chord("0", "1/2", "C4"), chord("1", "2/3", "D4"), chord("3", "3/4", "D4"), chord("4", "7/8", "E4")]
    assert lengths(*rests) == [one.duration for one in rests]


def test_grace_notes_have_accidentals() -> None:
    staff = NotatedStaff(((chord("0", "4", "G4", grace_notes=(GraceNote((Pitch.parse("F#4"),)),)),),))
    text = write_musicxml(NotatedScore((NotatedPart("p", (staff,)),)))
    assert re.findall(r"<grace.*?</note>", text)[0].count("<accidental>sharp</accidental>") == 1


def test_octaves_stay_at_concert_pitch() -> None:
    def written(instrument: str) -> str:
        score = notated(part_of("C4:w", instrument, instrument))
        concert = replace(score, parts=tuple(replace(part, is_concert=True) for part in score.parts))
        return "".join(re.findall(r"<step>(\w)</step><octave>(\d)", write_musicxml(concert))[0])

    assert (written("Clarinet"), written("Contrabass"), written("Piccolo")) == ("C4", "C5", "C3")
