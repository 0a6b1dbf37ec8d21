"""From MIDI text to a file and back, with mido reading the file in between."""

import io
from fractions import Fraction

import mido
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS, find_instrument
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.from_midi_file import sequence_from_midi
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.to_midi_file import sequence_to_midi

notes = st.builds(
    SequenceNote,
    st.integers(0, 127),
    st.integers(1, 127),
    st.builds(Fraction, st.integers(0, 2000), st.sampled_from([1, 3, 4, 7, 32])),
    st.builds(Fraction, st.integers(1, 100), st.sampled_from([1, 3, 4, 7, 32])),
)


def without_overlaps(track: SequenceTrack) -> SequenceTrack:
    """Remove overlaps of one pitch, which a MIDI file cannot distinguish, and sort by time, as a file does."""
    kept: list[SequenceNote] = []
    ends: dict[int, Fraction] = {}
    for note in sorted(track.notes, key=lambda each: (each.start, each.pitch)):
        if note.start >= ends.get(note.pitch, Fraction(0)):
            kept.append(note)
            ends[note.pitch] = note.start + note.duration
    return SequenceTrack(track.name, track.instrument, kept)


tracks = st.builds(
    SequenceTrack,
    st.text("abcXYZ äé", min_size=1, max_size=12).filter(lambda name: " ".join(name.split()) == name),
    st.sampled_from([*INSTRUMENTS[:20], DRUMS]),
    st.lists(notes, min_size=1, max_size=20),
).map(without_overlaps)


@given(st.lists(tracks, min_size=1, max_size=4))
def test_text_becomes_a_file_and_the_same_text_again(tracks: list[SequenceTrack]) -> None:
    music = NoteSequence([(Fraction(0), Fraction(120))], [(Fraction(0), 3, 4)], tracks)
    file = read_midi(write_midi(sequence_to_midi(music)))
    assert not file.warnings
    found = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    found.sort(key=lambda note: (note.track, note.start, note.pitch))
    assert sequence_from_midi(file, found) == music


def test_mido_reads_the_same_notes() -> None:
    text = "tempo 100\ntime 6/8\ntrack Bass cello\nC2 90 0 1+2/3\nC2 70 1+2/3 1/3\ntrack Kit drums\n36 100\n"
    file = mido.MidiFile(file=io.BytesIO(write_midi(sequence_to_midi(read_midi_text(text).music))))
    assert file.type == 1 and file.ticks_per_beat == 480
    conductor, bass, kit = file.tracks
    assert conductor[0].tempo == 600_000 and (conductor[1].numerator, conductor[1].denominator) == (6, 8)
    assert [(m.type, m.time) for m in bass if not m.is_meta] == [
        ("program_change", 0),
        ("note_on", 0),
        ("note_off", 800),
        ("note_on", 0),
        ("note_off", 160),
    ]
    assert bass[1].program == find_instrument("cello").program
    assert {m.channel for m in kit if not m.is_meta} == {9}


def test_3000_triplets_end_on_the_exact_tick() -> None:
    text = "tempo 120\n" + "\n".join(f"C4 80 {index}/3 1/3" for index in range(3000))
    file = sequence_to_midi(read_midi_text(text).music)
    assert file.tracks[1][-2][0] == 1000 * 480


def test_many_tracks_share_channels_and_too_many_instruments_are_rejected() -> None:
    lines = [f"track T{index} {INSTRUMENTS[index % 3].name}\nC4 80" for index in range(30)]
    file = sequence_to_midi(read_midi_text("tempo 120\n" + "\n".join(lines)).music)
    assert len({event[1] & 15 for track in file.tracks for event in track if event[1] < 0xF0}) == 3
    lines = [f"track T{index} {INSTRUMENTS[index].name}\nC4 80" for index in range(16)]
    with pytest.raises(MusicError, match="15 channels"):
        sequence_to_midi(read_midi_text("tempo 120\n" + "\n".join(lines)).music)


@pytest.mark.parametrize(
    ("beat", "ppq"), [("1/3", 480), ("1/7", 3360), ("1/32767", 32767), ("1/127", 508), ("1/32768", 480)]
)
def test_beats_are_exact_where_a_file_can_hold_them(beat: str, ppq: int) -> None:
    assert sequence_to_midi(read_midi_text(f"tempo 120\nC4 80 {beat} 1").music).ppq == ppq
    assert sequence_to_midi(read_midi_text(f"tempo 120\ntempo 90 {beat}\nC4 80 0 1").music).ppq == ppq


def test_notes_of_one_pitch_that_start_together_keep_their_lengths() -> None:
    file = sequence_to_midi(read_midi_text("tempo 120\nC4 80 0 2\nC4 60 0 1").music)
    found = {(note.velocity, note.end) for note in pair_notes(file.tracks[1]).notes}
    assert found == {(80, 960), (60, 480)}


def test_notes_of_zero_length_and_names_in_old_encodings() -> None:
    """Notes of zero length last one tick, and names in old encodings are read."""
    events = [(0, 0xFF, b"\x03Fl\xf6te"), (0, 0x90, b"\x3c\x40"), (0, 0x80, b"\x3c\x40"), (9, 0xFF, b"\x2f")]
    file = MidiFile(1, 480, [events])
    (track,) = sequence_from_midi(file, pair_notes(events).notes).tracks
    assert track.name == "Flöte"
    assert track.notes == [SequenceNote(60, 64, Fraction(0), Fraction(1, 480))]
