"""Performances are read as scores: beats, metre, rhythm, hands, voices, keys, ornaments, swing and corrections."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument
from consort_music.keys import parse_key
from consort_music.metre import Metre
from consort_music.midi.model import META, META_KEY_SIGNATURE, Event, MidiFile
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.performance_to_score import ReadingOptions, read_performance
from consort_music.notation.performance_to_score.reading import GIVEN, LED_BY_FILE, TRACKED
from consort_music.notation.to_midi import score_to_midi
from consort_music.notation.writing.notated_score import STACCATO, NotatedScore, notated_from_score
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.score import Note

PIANO, VIOLIN = INSTRUMENTS[0], INSTRUMENTS[40]
MARCH = "C4:q G4:q E4:e F4:e G4:q A4:e B4:e C5:q G4:h F4:q D4:e E4:e F4:q D4:q E4:e D4:e C4:q C4:h "
WALTZ_RIGHT = "E5:hd D5:q E5 F5 G5:hd E5:h C5:q D5:hd B4:q C5 D5 C5:hd C5:hd "
WALTZ_LEFT = "C3:q G3 G3 B2:q G3 G3 C3:q G3 G3 C3:q G3 G3 G2:q F3 F3 G2:q F3 F3 C3:q G3 E3 C3:hd "
JIG = "G4:q A4:e B4:e A4:e G4:e E4:e G4:e A4:e B4:q A4:e G4:q B4:e D5:q B4:e A4:q B4:e G4:qd "


def played(
    lines: list[tuple[str, Instrument]],
    seconds: float = 0.5,
    jitter: float = 0.012,
    drift: float = 0.03,
    held: float = 0.9,
    held_shortly: int = 1,
) -> MidiFile:
    """Return note lists as a free performance: the file's own beats (120 bpm) mean nothing.

    Notes are held this part of their length: every note, or only one of `held_shortly`.
    """
    clock = _clock(seconds, drift)
    rng = random.Random(4)
    tracks = []
    for number, (text, instrument) in enumerate(lines):
        notes = []
        for index, note in enumerate(parse_note_list(text).parts[0].notes):
            start = clock(note.start) + rng.gauss(0, jitter)
            share = Fraction(held if index % held_shortly == 0 else 0.9)
            end = max(start + 0.05, clock(note.start + note.duration * share) + rng.gauss(0, jitter))
            notes.append(SequenceNote(note.midi, note.velocity, _ticks(start), _ticks(end) - _ticks(start)))
        tracks.append(SequenceTrack(f"part {number}", instrument, notes))
    return sequence_to_midi(NoteSequence(tempos=[(Fraction(0), Fraction(120))], tracks=tracks), 480)


def _clock(seconds: float, drift: float) -> Callable[[Fraction], float]:
    def clock(moment: Fraction) -> float:
        at = float(moment)
        return 0.731 + seconds * (at + drift * (math.sin(0.3 * at + 1) - math.sin(1)) / 0.3)

    return clock


def _ticks(seconds: float) -> Fraction:
    return Fraction(round(seconds * 960), 480)


def _on_one_channel(*files: MidiFile) -> list[Event]:
    events = [event for file in files for track in file.tracks for event in track if 0x80 <= event[1] <= 0x9F]
    return sorted((tick, status & 0xF0, data) for tick, status, data in events)


def rhythm(score: NotatedScore, part: int = 0) -> list[tuple[Fraction, Fraction, int]]:
    """Return start since the first note, length and pitch."""
    notes = score.to_score().parts[part].notes
    return [(note.start - notes[0].start, note.duration, note.midi) for note in notes]


def written(text: str) -> list[tuple[Fraction, Fraction, int]]:
    return [(note.start, note.duration, note.midi) for note in parse_note_list(text).parts[0].notes]


def test_a_free_performance_gets_its_rhythm_from_the_notes() -> None:
    reading = read_performance(played([(MARCH * 2, VIOLIN)], seconds=0.57))
    assert reading.beats_from == TRACKED
    assert rhythm(reading.score) == written(MARCH * 2)
    assert reading.score.metres == ((Fraction(0), Metre(4, 4)),)
    assert abs(float(reading.score.tempos[0][1]) - 60 / 0.57) < 8
    assert [key.name for _, key in reading.score.keys] == ["C major"]


def test_a_waltz_is_in_three() -> None:
    reading = read_performance(played([(WALTZ_RIGHT * 2, PIANO), (WALTZ_LEFT * 2, PIANO)], seconds=0.42))
    assert reading.score.metres[0][1] == Metre(3, 4)
    assert rhythm(reading.score, 1) == written(WALTZ_LEFT * 2)
    assert len(reading.downbeat_times) >= 15


def test_no_beat_is_lost_where_the_tempo_drifts_slowly() -> None:
    reading = read_performance(played([(MARCH * 8, VIOLIN)], jitter=0.02, drift=0.05))
    assert [start for start, _, _ in rhythm(reading.score)] == [start for start, _, _ in written(MARCH * 8)]


def test_beats_divided_by_three_make_a_compound_metre() -> None:
    score = read_performance(played([(JIG * 3, VIOLIN)], seconds=0.44)).score
    assert score.metres[0][1].is_compound
    assert rhythm(score) == written(JIG * 3)


def test_the_pedal_tells_where_bars_begin() -> None:
    """Notes that are all alike have no bars, but a pedal that is lifted on every third beat marks them."""
    plain = played([("C4:q " * 120, PIANO)], jitter=0.0, drift=0.0)
    beats = tuple(0.731 + 0.5 * beat for beat in range(121))
    pedal = [
        (round(960 * beats[beat]) + tick, 0xB0, bytes([64, value]))
        for beat in range(0, 120, 3)
        for tick, value in ((20, 0), (60, 127))
    ]
    track = sorted([*_on_one_channel(plain), *pedal], key=lambda event: event[0])
    reading = read_performance(MidiFile(1, 480, [track]), ReadingOptions(beat_times=beats))
    assert reading.score.metres[0][1] == Metre(3, 4)
    assert [round(time, 2) for time in reading.downbeat_times[:3]] == [round(beats[beat], 2) for beat in (0, 3, 6)]


def test_beats_near_the_files_own_are_used() -> None:
    rng = random.Random(1)
    notes = [
        SequenceNote(note.midi, 80, max(note.start + Fraction(rng.randint(-9, 9), 480), Fraction(0)), note.duration)
        for note in parse_note_list(MARCH * 2).parts[0].notes
    ]
    track = SequenceTrack("a", VIOLIN, notes)
    sequence = NoteSequence(tempos=[(Fraction(0), Fraction(96))], time_signatures=[(Fraction(0), 4, 4)], tracks=[track])
    reading = read_performance(sequence_to_midi(sequence, 480))
    assert reading.beats_from == LED_BY_FILE
    assert [(start, pitch) for start, _, pitch in rhythm(reading.score)] == [(s, p) for s, _, p in written(MARCH * 2)]
    assert reading.score.tempos == ((Fraction(0), Fraction(96)),)


def test_a_file_with_note_values_stays_exact() -> None:
    score = parse_note_list(MARCH + "C5:e3 D5:e3 E5:e3 F5:s G5:s A5:s B5:s C6:h")
    reading = read_performance(score_to_midi(score))
    assert rhythm(reading.score) == [(note.start, note.duration, note.midi) for note in score.parts[0].notes]
    assert all(confidence > 0.9 for _, confidence in reading.score.bar_confidences)


def test_short_notes_are_staccato_and_keep_their_values() -> None:
    score = read_performance(played([(MARCH * 2, VIOLIN)], held=0.3)).score
    (voice,) = score.parts[0].staves[0].voices
    quarters = [chord for chord in voice if chord.duration == 1]
    assert len(quarters) >= 8
    assert all(STACCATO in chord.articulations for chord in quarters[:-1])


def test_a_single_short_note_has_no_staccato_dot() -> None:
    score = read_performance(played([(MARCH * 2, VIOLIN)], held=0.3, held_shortly=5)).score
    assert not any(STACCATO in chord.articulations for chord in score.parts[0].chords)


def test_a_keyboard_part_is_divided_between_two_staves() -> None:
    both = played([(WALTZ_RIGHT * 2, PIANO), (WALTZ_LEFT * 2, PIANO)], seconds=0.42)
    notes = _on_one_channel(both)
    score = read_performance(MidiFile(1, 480, [notes])).score
    right, left = score.parts[0].staves
    assert (right.clef, left.clef) == ("treble", "bass")
    assert min(pitch.midi for voice in right.voices for chord in voice for pitch in chord.pitches) >= 71
    assert max(pitch.midi for voice in left.voices for chord in voice for pitch in chord.pitches) <= 57
    split = read_performance(MidiFile(1, 480, [notes]), ReadingOptions(split_pitch=50)).score
    lowest = split.parts[0].staves[1]
    assert max(pitch.midi for voice in lowest.voices for chord in voice for pitch in chord.pitches) < 50


def test_held_notes_are_in_a_second_voice() -> None:
    file = played([(WALTZ_RIGHT * 2, VIOLIN)], seconds=0.42)
    under = played([("C4:hd " * 16, VIOLIN)], seconds=0.42)
    notes = _on_one_channel(file, under)
    score = read_performance(MidiFile(1, 480, [notes])).score
    upper, lower = score.parts[0].staves[0].voices
    assert {pitch.midi for chord in lower for pitch in chord.pitches} == {60}
    assert all(before.end <= after.start for voice in (upper, lower) for before, after in pairwise(voice))
    one = read_performance(MidiFile(1, 480, [notes]), ReadingOptions(voices_per_staff=1)).score
    assert len(one.parts[0].staves[0].voices) == 1


def test_rests_beside_a_second_voice_are_left_out() -> None:
    long = played([("C5:q E5:q G5:q C6:q " * 8, VIOLIN)])
    under = played([("R:q G4:h R:q " * 8, VIOLIN)])
    score = read_performance(MidiFile(1, 480, [_on_one_channel(long, under)])).score
    assert len(score.parts[0].staves[0].voices) == 2
    text = write_musicxml(score)
    second = [line for line in text.splitlines() if "<voice>2</voice>" in line]
    assert any("<pitch>" in line for line in second)
    assert not any("<rest" in line for line in second)
    assert read_musicxml(text)[0].note_count == score.to_score().note_count


def test_swing_is_written_straight() -> None:
    swung = "C4:q3 E4:e3 G4:q3 E4:e3 A4:q3 G4:e3 E4:q3 C4:e3 D4:q3 F4:e3 A4:q3 F4:e3 C4:h " * 3
    score = read_performance(played([(swung, VIOLIN)], jitter=0.006)).score
    assert [word for _, word in score.tempo_words] == ["Swing"]
    assert {chord.start.denominator for chord in score.parts[0].chords} <= {1, 2}
    as_triplets = read_performance(played([(swung, VIOLIN)], jitter=0.006), ReadingOptions(swing=False)).score
    assert as_triplets.tempo_words == ()
    assert as_triplets.metres == ((Fraction(0), Metre(12, 8)),)


def test_a_grace_note_and_an_arpeggio_do_not_disturb_the_rhythm() -> None:
    file = played([(MARCH * 2, VIOLIN)], jitter=0.004)
    (track,) = [track for track in file.tracks if any(0x90 <= event[1] <= 0x9F for event in track)]
    main = next(event for event in track if 0x90 <= event[1] <= 0x9F and event[2][0] == 69 and event[2][1])
    early = main[0] - 55
    rolled = max(event[0] for event in track) + 240
    extra = [(early, 0x90, bytes([71, 70])), (main[0] + 2, 0x80, bytes([71, 64]))]
    extra += [(rolled + 45 * step, 0x90, bytes([60 + 5 * step, 70])) for step in range(4)]
    extra += [(rolled + 1500, 0x80, bytes([60 + 5 * step, 64])) for step in range(4)]
    events = sorted([*(event for event in track if 0x80 <= event[1] <= 0x9F), *extra], key=lambda event: event[0])
    score = read_performance(MidiFile(1, 480, [events])).score
    chords = score.parts[0].chords
    assert [grace.pitches[0].midi for chord in chords for grace in chord.grace_notes] == [71]
    assert next(chord for chord in chords if chord.grace_notes).pitches[0].midi == 69
    (last,) = [chord for chord in chords if chord.is_arpeggio]
    assert [pitch.midi for pitch in last.pitches] == [60, 65, 70, 75]


def test_corrections_are_followed() -> None:
    file = played([(MARCH * 2, VIOLIN)], seconds=0.57)
    told = ReadingOptions(metre=Metre(3, 4), key=parse_key("A minor"), pickup=Fraction(1))
    score = read_performance(file, told).score
    assert (score.metres[0][1], score.pickup) == (Metre(3, 4), Fraction(1))
    assert [key.name for _, key in score.keys] == ["A minor"]
    clock = _clock(0.57, 0.03)
    beats = tuple(clock(Fraction(beat)) for beat in range(0, 33, 2))
    reading = read_performance(file, ReadingOptions(metre=Metre(2, 4), beat_times=beats))
    assert reading.beats_from == GIVEN
    assert rhythm(reading.score)[0][1] == Fraction(1, 2), "a beat lasts twice as long as without the correction"
    coarse = read_performance(file, ReadingOptions(finest_grid=1)).score
    assert {chord.start.denominator for chord in coarse.parts[0].chords} <= {1, 3}


def test_a_change_of_key_and_chromatic_notes_are_spelled() -> None:
    sharp = "E4:q F#4 G#4 A4 B4 C#5 D#5 E5 " * 10
    flat = "Eb4:q F4 G4 Ab4 Bb4 C5 D5 Eb5 " * 10
    score = read_performance(played([(sharp + flat, VIOLIN)])).score
    assert [key.sharps for _, key in score.keys] == [4, -3]
    names = [chord.pitches[0].name for chord in score.parts[0].chords]
    assert names[1] == "F#4" and names[-4] == "Bb4"
    leading = read_performance(played([("C4:q C#4 D4 E4 G4 F#4 G4 C5 B4 Bb4 A4 F4 E4 D4 C4:h " * 3, VIOLIN)])).score
    assert [chord.pitches[0].name for chord in leading.parts[0].chords][:11] == (
        ["C4", "C#4", "D4", "E4", "G4", "F#4", "G4", "C5", "B4", "Bb4", "A4"]
    )


def test_keys_of_the_file_are_kept_at_their_bars() -> None:
    """The beats of the file mean nothing, but its key signatures do: a change goes to the nearest bar line."""
    plain = played([(MARCH * 2, VIOLIN)])
    half = plain.tracks[-1][len(plain.tracks[-1]) // 2][0]
    signs = [(0, META, bytes([META_KEY_SIGNATURE, 0xFF, 0])), (half, META, bytes([META_KEY_SIGNATURE, 2, 0]))]
    keyed = replace(plain, tracks=[sorted([*plain.tracks[0], *signs], key=lambda event: event[0]), *plain.tracks[1:]])
    score = read_performance(keyed).score
    assert [key.name for _, key in score.keys] == ["F major", "D major"]
    assert all(at in {bar.start for bar in score.bars} for at, _ in score.keys)


@pytest.mark.parametrize(("sharps", "key"), [(0, "Eb major"), (2, "D major")])
def test_only_the_default_key_of_programs_is_doubted(sharps: int, key: str) -> None:
    tune = "Eb4:q G4:e Ab4:e Bb4:q Eb5:q C5:q Ab4:q Bb4:h G4:q F4:e Eb4:e F4:q D4:q Eb4:w " * 2
    plain = played([(tune, VIOLIN)])
    sign = (0, META, bytes([META_KEY_SIGNATURE, sharps, 0]))
    score = read_performance(replace(plain, tracks=[[sign, *plain.tracks[0]], *plain.tracks[1:]])).score
    assert [key.name for _, key in score.keys] == [key]


def test_where_a_note_is_as_often_natural_as_flat_no_sign_is_written() -> None:
    tune = "C5:q A4:q F4:q A4:q Bb4:q A4:q G4:h F4:q A4:q C5:q D5:q C5:q B4:q C5:h " * 2
    score = read_performance(played([(tune, VIOLIN)]), ReadingOptions(metre=Metre(4, 4), bpm=120)).score
    assert [key.sharps for _, key in score.keys] == [0]


def test_drums_are_short_and_have_a_percussion_staff() -> None:
    notes = [
        SequenceNote(36 if beat % 2 == 0 else 38, 90, _ticks(0.3 + 0.55 * beat), Fraction(1, 12)) for beat in range(16)
    ]
    file = sequence_to_midi(NoteSequence(tracks=[SequenceTrack("kit", DRUMS, notes)]), 480)
    part = read_performance(file).score.parts[0]
    assert part.is_drums and part.staves[0].clef == "percussion"
    assert all(chord.duration <= 1 and not chord.articulations for chord in part.chords)


@pytest.mark.parametrize("text", ["C4:q", "C4+E4+G4:w", "C4:q C4:q"])
def test_hardly_any_notes_are_written_too(text: str) -> None:
    score = read_performance(played([(text, PIANO)])).score
    assert sorted(pitch.midi for chord in score.parts[0].chords for pitch in chord.pitches) == sorted(
        note.midi for note in parse_note_list(text).parts[0].notes
    )


def test_a_long_pause_does_not_end_the_tracking() -> None:
    before, after = played([(MARCH, VIOLIN)]), played([(MARCH, VIOLIN)])
    later = [(tick + 40 * 960, status, data) for tick, status, data in _on_one_channel(after)]
    score = read_performance(MidiFile(1, 480, [[*_on_one_channel(before), *later]])).score
    notes = rhythm(score)
    half = len(notes) // 2
    assert notes[:half] == written(MARCH)
    assert [(start - notes[half][0], pitch) for start, _, pitch in notes[half:]] == [
        (s, p) for s, _, p in written(MARCH)
    ]


def test_a_file_of_many_hours_is_rejected() -> None:
    events = [(0, 0x90, bytes([60, 64])), (10**9, 0x80, bytes([60, 64]))]
    with pytest.raises(MusicError, match="hours"):
        read_performance(MidiFile(1, 480, [events]))


def test_uncertain_bars_say_what_else_they_could_be() -> None:
    text = "C4:q D4:q " + "E4:e F4:e " * 2 + MARCH * 2
    file = played([(text, VIOLIN)], jitter=0.045)
    score = read_performance(file).score
    confidences = [confidence for _, confidence in score.bar_confidences]
    assert len(confidences) == len(score.bars)
    assert all(0 <= confidence <= 1 for confidence in confidences)
    steady = read_performance(played([(text, VIOLIN)], jitter=0.004)).score
    assert sum(confidences) / len(confidences) < sum(c for _, c in steady.bar_confidences) / len(steady.bar_confidences)
    assert all(alternative.description for alternative in score.bar_alternatives)


def test_a_score_and_its_notated_form_are_the_same_music() -> None:
    score = parse_note_list('"a" C4+E4:h G4:q R:q\n"b" C3:w')
    notated = notated_from_score(score)
    assert notated.to_score() == score
    assert notated.bars == score.bars
    assert [Note(c.start, c.duration, c.pitches[0]).midi for c in notated.parts[1].chords] == [48]
