"""Whatever the bytes: a file or a MusicError, a summary of every file, quickly."""

import io
import random

import mido
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize

HEADER = b"MThd\x00\x00\x00\x06\x00\x01\x00\x02\x01\xe0"


def digest(data: bytes) -> None:
    """Read and summarise; the only exception allowed is the refusal."""
    try:
        file = read_midi(data)
    except MusicError as error:
        assert error.code == "INVALID_MIDI"
        assert error.message
        return
    summary = summarize(file)
    assert len(summary.tracks) == len(file.tracks)
    assert summary.duration_ms >= 0
    for track in file.tracks:
        ticks = [tick for tick, _, _ in track]
        assert ticks == sorted(ticks)


def sample_file() -> bytes:
    file = mido.MidiFile(type=1)
    chance = random.Random(7)
    for number in range(3):
        track = mido.MidiTrack([mido.MetaMessage("track_name", name=f"Part {number}")])
        track.append(mido.MetaMessage("set_tempo", tempo=400_000, time=300))
        track.append(mido.MetaMessage("key_signature", key="Ebm"))
        track.append(mido.MetaMessage("time_signature", numerator=3, denominator=4))
        track.append(mido.Message("sysex", data=[1, 2, 3]))
        for _ in range(30):
            pitch, channel = chance.randrange(128), chance.choice([0, 3, 9])
            track.append(mido.Message("program_change", channel=channel, program=chance.randrange(128)))
            track.append(mido.Message("note_on", channel=channel, note=pitch, velocity=chance.randrange(128)))
            track.append(mido.Message("note_off", channel=channel, note=pitch, time=chance.randrange(500)))
        file.tracks.append(track)
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


SAMPLE = sample_file()


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
@example(b"")
@example(b"RIFF\xff\xff\xff\xffRMIDdata")
def test_random_bytes(data: bytes) -> None:
    digest(data)
    digest(HEADER + data)
    digest(HEADER + b"MTrk" + len(data).to_bytes(4, "big") + data)
    digest(HEADER + b"MTrk\x7f\xff\xff\xff" + data)


@pytest.mark.parametrize("seed", range(8))
def test_mutated_file(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(250):
        data = bytearray(SAMPLE)
        for _ in range(chance.choice([1, 1, 2, 5, 30])):
            place = chance.randrange(len(data))
            kind = chance.randrange(4)
            if kind == 0:
                data[place] = chance.randrange(256)
            elif kind == 1:
                data[place] ^= 1 << chance.randrange(8)
            elif kind == 2:
                del data[place : place + chance.randrange(1, 20)]
            else:
                data[place:place] = chance.randbytes(chance.randrange(1, 20))
        digest(bytes(data))


def test_file_truncated_at_every_byte() -> None:
    for length in range(len(SAMPLE)):
        digest(SAMPLE[:length])


def test_truncated_file_opens_once_its_first_track_has_begun() -> None:
    for length in range(22, len(SAMPLE)):
        assert read_midi(SAMPLE[:length]).warnings
