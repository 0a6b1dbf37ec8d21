"""Random scores, written for engraving, are read by music21 with the same notes, voices, keys and metres."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.score_arranging import hands_on_staves, join_keyboard_staves
from consort_music.notation.writing.instrument_writing import sounding_interval
from consort_music.notation.writing.notated_score import NotatedScore, NotatedStaff, notated_from_score
from consort_music.notation.writing.staff_voices import with_tidy_voices
from consort_music.notation.writing.written_bars import BarWriter, WrittenVoice
from consort_music.score import Part, Score
from consort_music.transposition import transpose_key
from evaluation.checkers.music21_notes import music21_reads
from tests.support.score_strategies import notated_scores

INSTRUMENTS = (None, "Acoustic Grand Piano", "Clarinet", "French Horn", "Contrabass", "Glockenspiel", "Viola")
VoiceNotes = list[tuple[Fraction, tuple[int, ...]]]
"""Start in the bar and sounding pitches of each written note or chord of a voice."""


@st.composite
def engraved_scores(draw: st.DrawFn) -> NotatedScore:
    score: Score = draw(notated_scores())
    instrument = draw(st.sampled_from(INSTRUMENTS))
    parts = [Part.of(part.name, part.notes, instrument) for part in score.parts]
    return with_tidy_voices(join_keyboard_staves(notated_from_score(hands_on_staves(score.with_parts(parts)))))


@settings(max_examples=12)
@given(engraved_scores())
def test_music21_reads_the_same_engraved_score(score: NotatedScore) -> None:
    read = music21_reads(write_musicxml(score), "musicxml")
    written_keys = [
        [transpose_key(key, -sounding_interval(part)).sharps for _, key in score.keys]
        for part in score.parts
        for _ in part.staves
    ]
    found_keys = [[key.sharps for key in part.flatten().getElementsByClass("KeySignature")] for part in read.parts]
    assert found_keys == written_keys
    staves = [staff for part in score.parts for staff in part.staves]
    for part, staff in zip(read.toSoundingPitch().parts, staves, strict=True):
        measures = list(part.getElementsByClass("Measure"))
        assert bar_lines(measures) == [(bar.start, bar.metre.name) for bar in score.bars]
        assert list(map(voices_of, measures)) == expected_voices(score, staff)


def bar_lines(measures: list[Any]) -> list[tuple[Fraction, str]]:
    found, metre = [], ""
    for measure in measures:
        metre = measure.timeSignature.ratioString if measure.timeSignature else metre
        found.append((Fraction(measure.offset), metre))
    return found


def voices_of(measure: Any) -> list[VoiceNotes]:
    return [
        [
            (Fraction(note.offset), tuple(sorted(pitch.midi for pitch in note.pitches)))
            for note in voice.notes
            if "ChordSymbol" not in note.classes
        ]
        for voice in measure.voices or [measure]
    ]


def expected_voices(score: NotatedScore, staff: NotatedStaff) -> list[list[VoiceNotes]]:
    writer = BarWriter(score)
    edges = [writer.ticks(at) for at, _ in score.keys]

    def notes(voice: WrittenVoice, start: int) -> VoiceNotes:
        return [
            (
                Fraction(value.at - start, writer.divisions),
                tuple(sorted(pitch.midi for pitch in value.chord.pitches)),
            )
            for value in voice.values
            if value.chord
        ]

    return [[notes(voice, bar.start) for voice in voices] for bar, voices in writer.staff_bars(staff.voices, edges)]
