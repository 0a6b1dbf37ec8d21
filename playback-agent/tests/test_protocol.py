"""The messages between the agent and its child programs: each is the same after it was sent over a socket."""

import json
import socket
from typing import Any, get_args

import pytest

from consort_playback.protocol import commands
from consort_playback.protocol.codec import MessageCodec, ProtocolError
from consort_playback.protocol.commands import (
    FIRST_COMMANDS,
    PORT_COMMANDS,
    PORT_EVENTS,
    PORT_LISTS,
    Answer,
    EndNotes,
    Finished,
    JumpTarget,
    LatenessReport,
    ListPorts,
    Loop,
    OpenPort,
    Panic,
    Pause,
    Play,
    PortFailed,
    PortList,
    PortOpened,
    PortSpec,
    ReplaceMusic,
    ReportSessions,
    Resume,
    Seek,
    SessionReport,
    SetLoop,
    SetMuted,
    SetSpeed,
    Stop,
    SynthOptions,
)
from consort_playback.protocol.socket_frames import SocketFrame, SocketFrameReader, pack_frame

TARGET = JumpTarget(5 * 10**12, 7, [("B0.7", b"\xb0\x07\x64"), ("C3", b"\xc3\x05")])
LOOP = Loop(TARGET, 10**13, 99)
REPORT = SessionReport("counting_in", -5, 3, 1, LatenessReport(7, 0.01, 0.25, 1.0))
SYNTH = PortSpec("synth", "Consort Synth", synth=SynthOptions("/fonts/a b.sf2", "auto"))
MUSIC = bytes(range(256)) * 1000

EXAMPLES: list[tuple[MessageCodec[Any], Any]] = [
    (FIRST_COMMANDS, OpenPort(SYNTH, "/tmp/notes", [b"\x80\x3c\x40", b"\xb0\x7b\x00"])),
    (FIRST_COMMANDS, EndNotes(PortSpec("jack", "Flöte:in", 2, is_virtual=True), [])),
    (FIRST_COMMANDS, ListPorts(12, reconnect=True)),
    (
        PORT_COMMANDS,
        Play(
            session="play_1",
            count=3,
            end=9,
            start=TARGET,
            loop=LOOP,
            muted=[0, 2],
            speed=(500_000, 1_000_000),
            count_in=[(-5, b"\x99\x4c\x64"), (0, b"\x99\x4c\x00")],
            count_in_length=5,
            payload=MUSIC,
        ),
    ),
    (PORT_COMMANDS, Stop("play_1")),
    (PORT_COMMANDS, Pause("play_1", 0)),
    (PORT_COMMANDS, Resume("play_1", 1)),
    (PORT_COMMANDS, Seek("play_1", 2, TARGET)),
    (PORT_COMMANDS, SetSpeed("play_1", 0, (1, 2))),
    (PORT_COMMANDS, SetLoop("play_1", 0, LOOP)),
    (PORT_COMMANDS, SetLoop("play_1", 0, None)),
    (PORT_COMMANDS, SetMuted("play_1", 0, [])),
    (
        PORT_COMMANDS,
        ReplaceMusic(session="play_1", next_edition=4, count=1, end=2, loop=LOOP, muted=[1], payload=b"\0" * 20),
    ),
    (PORT_COMMANDS, ReportSessions()),
    (PORT_COMMANDS, Panic()),
    (PORT_EVENTS, PortOpened("SCHED_FIFO, priority 1", "", None)),
    (PORT_EVENTS, PortFailed("The port 'a' no longer exists.")),
    (PORT_EVENTS, Answer({"play_1": REPORT, "play_2": REPORT})),
    (PORT_EVENTS, Answer({}, is_stale=True)),
    (PORT_EVENTS, Finished("play_1", REPORT)),
    (PORT_LISTS, PortList({"jack": ["a:in", "b:in"], "alsa": None}, "12.34", 3)),
]


def over_a_socket(data: bytes) -> SocketFrame:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * len(data))
        theirs.sendall(data)
        return SocketFrameReader(ours).read_whole()


@pytest.mark.parametrize(("codec", "message"), EXAMPLES, ids=[type(message).__name__ for _, message in EXAMPLES])
def test_a_message_arrives_as_it_was_sent(codec: MessageCodec[Any], message: Any) -> None:
    number, received = codec.decode(over_a_socket(codec.encode(message, 42)))
    assert number == 42
    assert type(received) is type(message) and received == message


def test_every_message_has_an_example() -> None:
    unions = (commands.FirstCommand, commands.PortCommand, commands.PortEvent)
    every = {kind for union in unions for kind in get_args(union)} | {PortList}
    assert {type(message) for _, message in EXAMPLES} == every


def head_of(message: Any, codec: MessageCodec[Any] = PORT_COMMANDS) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(over_a_socket(codec.encode(message)).head)
    return head


@pytest.mark.parametrize(
    "change",
    [
        {"type": "Explode"},
        {"type": "PortOpened"},
        {"type": None},
        {"fields": {}},
        {"fields": {"session": "play_1", "edition": 0, "speed": [1]}},
        {"fields": {"session": "play_1", "edition": 0, "speed": [1, "2"]}},
        {"fields": {"session": 5, "edition": 0, "speed": [1, 2]}},
        {"fields": {"session": "play_1", "edition": 0, "speed": [1, 2], "more": 1}},
    ],
)
def test_an_unknown_or_damaged_message_is_rejected(change: dict[str, Any]) -> None:
    head = head_of(SetSpeed("play_1", 0, (1, 2))) | change
    with pytest.raises(ProtocolError, match="damaged or of an unknown type"):
        PORT_COMMANDS.decode(SocketFrame(json.dumps(head).encode()))


def test_a_payload_for_a_message_without_one_is_rejected() -> None:
    frame = over_a_socket(pack_frame(json.dumps(head_of(Stop("play_1"))).encode(), b"music"))
    with pytest.raises(ProtocolError):
        PORT_COMMANDS.decode(frame)


def test_invalid_json_is_rejected() -> None:
    with pytest.raises(ProtocolError):
        PORT_COMMANDS.decode(SocketFrame(b"{"))


def test_the_music_is_sent_as_raw_bytes() -> None:
    play = next(message for _, message in EXAMPLES if isinstance(message, Play))
    frame = over_a_socket(PORT_COMMANDS.encode(play))
    assert frame.payload == MUSIC
    assert set(json.loads(frame.head)["fields"]) == set(Play.field_names) - {"payload"}
