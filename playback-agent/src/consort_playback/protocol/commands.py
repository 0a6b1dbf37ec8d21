"""Every command of the agent to a child program, and every event that a child program sends back.

The classes behave like dataclasses; see `message`. Music times are in nanoseconds from the first tick, at the written
tempo. Events of the music are identified by their index in the compiled music, so a position is valid only for one
edition (one compiled version) of it. A command for any other edition than the one that is playing is ignored and
answered with `is_stale`.
"""

from typing import Literal

from consort_playback.protocol.codec import MessageCodec
from consort_playback.protocol.message import ProtocolMessage

SILENT_PREFIX = "silent"
"""How the value of `PortOpened.sound` begins if nothing is heard."""
JACK_SOUND, SILENT_SOUND = "sound through jack", f"{SILENT_PREFIX}: no sound device was found"
"""Two of the values of `PortOpened.sound`, which the agent compares."""

SessionState = Literal["counting_in", "playing", "paused"]

# parts of commands and events


class SynthOptions(ProtocolMessage):
    soundfont: str
    audio: str
    """`auto`, `none`, `file:PATH.wav`, or a FluidSynth driver."""


class PortSpec(ProtocolMessage):
    """Identifies a port to a child program."""

    api: str
    """`jack`, `alsa`, `coremidi`, `winmm`, or `synth`."""
    name: str
    nth: int = 0
    """The index (from 0) of this port among the ports with the same name."""
    is_virtual: bool = False
    synth: SynthOptions | None = None

    @property
    def longest_message(self) -> int:
        """The maximum length of a message in bytes. rtmidi hangs if a message does not fit into JACK's buffer."""
        return 16_000 if self.api == "jack" else 65_000


class JumpTarget(ProtocolMessage):
    """A position in the music from which to continue."""

    time: int
    event: int
    """Index of the next event."""
    device_state: list[tuple[str, bytes]]
    """Pairs of state key and message. These messages put the device into the state that it would have here if the music
    had been played from its beginning."""


class Loop(ProtocolMessage):
    start: JumpTarget
    end_time: int
    end_index: int
    """The loop ends before the event with this index."""


class LatenessReport(ProtocolMessage):
    """How late messages were sent: their count, and the median, 99th percentile and maximum in milliseconds."""

    count: int
    p50: float
    p99: float
    max: float


class SessionReport(ProtocolMessage):
    state: SessionState
    time: int
    loops: int
    """How often the loop has started again."""
    edition: int
    lateness: LatenessReport


# the first command to each child program


class OpenPort(ProtocolMessage):
    """To `play_port`: open the port and send `unsent_silencing`."""

    port: PortSpec
    notes_path: str
    """The memory-mapped file of `SoundingNotes`."""
    unsent_silencing: list[bytes]
    """Messages that end notes left sounding when the port was lost."""


class EndNotes(ProtocolMessage):
    """To `end_notes`: open the port, send these messages and exit."""

    port: PortSpec
    messages: list[bytes]


class ListPorts(ProtocolMessage):
    """To `list_ports`: send a list now. Sent first, and again whenever the agent needs an up-to-date list."""

    request: int
    """An increasing number, which is returned in the next `PortList`."""
    reconnect: bool = False
    """Make a new JACK client instead of using the current one."""


# commands to play_port


class Play(ProtocolMessage):
    """Start a session."""

    session: str
    count: int
    """The number of events in `payload`, which has the layout of `event_arrays`."""
    end: int
    start: JumpTarget
    loop: Loop | None
    muted: list[int]
    """Tracks that are not heard."""
    speed: tuple[int, int]
    """A ratio: nanoseconds of music, and the nanoseconds of wall time in which they are played."""
    count_in: list[tuple[int, bytes]]
    """Times and messages of the clicks before `start`."""
    count_in_length: int
    payload: bytes | bytearray = b""


class Stop(ProtocolMessage):
    session: str


class SessionCommand(ProtocolMessage):
    """A command to one session that is valid for one edition of its music."""

    session: str
    edition: int


class Pause(SessionCommand):
    pass


class Resume(SessionCommand):
    pass


class Seek(SessionCommand):
    target: JumpTarget


class SetSpeed(SessionCommand):
    speed: tuple[int, int]


class SetLoop(SessionCommand):
    loop: Loop | None


class SetMuted(SessionCommand):
    muted: list[int]


class ReplaceMusic(ProtocolMessage):
    """Play this edition of the music when the loop starts again."""

    session: str
    next_edition: int
    count: int
    end: int
    loop: Loop
    muted: list[int]
    payload: bytes | bytearray = b""


class ReportSessions(ProtocolMessage):
    pass


class Panic(ProtocolMessage):
    """End all sessions, and silence every channel of the port."""


FirstCommand = OpenPort | EndNotes | ListPorts
ControlCommand = Pause | Resume | Seek | SetSpeed | SetLoop | SetMuted
PortCommand = Play | Stop | ControlCommand | ReplaceMusic | ReportSessions | Panic


# events from the child programs


class PortOpened(ProtocolMessage):
    priority: str
    """The real-time priority, or why there is none."""
    sound: str
    """A text that says where the sound of the synth goes; empty for other ports."""
    jack_server: str | None
    """The identity of the JACK server that was running when the port was opened, or None if none was running."""


class PortFailed(ProtocolMessage):
    reason: str


class Answer(ProtocolMessage):
    """The answer to one command, sent with the command's number."""

    sessions: dict[str, SessionReport]
    is_stale: bool = False
    """Whether the command was ignored, because it was for another edition of the music."""


class Finished(ProtocolMessage):
    """A session has played its music to the end."""

    session: str
    report: SessionReport


class PortList(ProtocolMessage):
    """From `list_ports`."""

    ports: dict[str, list[str] | None]
    """Port names by MIDI system, with None for a system that is not running."""
    jack_server: str | None
    request: int
    """The number of the last `ListPorts` that was received before this list was made."""


PortEvent = PortOpened | PortFailed | Answer | Finished

FIRST_COMMANDS: MessageCodec[FirstCommand] = MessageCodec(OpenPort, EndNotes, ListPorts)
PORT_COMMANDS: MessageCodec[PortCommand] = MessageCodec(
    Play, Stop, Pause, Resume, Seek, SetSpeed, SetLoop, SetMuted, ReplaceMusic, ReportSessions, Panic
)
PORT_EVENTS: MessageCodec[PortEvent] = MessageCodec(PortOpened, PortFailed, Answer, Finished)
PORT_LISTS: MessageCodec[PortList] = MessageCodec(PortList)
