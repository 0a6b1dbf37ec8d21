"""From MIDI text to a file and back, and what mido hears in between."""

import io
from fractions import Fraction

import mido
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.instruments import DRUMS, INSTRUMENTS, find_instrument
from consort_music.midi.as_text import text_of
from consort_music.midi.build import build_midi
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from consort_music.midi_text import MidiText, TextNote, TextTrack, read_midi_text

notes = st.builds(
    TextNote,
    st.integers(0, 127),
    st.integers(1, 127),
    st.builds(Fraction, st.integers(0, 2000), st.sampled_from([1, 3, 4, 7, 32])),
    st.builds(Fraction, st.integers(1, 100), st.sampled_from([1, 3, 4, 7, 32])),
)


def without_overlaps(track: TextTrack) -> TextTrack:
    """Notes of one pitch that overlap cannot be told apart in a MIDI file; and a file has them in the order of time."""
    kept: list[TextNote] = []
    ends: dict[int, Fraction] = {}
    for note in sorted(track.notes, key=lambda each: (each.start, each.pitch)):
        if note.start >= ends.get(note.pitch, Fraction(0)):
            kept.append(note)
            ends[note.pitch] = note.start + note.duration
    return TextTrack(track.name, track.instrument, kept)


tracks = st.builds(
    TextTrack,
    st.text("abcXYZ äé", min_size=1, max_size=12).filter(lambda name: " ".join(name.split()) == name),
    st.sampled_from([*INSTRUMENTS[:20], DRUMS]),
    st.lists(notes, min_size=1, max_size=20),
).map(without_overlaps)


@given(st.lists(tracks, min_size=1, max_size=4))
def test_text_becomes_a_file_and_the_same_text_again(tracks: list[TextTrack]) -> None:
    music = MidiText([(Fraction(0), Fraction(120))], [(Fraction(0), 3, 4)], tracks)
    file = read_midi(write_midi(build_midi(music)))
    assert not file.warnings
    found = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    found.sort(key=lambda note: (note.track, note.start, note.pitch))
    assert text_of(file, found) == music


def test_mido_hears_what_was_written() -> None:
    text = "tempo 100\ntime 6/8\ntrack Bass cello\nC2 90 0 1+2/3\nC2 70 1+2/3 1/3\ntrack Kit drums\n36 100\n"
    file = mido.MidiFile(file=io.BytesIO(write_midi(build_midi(read_midi_text(text).text))))
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
    file = build_midi(read_midi_text(text).text)
    assert file.tracks[1][-2][0] == 1000 * 480


def test_many_tracks_share_channels_and_too_many_instruments_are_refused() -> None:
    lines = [f"track T{index} {INSTRUMENTS[index % 3].name}\nC4 80" for index in range(30)]
    file = build_midi(read_midi_text("tempo 120\n" + "\n".join(lines)).text)
    assert len({event[1] & 15 for track in file.tracks for event in track if event[1] < 0xF0}) == 3
    lines = [f"track T{index} {INSTRUMENTS[index].name}\nC4 80" for index in range(16)]
    with pytest.raises(MusicError, match="15 channels"):
        build_midi(read_midi_text("tempo 120\n" + "\n".join(lines)).text)


@pytest.mark.parametrize(
    ("beat", "ppq"), [("1/3", 480), ("1/7", 3360), ("1/32767", 32767), ("1/127", 508), ("1/32768", 480)]
)
def test_beats_are_exact_where_a_file_can_hold_them(beat: str, ppq: int) -> None:
    assert build_midi(read_midi_text(f"tempo 120\nC4 80 {beat} 1").text).ppq == ppq
    assert build_midi(read_midi_text(f"tempo 120\ntempo 90 {beat}\nC4 80 0 1").text).ppq == ppq


def test_notes_of_one_pitch_that_begin_at_once_keep_their_lengths() -> None:
    file = build_midi(read_midi_text("tempo 120\nC4 80 0 2\nC4 60 0 1").text)
    told = {(note.velocity, note.end) for note in pair_notes(file.tracks[1]).notes}
    assert told == {(80, 960), (60, 480)}


def test_what_text_cannot_say_of_a_file() -> None:
    """A note of zero length lasts a tick, and names in old encodings are read."""
    events = [(0, 0xFF, b"\x03Fl\xf6te"), (0, 0x90, b"\x3c\x40"), (0, 0x80, b"\x3c\x40"), (9, 0xFF, b"\x2f")]
    file = MidiFile(1, 480, [events])
    (track,) = text_of(file, pair_notes(events).notes).tracks
    assert track.name == "Flöte"
    assert track.notes == [TextNote(60, 64, Fraction(0), Fraction(1, 480))]
