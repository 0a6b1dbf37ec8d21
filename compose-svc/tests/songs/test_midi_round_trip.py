"""MIDI file to song and back: notes and tempos stay exact for all kinds of files. mido reads both files.

`consort bench exchange` measures the same on the MIDI files of a folder.
"""

import io
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import mido
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_compose.songs.document.song import Song, SongNote, Track, sorted_notes
from consort_compose.songs.midi.export_midi import song_to_midi
from consort_compose.songs.midi.import_midi import song_from_midi
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_music.midi.writer import write_midi
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.to_midi import score_to_midi
from evaluation.checkers.midi_parts import parts_of, tempo_map
from tests.support.imports import HEAVY_PACKAGES, modules_loaded_by

F = Fraction
Event = tuple[int, Any]


def smf(*tracks: list[Event], ppq: int = 480, type_: int = 1) -> bytes:
    """Return a MIDI file of messages with absolute ticks. Messages on one tick keep their order."""
    file = mido.MidiFile(type=type_, ticks_per_beat=ppq)
    for events in tracks:
        track, before = mido.MidiTrack(), 0
        for tick, message in sorted(events, key=lambda event: event[0]):
            track.append(message.copy(time=tick - before))
            before = tick
        file.tracks.append(track)
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue()


def note(start: int, end: int, pitch: int = 60, velocity: int = 80, channel: int = 0) -> list[Event]:
    on = mido.Message("note_on", note=pitch, velocity=velocity, channel=channel)
    return [(start, on), (end, mido.Message("note_off", note=pitch, velocity=64, channel=channel))]


def program(tick: int, number: int, channel: int = 0) -> Event:
    return tick, mido.Message("program_change", program=number, channel=channel)


def name(text: str) -> Event:
    return 0, mido.MetaMessage("track_name", name=text)


def tempo(tick: int, microseconds: int) -> Event:
    return tick, mido.MetaMessage("set_tempo", tempo=microseconds)


def metre(tick: int, upper: int, lower: int) -> Event:
    return tick, mido.MetaMessage("time_signature", numerator=upper, denominator=lower)


def round_trip(content: bytes) -> tuple[bytes, list[str]]:
    imported = song_from_midi(content)
    stored = Song.from_document(imported.song.document())
    assert stored == imported.song
    again, warnings = song_to_midi(stored, imported.notes)
    return again, [*imported.warnings, *warnings]


def odd_resolution(ppq: int) -> bytes:
    random = Random(ppq)
    starts = [random.randrange(40 * ppq) for _ in range(60)]
    return smf([event for at in starts for event in note(at, at + random.randrange(1, 3 * ppq), 40 + at % 40)], ppq=ppq)


def unisons() -> bytes:
    """Return two voices on one staff, as notation programs write them: half of the notes start with an equal note."""
    return smf([event for n in range(50) for event in (*note(n * 480, n * 480 + 480), *note(n * 480, n * 480 + 960))])


def overlapping() -> bytes:
    return smf([event for n in range(50) for event in note(n * 100, n * 100 + 750 + n % 7, velocity=n + 1)])


def no_length() -> bytes:
    return smf([*note(0, 0), *note(0, 480), *note(480, 480), *note(481, 500)])


def program_changes() -> bytes:
    """Return a file with program changes in mid-track, back and forth, in a separate track, and before any note."""
    setup = [
        program(0, 40),
        program(0, 5, 1),
        program(960, 41),
        program(1440, 40),
        program(9, 8, 9),
        program(700, 25, 9),
    ]
    tracks = [[event for n in range(8) for event in note(n * 240, n * 240 + 200, 50 + n, channel=ch)] for ch in (0, 9)]
    return smf(setup, *tracks, [*note(0, 99, channel=2), program(300, 11, 2), *note(400, 500, channel=2)])


def one_track_with_all_channels() -> bytes:
    channels = [
        (program(0, 3 * ch, ch), *note(ch * 7, 900, 60, 10 + ch, ch), *note(960, 1000, 61, 9, ch)) for ch in range(16)
    ]
    return smf([event for events in channels for event in events], type_=0)


def equal_names() -> bytes:
    return smf(*([name("Piano"), *note(0, 480, 60 + n)] for n in range(5)))


def forty_tracks_of_forty_instruments() -> bytes:
    """Return 40 tracks on 15 channels; the tracks of a channel follow each other with different instruments."""
    tracks = []
    for n in range(40):
        channel = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15)[n % 15]
        begin = n // 15 * 9600
        tracks.append(
            [
                program(begin, n, channel),
                *(e for k in range(9) for e in note(begin + k * 480, begin + k * 480 + 400, 40 + n, channel=channel)),
            ]
        )
    return smf(*tracks)


def tempo_off_the_bar_lines() -> bytes:
    tempos = [tempo(0, 600_000), *(tempo(137 * n, 500_000 + 997 * n) for n in range(1, 60))]
    return smf([*tempos, metre(0, 3, 4)], [e for n in range(40) for e in note(n * 480, n * 480 + 240)])


def metre_inside_a_bar() -> bytes:
    return smf([metre(0, 4, 4), metre(960, 3, 4), metre(960 + 1440 + 77, 4, 4)], note(0, 9600))


def notes_that_hang() -> bytes:
    hanging = (0, mido.Message("note_on", note=70, velocity=50))
    return smf([hanging, *note(0, 480), (1920, mido.MetaMessage("marker", text="end"))])


FILES: dict[str, Callable[[], bytes]] = {
    **{f"ppq {ppq}": partial(odd_resolution, ppq) for ppq in (1, 24, 96, 100, 120, 192, 220, 384, 480, 960, 1024)},
    **{f"ppq {ppq}": partial(odd_resolution, ppq) for ppq in (10080, 15360, 25000, 32767)},
    "unisons": unisons,
    "overlapping": overlapping,
    "no length": no_length,
    "program changes": program_changes,
    "type 0": one_track_with_all_channels,
    "equal names": equal_names,
    "forty instruments": forty_tracks_of_forty_instruments,
    "tempo": tempo_off_the_bar_lines,
    "metre inside a bar": metre_inside_a_bar,
    "hanging": notes_that_hang,
    "one pattern of type 2": lambda: smf(note(0, 480), type_=2),
    "no note": lambda: smf([name("Silence")]),
}


@pytest.mark.parametrize("kind", FILES)
def test_notes_and_tempos_are_exact_after_a_round_trip(kind: str) -> None:
    content = FILES[kind]()
    again, _ = round_trip(content)
    assert parts_of(again) == parts_of(content)
    assert tempo_map(again) == tempo_map(content)


channels = st.sampled_from([0, 1, 9])
random_notes = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 90), st.integers(60, 62), st.integers(1, 127), channels),
    min_size=1,
    max_size=30,
)
random_programs = st.lists(st.tuples(st.integers(0, 250), st.integers(0, 127), channels), max_size=8)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(random_notes, random_programs), min_size=1, max_size=4),
    st.sampled_from([1, 7, 24, 96, 120, 480, 1000, 15360]),
    st.lists(st.tuples(st.integers(1, 200), st.integers(60_000, 9_000_000)), max_size=8),
)
def test_random_files_are_exact_after_a_round_trip(tracks: list[Any], ppq: int, tempos: list[tuple[int, int]]) -> None:
    content = smf(
        [tempo(*each) for each in tempos],
        *(
            [
                *(program(*change) for change in programs),
                *(e for at, length, pitch, loud, ch in notes for e in note(at, at + length, pitch, loud, ch)),
                (300, mido.MetaMessage("text", text="end")),
            ]
            for notes, programs in tracks
        ),
        ppq=ppq,
    )
    again, _ = round_trip(content)
    assert parts_of(again) == parts_of(content)
    end = max(note.start + note.duration for part in parts_of(content) for note in part)
    assert tempo_map(again) == [change for change in tempo_map(content) if change[0] < end]


def test_resolution_is_480_if_that_is_exact() -> None:
    for ppq, expected in ((96, 480), (480, 480), (384, 1920), (1024, 15360), (25000, 25000)):
        content = smf([e for n in range(1, 9) for e in note(n, n + 1)], ppq=ppq)
        assert mido.MidiFile(file=io.BytesIO(round_trip(content)[0])).ticks_per_beat == expected
    on_eighths = smf([e for n in range(9) for e in note(n * 512, n * 512 + 512)], ppq=1024)
    assert mido.MidiFile(file=io.BytesIO(round_trip(on_eighths)[0])).ticks_per_beat == 480


def test_warning_counts_notes_between_ticks() -> None:
    primes = (2, 3, 5, 7, 11, 13, 17, 19)
    notes = [SongNote(F(n), 60, F(1)) for n in range(9)] + [
        SongNote(F(1, prime) + 20, 60 + prime, F(1)) for prime in primes
    ]
    content, warnings = song_to_midi(Song("T", tracks=(Track(1, "A", 0),)), {1: sorted_notes(notes)})
    resolution = mido.MidiFile(file=io.BytesIO(content)).ticks_per_beat
    inexact = [note for note in notes if resolution % note.start.denominator]
    assert 0 < len(inexact) < 4
    assert warnings == [f"{len(inexact)} notes between ticks were moved by at most 1/{2 * resolution} of a beat."]


def test_warnings_name_what_was_changed_or_left_out() -> None:
    assert song_from_midi(FILES["no length"]()).warnings == ["2 notes of zero length were made one tick long."]
    assert song_from_midi(FILES["hanging"]()).warnings[0] == "1 note without a note-off was ended with the track."
    assert "1 metre change inside a bar was left out." in song_from_midi(metre_inside_a_bar()).warnings
    pedal = (0, mido.Message("control_change", control=64, value=127))
    bend = (0, mido.Message("pitchwheel", pitch=77))
    off = (9, mido.Message("note_off", note=60, velocity=33))
    content = smf([pedal, bend, *note(0, 5), (5, mido.Message("note_on", note=60, velocity=1)), off])
    assert song_from_midi(content).warnings == [
        "Left out, because a song cannot hold them: 1 controller change, 1 pitch bend, 1 release velocity."
    ]


def test_metre_change_inside_a_bar_ends_the_bar() -> None:
    song = song_from_midi(metre_inside_a_bar()).song
    assert [(s.start_measure, s.end_measure, s.time_signature) for s in song.sections] == [
        (1, 1, "2/4"),
        (2, 7, "3/4"),
    ]


def test_smpte_and_type_2_files_are_rejected() -> None:
    content = bytearray(smf(note(0, 480)))
    content[12:14] = bytes([256 - 25, 40])
    with pytest.raises(MusicError, match="SMPTE"):
        song_from_midi(bytes(content))
    with pytest.raises(MusicError, match="Split it by track"):
        song_from_midi(smf(note(0, 480), note(0, 480), type_=2))


@pytest.mark.parametrize(
    ("signature", "warnings"),
    [
        ("C major", ["The key signature says C major, but the notes sound like D major."]),
        ("D major", []),
        (None, []),
    ],
)
def test_contradicted_key_signature_is_kept_with_a_warning(signature: str | None, warnings: list[str]) -> None:
    tune = parse_note_list("D4:q F#4 A4 D5 B4 G4 A4 F#4 E4 C#4 E4 A4 D4:w")
    keys = ((Fraction(0), parse_key(signature)),) if signature else ()
    imported = song_from_midi(write_midi(score_to_midi(replace(tune, keys=keys))))
    assert imported.song.key == signature
    assert [warning.split(" To change")[0] for warning in imported.warnings] == warnings


def test_child_process_imports_no_service_packages() -> None:
    """Large files are imported in a child process, whose start should be quick."""
    loaded = modules_loaded_by("consort_compose.songs.midi.import_midi")
    assert "consort_music.midi.reader" in loaded
    assert HEAVY_PACKAGES.isdisjoint(loaded) and "consort_kit" not in loaded
