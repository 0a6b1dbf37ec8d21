"""Summaries of files made with mido."""

import io
from collections.abc import Sequence

import mido
import pytest

from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import Event, MidiFile
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import (
    KeySignatureEvent,
    MidiSummary,
    PitchRange,
    TempoEvent,
    TimeSignatureEvent,
    summarize,
)

Message = mido.Message
Meta = mido.MetaMessage


def summary_of(*tracks: Sequence[mido.Message], type: int = 1, ppq: int = 480) -> MidiSummary:
    file = mido.MidiFile(type=type, ticks_per_beat=ppq)
    file.tracks.extend(mido.MidiTrack(track) for track in tracks)
    buffer = io.BytesIO()
    file.save(file=buffer)
    return summarize(read_midi(buffer.getvalue()))


def raw_summary(body: bytes, division: bytes = b"\x01\xe0", max_items: int = 500) -> MidiSummary:
    data = b"MThd\x00\x00\x00\x06\x00\x00\x00\x01" + division + b"MTrk" + len(body).to_bytes(4, "big") + body
    return summarize(read_midi(data), max_items)


def note(pitch: int, channel: int = 0, time: int = 480) -> list[mido.Message]:
    return [
        Message("note_on", note=pitch, channel=channel, velocity=80),
        Message("note_on", note=pitch, channel=channel, velocity=0, time=time),
    ]


def test_a_song_of_three_tracks() -> None:
    summary = summary_of(
        [
            Meta("track_name", name="My Song"),
            Meta("set_tempo", tempo=500_000),
            Meta("time_signature", numerator=6, denominator=8),
            Meta("key_signature", key="F#m"),
            Meta("set_tempo", tempo=1_000_000, time=480),
        ],
        [Meta("track_name", name="Lead"), Message("program_change", program=65), *note(60), *note(72)],
        [Message("program_change", channel=9, program=3), *note(36, channel=9)],
    )
    assert (summary.format, summary.ppq, summary.note_count) == (1, 480, 3)
    assert summary.duration_ms == 1500  # a beat at 120 bpm, a beat at 60
    assert summary.tempo_map == [TempoEvent(0, 0.0, 120.0), TempoEvent(480, 1.0, 60.0)]
    assert summary.time_signatures == [TimeSignatureEvent(0, 0.0, 6, 8)]
    assert summary.key_signatures == [KeySignatureEvent(0, 0.0, "F# minor")]
    assert summary.note_range == PitchRange(60, "C4", 72, "C5")
    assert [track.name for track in summary.tracks] == ["My Song", "Lead", None]
    assert [track.instruments for track in summary.tracks] == [[], ["Alto Sax"], ["Drums"]]
    assert [track.channels for track in summary.tracks] == [[], [1], [10]]
    assert [track.note_count for track in summary.tracks] == [0, 2, 1]
    assert (summary.warnings, summary.omitted) == ([], {})


def test_a_file_without_tempo_and_program_is_piano_at_120() -> None:
    summary = summary_of(note(60), ppq=96)
    assert summary.tempo_map == [TempoEvent(0, 0.0, 120.0)]
    assert summary.tracks[0].instruments == ["Acoustic Grand Piano"]
    assert summary.duration_ms == 2500


def test_drums_have_no_pitch_range() -> None:
    assert summary_of(note(36, channel=9)).note_range is None
    assert summary_of([*note(36, channel=9), *note(61)]).note_range == PitchRange(61, "C#4", 61, "C#4")


def test_program_changes_in_another_track_are_used() -> None:
    summary = summary_of([Message("program_change", channel=2, program=40)], note(60, channel=2))
    assert summary.tracks[1].instruments == ["Violin"]


def test_only_instruments_with_notes_are_listed() -> None:
    summary = summary_of(
        [
            *note(60),
            Message("program_change", program=1),
            Message("program_change", program=73),
            *note(60),
            Message("program_change", program=40),
            *note(60),
            Message("program_change", program=41),
        ]
    )
    assert summary.tracks[0].instruments == ["Acoustic Grand Piano", "Flute", "Violin"]


def test_a_type_2_file_is_as_long_as_its_longest_track() -> None:
    quick = [Meta("set_tempo", tempo=250_000), Message("program_change", program=40), *note(60, time=1920)]
    slow = [Meta("set_tempo", tempo=2_000_000), *note(62, time=960)]
    summary = summary_of(quick, slow, type=2)
    assert summary.duration_ms == 4000
    assert summary.tempo_map == [TempoEvent(0, 0.0, 30.0)]
    assert [track.instruments for track in summary.tracks] == [["Violin"], ["Acoustic Grand Piano"]]
    assert "track 1" in summary.warnings[0]


@pytest.mark.parametrize(("division", "duration_ms"), [(b"\xe7\x28", 500), (b"\xe3\x64", 167), (b"\xe8\x04", 5208)])
def test_smpte_time_ignores_tempo(division: bytes, duration_ms: int) -> None:
    summary = raw_summary(
        b"\x00\xff\x51\x03\x01\x00\x00\x00\xff\x59\x02\x00\x00\x83\x74\xff\x2f\x00", division=division
    )
    assert (summary.ppq, summary.tempo_map, summary.duration_ms) == (None, [], duration_ms)
    assert summary.key_signatures == [KeySignatureEvent(0, None, "C major")]


def test_invalid_meta_events_are_counted_and_ignored() -> None:
    summary = raw_summary(
        b"\x00\xff\x51\x02\x07\xa1"  # tempo of two bytes
        b"\x00\xff\x51\x03\x00\x00\x00"  # tempo zero: time would not advance
        b"\x00\xff\x58\x04\x04\xff\x18\x08"  # 4/2**255
        b"\x00\xff\x58\x04\x00\x02\x18\x08"  # 0/4
        b"\x00\xff\x59\x02\x63\x07"  # 99 sharps in mode 7
        b"\x00\xff\x59\x00"
        b"\x87\x40\xff\x2f\x00"
    )
    assert (summary.time_signatures, summary.key_signatures) == ([], [])
    assert (summary.tempo_map, summary.duration_ms) == ([TempoEvent(0, 0.0, 120.0)], 1000)
    assert summary.warnings == [
        "2 tempo events without a usable value were ignored.",
        "2 time signatures without a usable value were ignored.",
        "2 key signatures without a usable value were ignored.",
    ]


def test_if_several_are_at_one_tick_the_last_one_is_used() -> None:
    track = [Meta("set_tempo", tempo=400_000), Meta("set_tempo", tempo=300_000), Meta("key_signature", key="D")]
    summary = summary_of(track, track)
    assert summary.tempo_map == [TempoEvent(0, 0.0, 200.0)]
    assert summary.key_signatures == [KeySignatureEvent(0, 0.0, "D major")]


@pytest.mark.parametrize("key", ["C", "Cb", "C#", "Ebm", "Abm", "A#m", "D", "Bb"])
def test_key_names(key: str) -> None:
    name = f"{key[:-1]} minor" if key.endswith("m") else f"{key} major"
    assert summary_of([Meta("key_signature", key=key)]).key_signatures[0].key == name


def test_cut_lists_are_reported() -> None:
    tempos = b"".join(b"\x01\xff\x51\x03" + tempo.to_bytes(3, "big") for tempo in range(300_000, 300_020))
    summary = raw_summary(tempos + b"\x00\xff\x2f\x00", max_items=8)
    assert len(summary.tempo_map) == 8
    assert summary.omitted == {"tempo_map": 13}


def test_notes_without_a_note_off_are_reported_with_their_tracks() -> None:
    end = (96, 0xFF, b"\x2f")
    whole = [(0, 0x90, b"\x3c\x40"), (48, 0x80, b"\x3c\x40"), end]
    hanging = [(0, 0x90, b"\x3c\x40"), (9, 0x90, b"\x3e\x40"), (48, 0x90, b"\x3c\x00"), end]
    assert summarize(MidiFile(1, 96, [whole, hanging])).warnings == [
        "1 note has no note-off and would sound to the end of the track (1 in track 1)."
    ]
    assert summarize(MidiFile(1, 96, [hanging, whole, hanging])).warnings == [
        "2 notes have no note-off and would sound to the end of the track (1 in track 0, 1 in track 2)."
    ]
    off_first = [(0, 0x80, b"\x3c\x40"), (0, 0x90, b"\x3c\x40"), *whole]
    assert summarize(MidiFile(1, 96, [off_first])).warnings == []


def voice(key: bytes, *statuses: int) -> list[Event]:
    """Return a track with a key signature and a note for each note-on status."""
    notes = [event for status in statuses for event in ((0, status, b"\x3c\x40"), (48, status, b"\x3c\x00"))]
    notes.sort(key=lambda event: event[0])
    return [(0, 0xFF, b"\x59" + key), *notes, (48, 0xFF, b"\x2f")]


C, G, D = b"\x00\x00", b"\x01\x00", b"\x02\x00"


@pytest.mark.parametrize(
    ("tracks", "key"),
    [
        ([voice(G), voice(G, 0x90), voice(C, 0x99)], "G major"),
        ([voice(C, 0x99), voice(G, 0x90)], "G major"),
        ([voice(C), voice(G, 0x90), voice(D, 0x91, 0x91)], "D major"),
        ([voice(C), voice(G, 0x90), voice(G, 0x91), voice(D, 0x92, 0x92, 0x92)], "G major"),
        ([voice(G), voice(C, 0x99)], "G major"),
        ([voice(D, 0x99)], "D major"),
        ([[(0, 0xFF, b"\x59" + C), *voice(G, 0x90)]], "G major"),
    ],
    ids=["drums last", "drums first", "most notes", "most tracks", "conductor", "only drums", "twice in a track"],
)
def test_the_key_is_that_of_the_pitched_tracks(tracks: list[list[Event]], key: str) -> None:
    assert [each.key for each in summarize(MidiFile(1, 96, tracks)).key_signatures] == [key]
    assert [(tick, found.name) for tick, found in keys_of(tracks)] == [(0, key)]


def test_a_repeated_tempo_is_not_a_change() -> None:
    tempos = [(0, 500_000), (96, 500_000), (192, 400_000), (192, 500_000), (288, 400_000), (384, 400_000)]
    events = [(tick, 0xFF, b"\x51" + tempo.to_bytes(3, "big")) for tick, tempo in tempos]
    summary = summarize(MidiFile(1, 96, [[*events, (480, 0xFF, b"\x2f")]]))
    assert [(change.tick, change.bpm) for change in summary.tempo_map] == [(0, 120), (288, 150)]
