"""What a receiver hears is what the file says, message for message and in order; mido is the oracle."""

import base64
import io
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue

import mido
import pytest

from consort_music.midi.notes import with_offs_behind_ons
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from tests.jack import Receiver
from tests.playback_agent import Agent
from tests.varied_files import VariedFile, varied_files

FILES = 50
AT_A_TIME = 3
SETTLE_S = 0.03
"""For a message too many to arrive."""


def expected(content: bytes) -> list[bytes]:
    """All that is not meta, as mido would play it."""
    file = mido.MidiFile(file=io.BytesIO(content))
    merged = mido.merge_tracks(file.tracks)
    return [bytes(message.bytes()) for message in merged if not message.is_meta]


def with_offs_in_order(content: bytes) -> bytes:
    """The file with note-offs behind their own note-ons: music21 writes chord symbols of no length the other way."""
    file = read_midi(content)
    tracks = list(map(with_offs_behind_ons, file.tracks))
    is_odd = any(new is not old for new, old in zip(tracks, file.tracks, strict=True))
    return write_midi(replace(file, tracks=tracks)) if is_odd else content


def endings(messages: list[bytes]) -> list[bytes]:
    """What ends the notes that a file leaves sounding, as music21 does with chord symbols."""
    held: Counter[tuple[int, int]] = Counter()
    for message in messages:
        if message[0] & 0xE0 == 0x80:
            is_on = message[0] & 0xF0 == 0x90 and message[2] > 0
            key = message[0] & 15, message[1]
            held[key] = max(0, held[key] + (1 if is_on else -1))
    return [bytes((0x80 | channel, pitch, 64)) for (channel, pitch), count in sorted(held.items()) if count]


def play(agent: Agent, receiver: Receiver, content: bytes, count: int, **options: object) -> list[bytes]:
    """What is heard until it has ended and so many messages have come, and whatever comes after them."""
    source = {"base64": base64.b64encode(content).decode()}
    started = agent.call("playback_midi", **source, port_name=receiver.port, **options)
    heard = receiver.wait_for(count, timeout_s=120)
    agent.wait_until(started["playback_id"], "finished", timeout_s=20)
    time.sleep(SETTLE_S)
    return [each.message for each in [*heard, *receiver.new()]]


def assert_heard_as_written(agent: Agent, receiver: Receiver, content: bytes, **options: object) -> None:
    wanted = expected(content)
    assert play(agent, receiver, content, len(wanted), **options) == wanted


def test_real_files(agent: Agent, receivers: Callable[[str], Receiver]) -> None:
    """By many programs, in all formats, with all kinds of messages; some at a time, each on a port of its own."""
    files = varied_files()
    assert len(files) == FILES
    free: SimpleQueue[Receiver] = SimpleQueue()
    for number in range(AT_A_TIME):
        free.put(receivers(f"listener-{number}"))

    def is_heard(file: VariedFile) -> bool:
        receiver, wanted = free.get(), expected(with_offs_in_order(file.as_mido_reads_it))
        wanted += endings(wanted)
        heard = play(agent, receiver, file.content, len(wanted), tempo_scale=100)
        free.put(receiver)
        return heard == wanted

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        longest_first = sorted(files, key=lambda file: -len(file.content))
        wrong = [
            file.name for file, same in zip(longest_first, pool.map(is_heard, longest_first), strict=True) if not same
        ]
    assert not wrong


def test_dense_notes(agent: Agent, receiver: Receiver, dense: Callable[[int], str]) -> None:
    content = base64.b64decode(dense(20_000))
    assert len(expected(content)) == 40_000
    assert_heard_as_written(agent, receiver, content, tempo_scale=0.5)


def test_all_at_one_tick(agent: Agent, receiver: Receiver) -> None:
    """More than the MIDI system's buffer holds."""
    track = mido.MidiTrack()
    for index in range(3000):
        track.append(mido.Message("control_change", control=index % 60, value=index % 128, channel=index % 16))
    out = io.BytesIO()
    mido.MidiFile(tracks=[track]).save(file=out)
    assert_heard_as_written(agent, receiver, out.getvalue())


@pytest.mark.parametrize("size", [1, 4000, 15_000])
def test_long_system_exclusives(agent: Agent, receiver: Receiver, size: int) -> None:
    track = mido.MidiTrack([mido.Message("sysex", data=[index % 128 for index in range(size)])] * 3)
    out = io.BytesIO()
    mido.MidiFile(tracks=[track]).save(file=out)
    assert_heard_as_written(agent, receiver, out.getvalue())


def test_too_long_a_system_exclusive_is_left_out_with_a_warning(agent: Agent, receiver: Receiver) -> None:
    track = mido.MidiTrack([mido.Message("sysex", data=[1] * 20_000), mido.Message("program_change", program=7)])
    out = io.BytesIO()
    mido.MidiFile(tracks=[track]).save(file=out)
    started = agent.call("playback_midi", base64=base64.b64encode(out.getvalue()).decode())
    assert "over 16,000 bytes" in started["warnings"][0]
    assert [message.hex() for _, message in receiver.wait_for(1)] == ["c007"]


def test_what_the_file_leaves_sounding_is_ended(agent: Agent, receiver: Receiver) -> None:
    track = mido.MidiTrack([mido.Message("note_on", note=60), mido.Message("control_change", control=64, value=99)])
    track.append(mido.Message("note_on", note=64, time=240))
    track.append(mido.MetaMessage("end_of_track", time=240))
    out = io.BytesIO()
    mido.MidiFile(tracks=[track]).save(file=out)
    heard = play(agent, receiver, out.getvalue(), 6, tempo_scale=10)
    assert [message.hex() for message in heard] == ["903c40", "b04063", "904040", "803c40", "804040", "b04000"]
