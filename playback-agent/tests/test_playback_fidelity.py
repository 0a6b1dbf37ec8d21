"""A receiver gets exactly the messages of the file, in order. mido is the oracle.

These tests have their own JACK server. After a client was killed, or did not answer within JACK's timeout, the server
may deliver the last messages of that client again in every period ("engine may now behave abnormally").
"""

import base64
import io
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue

import mido
import pytest

from consort_music.midi.notes import with_offs_behind_ons
from consort_music.midi.reader import read_midi
from consort_music.midi.writer import write_midi
from evaluation.processes.jack import JackServer, Receiver, running_jack
from evaluation.processes.playback_agent import AgentProcess
from tests.support.midi_files import as_base64, midi_bytes
from tests.support.varied_midi_files import VariedFile, varied_files

FILES = 50
AT_A_TIME = 3
SETTLE_S = 0.03
"""Seconds to wait for messages that should not arrive."""
JACK_TIMEOUT_MS = 500
"""JACK's default. No client of these tests is killed, so a busy machine may take its time."""


@pytest.fixture(scope="module")
def jack() -> Iterator[JackServer]:
    with running_jack(timeout_ms=JACK_TIMEOUT_MS) as server:
        yield server


@pytest.fixture(scope="module")
def shared_agent(jack: JackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentProcess]:
    with AgentProcess(tmp_path_factory.mktemp("agent"), jack.environment) as agent:
        yield agent


def expected(content: bytes) -> list[bytes]:
    """Return all messages that mido would send, which are all except meta events."""
    file = mido.MidiFile(file=io.BytesIO(content))
    merged = mido.merge_tracks(file.tracks)
    return [bytes(message.bytes()) for message in merged if not message.is_meta]


def with_offs_in_order(content: bytes) -> bytes:
    """Return the file with each note-off after its own note-on. In chord symbols, music21 writes the note-off first."""
    file = read_midi(content)
    tracks = list(map(with_offs_behind_ons, file.tracks))
    is_odd = any(new is not old for new, old in zip(tracks, file.tracks, strict=True))
    return write_midi(replace(file, tracks=tracks)) if is_odd else content


def missing_note_offs(messages: list[bytes]) -> list[bytes]:
    """Return note-offs for the notes that a file never ends. music21 writes chord symbols without note-offs."""
    held: Counter[tuple[int, int]] = Counter()
    for message in messages:
        if message[0] & 0xE0 == 0x80:
            is_on = message[0] & 0xF0 == 0x90 and message[2] > 0
            key = message[0] & 15, message[1]
            held[key] = max(0, held[key] + (1 if is_on else -1))
    return [bytes((0x80 | channel, pitch, 64)) for (channel, pitch), count in sorted(held.items()) if count]


def play(agent: AgentProcess, receiver: Receiver, content: bytes, count: int, **options: object) -> list[bytes]:
    """Play a file and return the received messages: at least `count`, and any that arrive shortly after the end."""
    source = {"base64": as_base64(content)}
    started = agent.call("playback_midi", **source, port_name=receiver.port, **options)
    heard = receiver.wait_for(count, timeout_s=120)
    agent.wait_until(started["playback_id"], "finished", timeout_s=20)
    time.sleep(SETTLE_S)
    return [each.message for each in [*heard, *receiver.new()]]


def assert_heard_as_written(agent: AgentProcess, receiver: Receiver, content: bytes, **options: object) -> None:
    wanted = expected(content)
    assert play(agent, receiver, content, len(wanted), **options) == wanted


@pytest.mark.long
def test_real_files_are_heard_as_written(agent: AgentProcess, receivers: Callable[[str], Receiver]) -> None:
    """The files are from many programs, in all formats, with all kinds of messages.

    Three play at the same time, each on its own port.
    """
    files = varied_files()
    assert len(files) == FILES
    free: SimpleQueue[Receiver] = SimpleQueue()
    for number in range(AT_A_TIME):
        free.put(receivers(f"listener-{number}"))

    def is_heard(file: VariedFile) -> bool:
        receiver, wanted = free.get(), expected(with_offs_in_order(file.as_mido_reads_it))
        wanted += missing_note_offs(wanted)
        heard = play(agent, receiver, file.content, len(wanted), tempo_scale=100)
        free.put(receiver)
        return heard == wanted

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        longest_first = sorted(files, key=lambda file: -len(file.content))
        wrong = [
            file.name for file, same in zip(longest_first, pool.map(is_heard, longest_first), strict=True) if not same
        ]
    assert not wrong


def test_dense_notes_are_heard_as_written(agent: AgentProcess, receiver: Receiver, dense: Callable[[int], str]) -> None:
    content = base64.b64decode(dense(20_000))
    assert len(expected(content)) == 40_000
    assert_heard_as_written(agent, receiver, content, tempo_scale=0.5)


def test_three_thousand_messages_at_one_tick(agent: AgentProcess, receiver: Receiver) -> None:
    """This is more than the buffer of the MIDI system can hold."""
    track = []
    for index in range(3000):
        track.append(mido.Message("control_change", control=index % 60, value=index % 128, channel=index % 16))
    assert_heard_as_written(agent, receiver, midi_bytes(track))


@pytest.mark.parametrize("size", [1, 4000, 15_000])
def test_long_system_exclusives_are_heard_as_written(agent: AgentProcess, receiver: Receiver, size: int) -> None:
    track = [mido.Message("sysex", data=[index % 128 for index in range(size)])] * 3
    assert_heard_as_written(agent, receiver, midi_bytes(track))


def test_a_system_exclusive_that_is_too_long_is_left_out_with_a_warning(
    agent: AgentProcess, receiver: Receiver
) -> None:
    track = [mido.Message("sysex", data=[1] * 20_000), mido.Message("program_change", program=7)]
    started = agent.call("playback_midi", base64=as_base64(midi_bytes(track)))
    assert "over 16,000 bytes" in started["warnings"][0]
    assert [message.hex() for _, message in receiver.wait_for(1)] == ["c007"]


def test_notes_that_the_file_never_ends_are_ended(agent: AgentProcess, receiver: Receiver) -> None:
    track = [mido.Message("note_on", note=60), mido.Message("control_change", control=64, value=99)]
    track.append(mido.Message("note_on", note=64, time=240))
    track.append(mido.MetaMessage("end_of_track", time=240))
    heard = play(agent, receiver, midi_bytes(track), 6, tempo_scale=10)
    assert [message.hex() for message in heard] == ["903c40", "b04063", "904040", "803c40", "804040", "b04000"]
