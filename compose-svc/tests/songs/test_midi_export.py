"""The MIDI file of a song as mido and music21 read it, and its import as a song."""

import io
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import mido
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.songs.document.song import Section, Song, SongNote, Track, ValueChange, sorted_notes
from consort_compose.songs.midi.export_midi import song_to_midi
from consort_compose.songs.midi.import_midi import song_from_midi
from consort_compose.songs.notes.note_text import read_note_text
from consort_music.errors import MusicError
from consort_music.midi.model import META, MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi

F = Fraction
SONG = Song(
    "Rain",
    tempo=90,
    key="Dm",
    tracks=(
        Track(1, "Lead", 73, volume=100, pan=20),
        Track(2, "Bass", 32),
        Track(5, "Kit", None, volume=80),
    ),
    sections=(
        Section("Verse", 1, 2),
        Section("Waltz", 3, 4, key="F# dorian", tempo=132.5, time_signature="3/4"),
        Section("End", 6, 6, key="C"),
    ),
    next_track=6,
)
NOTES = {
    1: read_note_text("D4 1; E4 @1+2/3 1/3; F4 @2 6 v90; A4 @20 1").notes,
    2: read_note_text("D2 1/2 x4").notes,
    5: read_note_text("[kick; snare] x2").notes,
}


def events(content: bytes) -> list[list[tuple[int, Any]]]:
    """Return the messages of each track with absolute ticks."""
    found = []
    for track in mido.MidiFile(file=io.BytesIO(content)).tracks:
        tick, messages = 0, []
        for message in track:
            tick += message.time
            messages.append((tick, message))
        found.append(messages)
    return found


def test_mido_reads_every_tick_channel_program_tempo_signature_and_marker() -> None:
    content, warnings = song_to_midi(SONG, NOTES)
    assert warnings == []
    file = mido.MidiFile(file=io.BytesIO(content))
    assert (file.type, file.ticks_per_beat) == (1, 480)
    conductor, lead, bass, kit = events(content)
    metas = [(tick, message) for tick, message in conductor if message.type != "end_of_track"]
    assert [(t, m.name) for t, m in metas if m.type == "track_name"] == [(0, "Rain")]
    assert [(t, m.tempo) for t, m in metas if m.type == "set_tempo"] == [
        (0, 666_667),
        (8 * 480, round(60e6 / 132.5)),
        (14 * 480, 666_667),
    ]
    assert [(t, m.numerator, m.denominator) for t, m in metas if m.type == "time_signature"] == [
        (0, 4, 4),
        (8 * 480, 3, 4),
        (14 * 480, 4, 4),
    ]
    assert [(t, m.key) for t, m in metas if m.type == "key_signature"] == [
        (0, "Dm"),
        (8 * 480, "C#m"),  # four sharps and minor: the signature nearest to F# dorian
        (14 * 480, "Dm"),
        (18 * 480, "C"),
    ]
    assert [(t, m.text) for t, m in metas if m.type == "marker"] == [
        (0, "Verse"),
        (8 * 480, "Waltz"),
        (18 * 480, "End"),
    ]
    assert [(t, m.type, m.note) for t, m in lead if m.type in ("note_on", "note_off")] == [
        (0, "note_on", 62),
        (480, "note_off", 62),
        (800, "note_on", 64),
        (960, "note_off", 64),
        (960, "note_on", 65),
        (8 * 480, "note_off", 65),
        (20 * 480, "note_on", 69),
        (21 * 480, "note_off", 69),
    ]
    assert [(m.control, m.value) for _, m in lead if m.type == "control_change"] == [(7, 100), (10, 20)]
    assert [(m.program, m.channel) for _, m in lead if m.type == "program_change"] == [(73, 0)]
    assert [(m.program, m.channel) for _, m in bass if m.type == "program_change"] == [(32, 1)]
    assert {m.channel for _, m in kit if not m.is_meta} == {9} and [
        (m.control, m.value) for _, m in kit if m.type == "control_change"
    ] == [(7, 80)]
    assert [m.velocity for _, m in lead if m.type == "note_on"] == [64, 64, 90, 90]


def test_music21_reads_the_same() -> None:
    from music21 import converter, instrument, key, meter, tempo  # slow to import

    content, _ = song_to_midi(SONG, NOTES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "song.mid"
        path.write_bytes(content)
        score: Any = converter.parse(path, quantizePost=False, forceSource=True)
    parts = {part.partName: part for part in score.parts}
    assert {"Lead", "Bass"} <= set(parts)
    lead = parts["Lead"]
    heard = [(F(str(note.offset)).limit_denominator(960), note.pitch.midi) for note in lead.stripTies().flatten().notes]
    assert heard == [(0, 62), (F(5, 3), 64), (2, 65), (20, 69)]
    assert {each.midiProgram for each in lead.flatten().getElementsByClass(instrument.Instrument)} == {73}
    flat = score.flatten()
    assert {(float(s.offset), s.ratioString) for s in flat.getElementsByClass(meter.TimeSignature)} >= {
        (0.0, "4/4"),
        (8.0, "3/4"),
        (14.0, "4/4"),
    }
    assert {(float(m.offset), round(m.number, 1)) for m in flat.getElementsByClass(tempo.MetronomeMark)} >= {
        (0.0, 90.0),
        (8.0, 132.5),
    }
    assert (0.0, -1) in {(float(k.offset), k.sharps) for k in flat.getElementsByClass(key.KeySignature)}


@pytest.mark.parametrize(
    ("notes", "beats"), [("C4 1/4", 3), ("C4 3", 3), ("C4 @3 1", 6), ("C4 @6 1/2", 10), ("C4 @10 4", 14)]
)
def test_file_ends_on_a_bar_line(notes: str, beats: int) -> None:
    song = Song("Loop", tracks=SONG.tracks, sections=(Section("Waltz", 1, 2, time_signature="3/4"),))
    content, _ = song_to_midi(song, {1: read_note_text(notes).notes})
    assert max(messages[-1][0] for messages in events(content)) == beats * 480


def test_3000_triplets_end_on_the_exact_tick() -> None:
    as_text = read_note_text("; ".join(f"C4 @{n}/3 1/3" for n in range(3000))).notes
    in_a_row = read_note_text("[C4 1/3 x1000] x3").notes
    assert as_text == in_a_row
    content, _ = song_to_midi(Song("T", tracks=(Track(1, "A", 0),)), {1: in_a_row})
    offs = [tick for tick, message in events(content)[1] if message.type == "note_off"]
    assert offs == [160 * n for n in range(1, 3001)] and offs[-1] == 1000 * 480


def test_repeated_notes_all_sound() -> None:
    """Each note-off comes before the next note-on, so every note is paired with its own end."""
    notes = read_note_text("C4 1/4 x64").notes
    content, warnings = song_to_midi(Song("T", tracks=(Track(1, "A", 0),)), {1: notes})
    assert not warnings
    paired = pair_notes(read_midi(content).tracks[1])
    assert paired.orphan_offs == paired.hanging == 0
    assert [(note.start, note.end) for note in paired.notes] == [(120 * n, 120 * n + 120) for n in range(64)]
    sounding: set[int] = set()
    struck = 0
    for message in mido.MidiFile(file=io.BytesIO(content)).tracks[1]:  # as a synthesizer plays it: one voice per key
        if message.type == "note_on":
            assert message.note not in sounding
            sounding.add(message.note)
            struck += 1
        elif message.type == "note_off":
            sounding.remove(message.note)
    assert struck == 64 and not sounding


def test_notes_of_one_pitch_may_overlap() -> None:
    written = read_note_text("D4 4; C4 @0 2; C4 @1 2; C4 @1 2 v100; C4 @1 3").notes
    content, warnings = song_to_midi(Song("T", tracks=(Track(1, "A", 0),)), {1: sorted_notes(written)})
    assert warnings == [] and song_from_midi(content).notes == {1: sorted_notes(written)}


def test_warning_about_notes_inside_a_longer_note_of_their_pitch() -> None:
    written = sorted_notes(read_note_text("C4 4 v90; C4 @1 1; C4 @2 1; D4 @0 4; D4 @1 4").notes)
    content, warnings = song_to_midi(Song("T", tracks=(Track(1, "A", 0),)), {1: written})
    assert warnings == [
        "Track 'A' has 2 notes inside a longer one of the same pitch, and a MIDI file ends the earlier note first."
        " Shorten the longer one, or use two tracks."
    ]
    assert song_from_midi(content).notes == {1: with_ends_in_order_of_starts(written)} and with_ends_in_order_of_starts(
        written
    )[0] == SongNote(F(0), 60, F(2), 90)


def with_ends_in_order_of_starts(notes: list[SongNote]) -> list[SongNote]:
    """Return the notes as a MIDI reader pairs them: notes of one pitch end in the order in which they start."""
    paired: list[SongNote] = []
    for pitch in {note.pitch for note in notes}:
        same = sorted((note for note in notes if note.pitch == pitch), key=lambda n: (n.start, n.duration, n.velocity))
        ends = sorted(note.end for note in same)
        paired += [note._replace(duration=end - note.start) for note, end in zip(same, ends, strict=True)]
    return sorted_notes(paired)


def test_tracks_that_sound_alike_share_channels() -> None:
    tracks = tuple(Track(n, f"T{n}", n % 5, pan=n % 2 * 100) for n in range(1, 31))
    content, warnings = song_to_midi(Song("T", tracks=tracks), {n: [SongNote(F(0), 60, F(1))] for n in range(1, 31)})
    assert not warnings
    used = [next(m.channel for _, m in track if m.type == "note_on") for track in events(content)[1:]]
    by_channel: dict[int, set[tuple[int | None, int | None]]] = {}
    for channel, track in zip(used, tracks, strict=True):
        by_channel.setdefault(channel, set()).add((track.program, track.pan))
    assert 9 not in by_channel and all(len(sounds) == 1 for sounds in by_channel.values())


def test_more_than_15_instruments_take_turns_or_are_rejected() -> None:
    song = Song("T", tracks=tuple(Track(n, f"T{n}", n) for n in range(1, 41)))
    in_turn = {n: [SongNote(F(n // 10 * 4 + beat), 60 + n, F(1)) for beat in range(4)] for n in range(1, 41)}
    content, warnings = song_to_midi(song, in_turn)
    assert warnings == ["The song has more than 15 tracks; some share a channel, with one volume and pan."]
    again = song_from_midi(content)
    assert [(track.name, track.program, track.program_changes) for track in again.song.tracks] == [
        (track.name, track.program, ()) for track in song.tracks
    ]
    assert again.notes == in_turn
    together = {n: [SongNote(F(0), 60, F(1))] for n in range(1, 41)}
    with pytest.raises(MusicError, match="15 channels"):
        song_to_midi(song, together)


def test_exported_file_imports_as_the_same_song() -> None:
    content, _ = song_to_midi(SONG, NOTES)
    imported = song_from_midi(content)
    song = imported.song
    assert imported.warnings == []
    assert (song.title, song.tempo, song.time_signature, song.key) == ("Rain", 90, "4/4", "D minor")
    assert [(t.name, t.program, t.volume, t.pan) for t in song.tracks] == [
        ("Lead", 73, 100, 20),
        ("Bass", 32, None, None),
        ("Kit", None, 80, None),
    ]
    assert [(s.name, s.start_measure, s.tempo, s.time_signature, s.key) for s in song.sections] == [
        ("Verse", 1, None, None, None),
        ("Waltz", 3, 132.5, "3/4", "C# minor"),
        ("Part 3", 5, None, None, None),
        ("End", 6, None, None, "C major"),
    ]
    assert list(imported.notes.values()) == [sorted_notes(notes) for notes in NOTES.values()]
    again, _ = song_to_midi(song, imported.notes)
    assert [each for each in events(again)[1:]] == [each for each in events(content)[1:]]


notes = st.builds(
    SongNote,
    st.builds(Fraction, st.integers(0, 400), st.sampled_from([1, 2, 3, 4, 5, 16])),
    st.integers(30, 60),
    st.builds(Fraction, st.integers(1, 20), st.sampled_from([1, 2, 3, 4, 5, 16])),
    st.integers(1, 127),
)


@settings(max_examples=50)
@given(st.lists(st.lists(notes, min_size=1, max_size=30), min_size=1, max_size=4))
def test_exported_notes_are_the_notes_of_the_song(parts: list[list[SongNote]]) -> None:
    """All denominators divide 480, so ticks are exact."""
    tracks = tuple(Track(n, f"T{n}", n) for n in range(1, len(parts) + 1))
    heard = {n: with_ends_in_order_of_starts(part) for n, part in enumerate(parts, 1)}
    content, _ = song_to_midi(Song("T", tracks=tracks), {n: sorted_notes(part) for n, part in enumerate(parts, 1)})
    assert song_from_midi(content).notes == {n: sorted_notes(part) for n, part in heard.items()}


def test_tempo_changes_are_kept_at_any_beat() -> None:
    file = mido.MidiFile()
    track = mido.MidiTrack()
    for number in range(10):
        track.append(mido.MetaMessage("set_tempo", tempo=500_000 + number, time=0 if number == 0 else 101))
    track.append(mido.Message("note_on", note=60, velocity=70))
    track.append(mido.Message("note_off", note=60, time=4800))
    track.append(mido.MetaMessage("set_tempo", tempo=400_000))
    file.tracks.append(track)
    out = io.BytesIO()
    file.save(file=out)
    imported = song_from_midi(out.getvalue())
    assert imported.song.tempo == 120 and imported.song.sections == ()
    assert [change.start for change in imported.song.tempo_changes] == [F(101 * n, 480) for n in range(1, 10)]
    assert imported.warnings == ["1 tempo change after the last note was left out."]
    again, _ = song_to_midi(imported.song, imported.notes)
    assert [(tick, m.tempo) for tick, m in events(again)[0] if m.type == "set_tempo"] == [
        (101 * n, 500_000 + n) for n in range(10)
    ]


def smf(*events: tuple[int, int, bytes], format_: int = 1) -> bytes:
    return write_midi(MidiFile(format_, 480, [[*events, (events[-1][0], META, b"\x2f")]] * max(format_, 1)))


def test_metre_of_a_later_bar_does_not_hold_from_the_start() -> None:
    waltz = (16 * 480, META, b"\x58\x03\x02\x18\x08")
    imported = song_from_midi(smf((0, 0x90, b"\x3c\x40"), waltz, (30 * 480, 0x80, b"\x3c\x40")))
    assert imported.song.time_signature == "4/4" and imported.warnings == []
    assert [(s.start_measure, s.time_signature) for s in imported.song.sections] == [(5, "3/4")]


def test_warning_lists_what_a_song_cannot_hold() -> None:
    content = smf(
        (0, 0xC0, b"\x04"),
        (0, 0xB0, b"\x07\x50"),
        (0, 0xB0, b"\x40\x7f"),
        (0, 0xE0, b"\x00\x50"),
        (0, 0x90, b"\x3c\x40"),
        (480, 0x80, b"\x3c\x40"),
        (480, 0xB0, b"\x07\x40"),
        (480, 0xC0, b"\x28"),
        (480, 0x90, b"\x3e\x40"),
        (480, 0x80, b"\x3e\x40"),
        (480, META, b"\x05la"),
        (480, 0xF0, b"\x01\xf7"),
        (4800, META, b"\x06End"),
    )
    imported = song_from_midi(content)
    assert imported.song.tracks[0] == Track(1, "Track 0", 4, volume=80, program_changes=(ValueChange(F(1), 40),))
    assert imported.warnings == [
        "Left out, because a song cannot hold them: 2 controller changes, 1 pitch bend, 1 text or lyric event, 1 "
        "system exclusive message.",
        "1 note of zero length was made one tick long.",
        "1 marker after the last note was left out.",
    ]


def test_warnings_about_tempos_and_metres_that_a_song_cannot_have() -> None:
    imported = song_from_midi(
        smf(
            (0, META, b"\x51\x00\x01\x00"),
            (0, META, b"\x58\x0d\x06\x18\x08"),
            (0, 0x90, b"\x3c\x40"),
            (9, 0x80, b"\x3c\0"),
        )
    )
    assert (imported.song.tempo, imported.song.time_signature) == (1000, "4/4")
    assert imported.warnings == [
        "1 tempo outside 4 to 1000 BPM was set to the nearest.",
        "1 time signature that a song cannot have was left out.",
    ]


def test_type_2_file_is_rejected() -> None:
    with pytest.raises(MusicError, match="Split it by track"):
        song_from_midi(smf((0, 0x90, b"\x3c\x40"), (9, 0x80, b"\x3c\x40"), format_=2))


def test_empty_bars_between_sections_have_the_songs_tempo_and_metre() -> None:
    song = Song(
        "T",
        tempo=60,
        tracks=(Track(1, "Lead", 73),),
        sections=(Section("A", 1, 1, tempo=90, time_signature="3/4"), Section("B", 3, 3, tempo=90)),
    )
    content, _ = song_to_midi(song, {1: [SongNote(F(0), 60, F(1))]})
    conductor = events(content)[0]
    assert [(tick, m.tempo) for tick, m in conductor if m.type == "set_tempo"] == [
        (0, 666_667),
        (3 * 480, 1_000_000),
        (7 * 480, 666_667),
    ]
    assert [(tick, m.numerator) for tick, m in conductor if m.type == "time_signature"] == [(0, 3), (3 * 480, 4)]


def test_warning_about_a_key_without_a_signature() -> None:
    _, warnings = song_to_midi(Song("T", key="G# major", sections=(Section("A", 1, 1, key="D# major"),)), {})
    assert warnings == [
        "No key signature was written for 'T': MIDI has none for G# major.",
        "No key signature was written for 'A': MIDI has none for D# major.",
    ]
