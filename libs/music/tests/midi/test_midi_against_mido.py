"""Our reader and mido find the same events, tempos and lengths, in files that mido wrote and in real ones."""

import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import mido
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.midi.model import Event
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.summary import summarize
from consort_music.midi.writer import write_midi
from tests.support.midi_files import real_files

LIMITS = ReaderLimits(max_seconds=10**9)  # the slowest tempos with the longest gaps are years of music

_BYTE = st.integers(0, 127)
_CHANNEL = st.integers(0, 15)
_TEXT = st.text(st.characters(max_codepoint=255), max_size=12)


def _message(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[mido.Message]:
    return st.builds(mido.Message, st.just(kind), channel=_CHANNEL, **fields)


def _meta(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[mido.MetaMessage]:
    return st.builds(mido.MetaMessage, st.just(kind), **fields)


_MESSAGES = st.one_of(
    _message("note_on", note=_BYTE, velocity=_BYTE),
    _message("note_on", note=_BYTE, velocity=st.integers(1, 127)),
    _message("note_off", note=_BYTE, velocity=_BYTE),
    _message("polytouch", note=_BYTE, value=_BYTE),
    _message("control_change", control=_BYTE, value=_BYTE),
    _message("program_change", program=_BYTE),
    _message("aftertouch", value=_BYTE),
    _message("pitchwheel", pitch=st.integers(-8192, 8191)),
    st.builds(mido.Message, st.just("sysex"), data=st.lists(_BYTE, max_size=200)),
    _meta("set_tempo", tempo=st.integers(1, 2**24 - 1)),
    _meta("time_signature", numerator=st.integers(1, 255), denominator=st.sampled_from([1, 2, 4, 8, 16, 64])),
    _meta("key_signature", key=st.sampled_from(["C", "F#m", "Bb", "Ebm"])),
    _meta("track_name", name=_TEXT),
    _meta("lyrics", text=_TEXT),
    _meta("marker", text=_TEXT),
    _meta("midi_port", port=_BYTE),
    _meta("sequencer_specific", data=st.lists(st.integers(0, 255), max_size=150)),
)
_DELTAS = st.one_of(st.just(0), st.integers(0, 2000), st.integers(0, 40_000))
_TIMED = st.builds(lambda message, delta: message.copy(time=delta), _MESSAGES, _DELTAS)


@st.composite
def midi_files(draw: st.DrawFn) -> mido.MidiFile:
    file = mido.MidiFile(type=1, ticks_per_beat=draw(st.integers(1, 0x7FFF)))
    for messages in draw(st.lists(st.lists(_TIMED, max_size=25), min_size=1, max_size=4)):
        file.tracks.append(mido.MidiTrack(messages))
    if len(file.tracks) == 1 and draw(st.booleans()):
        file.type = 0
    return file


def saved(file: mido.MidiFile) -> bytes:
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


def expected_events(track: mido.MidiTrack) -> list[Event]:
    tick, events = 0, []
    for message in track:
        tick += message.time
        raw = bytes(message.bytes())
        if message.is_meta:
            length_bytes = 1 if len(raw) < 3 + 128 else 2
            events.append((tick, 0xFF, raw[1:2] + raw[2 + length_bytes :]))
        else:
            events.append((tick, raw[0], raw[1:]))
    return events


@settings(max_examples=80, deadline=None)
@given(midi_files())
def test_same_events_as_mido(file: mido.MidiFile) -> None:
    data = saved(file)
    ours = read_midi(data, LIMITS)
    theirs = mido.MidiFile(file=io.BytesIO(data))
    assert (ours.format, ours.ppq, ours.warnings) == (theirs.type, theirs.ticks_per_beat, [])
    assert ours.tracks == [tuple(expected_events(track)) for track in theirs.tracks]


def test_there_are_real_files() -> None:
    assert len([path for path in real_files() if not read_midi(path.read_bytes()).warnings]) > 20


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_same_events_as_mido_in_real_files_also_after_writing(path: Path) -> None:
    ours = read_midi(path.read_bytes())
    theirs = mido.MidiFile(path)
    assert (ours.format, ours.ppq) == (theirs.type, theirs.ticks_per_beat)
    known = ours.tracks[: len(theirs.tracks)]  # one file has one track more than its header says, which mido leaves out
    assert known == [tuple(expected_events(track)) for track in theirs.tracks]
    assert [each for each in ours.warnings if "header announces" in each] == ours.warnings[
        : len(ours.tracks) - len(known)
    ]
    if not ours.warnings:
        assert write_midi(ours) == path.read_bytes()
    rewritten = write_midi(replace(ours, tracks=[list(track) for track in ours.tracks]))
    assert read_midi(rewritten).tracks == ours.tracks
    assert mido.MidiFile(file=io.BytesIO(rewritten)).tracks[: len(known)] == theirs.tracks


@pytest.mark.parametrize("path", real_files(), ids=lambda path: path.name)
def test_same_length_tempo_and_notes_as_mido_in_real_files(path: Path) -> None:
    _same_summary(path.read_bytes())


@settings(max_examples=60, deadline=None)
@given(midi_files())
def test_same_length_tempo_and_notes_as_mido(file: mido.MidiFile) -> None:
    _same_summary(saved(file))


def _same_summary(data: bytes) -> None:
    summary = summarize(read_midi(data, LIMITS))
    theirs = mido.MidiFile(file=io.BytesIO(data))
    # mido adds floats message by message; half a millisecond is our rounding
    assert summary.duration_ms == pytest.approx(theirs.length * 1000, rel=1e-9, abs=0.501)
    sounding = [
        [message for message in track if message.type == "note_on" and message.velocity] for track in theirs.tracks
    ]
    counts = [track.note_count for track in summary.tracks]
    assert counts[: len(sounding)] == [len(notes) for notes in sounding] and not any(counts[len(sounding) :])
    melodic = [message.note for notes in sounding for message in notes if message.channel != 9]
    assert (summary.note_range and (summary.note_range.lowest, summary.note_range.highest)) == (
        (min(melodic), max(melodic)) if melodic else None
    )

    tick, tempos = 0, {0: 120.0}
    for message in mido.merge_tracks(theirs.tracks):
        tick += message.time
        if message.type == "set_tempo":
            tempos[tick] = mido.tempo2bpm(message.tempo)
    changes = [(0, 0.0), *tempos.items()]
    tempos = {tick: bpm for (_, before), (tick, bpm) in pairwise(changes) if bpm != before}
    assert [change.tick for change in summary.tempo_map] == list(tempos)
    assert [change.bpm for change in summary.tempo_map] == pytest.approx(list(tempos.values()), abs=0.001)
    assert [change.beat for change in summary.tempo_map] == [tick / theirs.ticks_per_beat for tick in tempos]
