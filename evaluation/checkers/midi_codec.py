"""Check that the MIDI codec either rejects an input clearly or reads it correctly.

A file is read correctly if:

- a summary and paired notes can be made
- the events of each track are in order, and the end of the track is its last event
- writing and reading the file again gives the same file, from the original bytes of the tracks and from their events
- a file written from events causes no warning about its tracks
- mido finds the same channel messages at the same ticks, if it can open the file and we read it without a warning
"""

import io
from dataclasses import replace

import mido

from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
from consort_music.midi.writer import write_midi


def check(data: bytes, with_mido: bool = True) -> str:
    """Return "rejected", "read" or "warned" (read with warnings). Raise AssertionError if the codec is wrong."""
    try:
        file = read_midi(data)
    except MusicError as error:
        assert error.code == "INVALID_MIDI" and error.message, error
        return "rejected"
    summary = summarize(file)
    assert len(summary.tracks) == len(file.tracks)
    assert summary.duration_ms >= 0
    notes = 0
    for index, track in enumerate(file.tracks):
        ticks = [tick for tick, _, _ in track]
        assert ticks == sorted(ticks)
        assert [place for place, event in enumerate(track) if event[1:] == (META, END_OF_TRACK)] == [len(track) - 1]
        paired = pair_notes(track, index).notes
        assert all(note.start <= note.end for note in paired)
        notes += len(paired)
    assert summary.note_count == notes
    _check_round_trip(file)
    if with_mido and not file.warnings:
        theirs = _mido_messages(data)
        ours = [[event for event in track if event[1] < 0xF0] for track in file.tracks]
        assert theirs is None or theirs == ours, "mido finds other messages"
    return "warned" if file.warnings else "read"


def _check_round_trip(file: MidiFile) -> None:
    written = write_midi(file)
    back = read_midi(written)
    if file.format == 0 and len(file.tracks) > 1:
        file = replace(file, format=1)  # a type 0 file has one track
    assert replace(back, warnings=file.warnings) == file
    assert write_midi(back) == written
    rewritten = write_midi(replace(file, tracks=[list(track) for track in file.tracks]))
    clean = read_midi(rewritten)
    assert replace(clean, warnings=file.warnings) == file
    about_tracks = [warning for warning in clean.warnings if warning.startswith("Track")]
    assert all("system messages" in warning for warning in about_tracks), about_tracks
    assert write_midi(clean) == rewritten


def _mido_messages(data: bytes) -> list[list[Event]] | None:
    """Return the channel messages of each track as mido reads them, or None if mido cannot open the file."""
    try:
        file = mido.MidiFile(file=io.BytesIO(data))
    except Exception:  # mido raises many kinds of errors for damaged files
        return None
    tracks = []
    for track in file.tracks:
        tick = 0
        events: list[Event] = []
        for message in track:
            tick += message.time
            raw = bytes(message.bytes())
            if raw[0] < 0xF0:
                events.append((tick, raw[0], raw[1:]))
        tracks.append(events)
    return tracks
