"""The child program that plays all sessions on one port. Each port in use has its own process.

It has one thread. It always serves the session whose next message is due first (earliest deadline first), sleeps until
shortly before that message and then spins. Sending one message takes about 3 microseconds of Python. Finding the
session is a linear search; the agent allows at most 32 sessions. Commands are read between messages, in small pieces,
and the heartbeat never stops. When the agent closes the socket or is killed, the program ends every note and exits.
"""

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from operator import attrgetter

from consort_playback.child_programs import realtime
from consort_playback.child_programs.jack_server import current_server
from consort_playback.child_programs.output_errors import OutputError
from consort_playback.child_programs.outputs import SETTLE_S, Output, close_or_exit, open_output
from consort_playback.child_programs.scheduled_session import NEVER, NextMusic, ScheduledSession
from consort_playback.child_programs.shared_port import SharedPort
from consort_playback.protocol.commands import (
    PORT_COMMANDS,
    PORT_EVENTS,
    Answer,
    ControlCommand,
    Finished,
    OpenPort,
    Panic,
    Pause,
    Play,
    PortCommand,
    PortEvent,
    PortFailed,
    PortOpened,
    ReplaceMusic,
    ReportSessions,
    Resume,
    Seek,
    SetLoop,
    SetMuted,
    SetSpeed,
    Stop,
)
from consort_playback.protocol.event_arrays import EventArrays
from consort_playback.protocol.midi_messages import CHANNELS, SUSTAIN, channels_off, note_offs
from consort_playback.protocol.socket_frames import ConnectionClosed, SocketFrame, SocketFrameReader
from consort_playback.protocol.sounding_notes import SoundingNotes

SPIN_NS = 1_000_000
REALTIME_SPIN_NS = 200_000
"""How long before a message the process stops sleeping. A real-time process wakes up more punctually, so it can sleep
longer."""
NEAR_NS = 40_000_000
"""How long before a message light sleep is requested, if the process has overslept before."""
OVERSLEPT_NS = 500_000
"""The process has overslept if it wakes up this much too late."""
HEARTBEAT_NS = 50_000_000
"""The longest sleep, so that the heartbeat changes at least this often."""
LISTEN_NS = 20_000_000
"""Commands are read at least this often, even in dense music. The process then also sleeps briefly."""
COMMAND_NS = 1_500_000
"""A command is only carried out if no message is due for this time."""
LEAD_NS = 20_000_000
"""Time from a start or a jump to the first note, so that carrying out the command does not make the note late."""
_SHORT_SLEEP_S = 0.0001

_due = attrgetter("due")


class Scheduler:
    """Sends the messages of all sessions when they are due, and carries out commands between them."""

    def __init__(
        self,
        connection: socket.socket,
        output: Output,
        notes: SoundingNotes,
        *,
        is_realtime: bool,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._socket = connection
        self._reader = SocketFrameReader(connection)
        self._unsent = bytearray()
        self._notes = notes
        self._send = output.send_message
        self._port = SharedPort(self._send, notes)
        self._sessions: dict[str, ScheduledSession] = {}
        self._is_realtime = is_realtime
        self._spin = REALTIME_SPIN_NS if is_realtime else SPIN_NS
        self._now = now
        self._light_sleep = realtime.LightSleep()
        self._listened_at = 0
        self._is_running = True

    def run(self) -> None:
        """Play until the agent closes the socket or `stop_running` is called, then end every note."""
        try:
            while self._is_running:
                self._send_or_wait()
        except ConnectionClosed:
            pass
        finally:
            for message in self._notes.silencing_messages():
                self._send(message)
            time.sleep(SETTLE_S)
            self._notes.clear()

    def stop_running(self) -> None:
        self._is_running = False

    # sending

    def earliest(self) -> ScheduledSession | None:
        """Return the session whose next message is due first, or None if there is no session."""
        return min(self._sessions.values(), key=_due) if self._sessions else None

    def _send_or_wait(self) -> None:
        """Send the next message if it is due. Otherwise wait for it, and read commands while waiting."""
        now = self._now()
        session = self.earliest()
        left = session.due - now if session else NEVER
        if left > NEAR_NS:
            self._light_sleep.end()
            self._listen(now + min(left - NEAR_NS, HEARTBEAT_NS))
        elif left > self._spin:
            self._light_sleep.begin()
            self._wait(now, now + left - self._spin)
        elif now - self._listened_at > LISTEN_NS:
            self._listen(now)
            time.sleep(_SHORT_SLEEP_S)  # the kernel kills a real-time process that never sleeps (RLIMIT_RTTIME)
        elif session is not None:
            due, read_clock = session.due, self._now
            while (now := read_clock()) < due:
                pass
            self.advance(session, now)

    def _wait(self, now: int, until: int) -> None:
        """Wait until the time `until`, shortly before a message. Do not start a command that would make it late."""
        if until - now < COMMAND_NS - self._spin and now - self._listened_at < LISTEN_NS:
            time.sleep((until - now) / 1e9)
        elif self._listen(until):
            return
        if self._is_realtime and self._now() - until > OVERSLEPT_NS:
            self._light_sleep.report_oversleep()

    def advance(self, session: ScheduledSession, now: int) -> None:
        """Do what is due next in a session: send a click or an event, start the next round, or finish."""
        if session.pending_state:
            wanted, session.pending_state = session.pending_state, []
            self._port.set_device_state(session, wanted)
        if session.count_in_index < len(session.count_in):
            _, message = session.count_in[session.count_in_index]
            session.count_in_index += 1
            self._port.play(session, -1, message)
        elif session.next_event < session.end_index:
            self._send_event(session, now)
        else:
            self._port.release(session)
            start = session.begin_next_round()
            if start is None:
                self._remove(session)
                self._send_to_agent(Finished(session.id, session.report(now)))
                return
            self._port.set_device_state(session, start.device_state)
        session.schedule()

    def _send_event(self, session: ScheduledSession, now: int) -> None:
        events, index = session.events, session.next_event
        message = bytes(events.messages[events.offsets[index] : events.offsets[index + 1]])
        self._port.play(session, events.tracks[index], message)
        session.lateness.add(now - session.due)
        session.next_event = index + 1

    def _remove(self, session: ScheduledSession) -> None:
        """Remove a session whose notes have ended. If it was the last one, nothing sounds, so clear all counts."""
        del self._sessions[session.id]
        if not self._sessions:
            self._notes.clear()

    # listening

    def _listen(self, until: int) -> bool:
        """Wait until the time `until`, or until the socket is ready; then carry out the command that arrived.

        Return whether the socket was ready.
        """
        self._notes.beat()
        seconds = max(0, until - self._now()) / 1e9
        if sys.platform == "win32":  # on Windows, select waits in steps of 15 ms (not tested)
            time.sleep(min(seconds, 0.002))
            seconds = 0
        writers = [self._socket] if self._unsent else []
        readable, writable, _ = select.select([self._socket], writers, [], seconds)
        self._listened_at = self._now()
        if writable:
            self._flush()
        if readable and (frame := self._reader.read()) is not None:
            self._handle_frame(frame)
        return bool(readable or writable)

    def _handle_frame(self, frame: SocketFrame) -> None:
        number, command = PORT_COMMANDS.decode(frame)
        self._send_to_agent(self.carry_out(command), number)

    def _send_to_agent(self, event: PortEvent, number: int = 0) -> None:
        self._unsent += PORT_EVENTS.encode(event, number)
        self._flush()

    def _flush(self) -> None:
        try:
            sent = self._socket.send(self._unsent)
            del self._unsent[:sent]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            raise ConnectionClosed from error

    # commands

    def carry_out(self, command: PortCommand) -> Answer:
        """Carry out a command. A command to a session that has already ended does nothing."""
        match command:
            case Play():
                session = ScheduledSession(command)
                session.begin(self._now() + LEAD_NS)
                self._sessions[session.id] = session
                return Answer({})
            case ReportSessions():
                return self._report(self._sessions.values())
            case Panic():
                return self._panic()
            case _:
                running = self._sessions.get(command.session)
                if running is None:
                    return Answer({})
                return self._carry_out_in(running, command)

    def _carry_out_in(self, session: ScheduledSession, command: Stop | ReplaceMusic | ControlCommand) -> Answer:
        match command:
            case Stop():
                answer = self._report([session])
                self._port.silence(session, [each for each in self._sessions.values() if each is not session])
                self._remove(session)
                return answer
            case ReplaceMusic():
                events = EventArrays(command.count, command.end, command.payload)
                session.next_music = NextMusic(command.next_edition, events, command.loop, set(command.muted))
                return self._report([session])
            case _:
                if command.edition != session.edition:
                    return Answer({}, is_stale=True)
                self._control(session, command)
                return Answer({})

    def _control(self, session: ScheduledSession, command: ControlCommand) -> None:
        match command:
            case Pause():
                pedals = {key: message for key, message in session.device_state.items() if key.endswith(f".{SUSTAIN}")}
                session.pause(self._now())
                self._port.release(session)
                session.pending_state = [*session.pending_state, *pedals.items()]
            case Resume():
                session.resume(self._now() + LEAD_NS)
            case Seek():
                self._port.release(session)
                session.pending_state = command.target.device_state
                session.jump(command.target, self._now() + LEAD_NS)
            case SetSpeed():
                session.set_speed(command.speed, self._now())
            case SetLoop():
                session.set_loop(command.loop, self._now())
            case SetMuted():
                muted = set(command.muted)
                self._port.release_tracks(session, muted - session.muted)
                session.mute(muted)
                session.next_music = None  # it has the previously muted tracks

    def _report(self, sessions: Iterable[ScheduledSession]) -> Answer:
        now = self._now()
        return Answer({session.id: session.report(now) for session in sessions})

    def _panic(self) -> Answer:
        """End all sessions, and silence every channel of the port."""
        answer = self._report(self._sessions.values())
        self._sessions.clear()
        keys = self._notes.sounding()
        self._notes.clear()
        self._port.forget_pedals()
        for message in (*note_offs(keys), *channels_off(range(CHANNELS))):
            self._send(message)
        return answer


def main(connection: socket.socket, task: OpenPort) -> int:
    """Open the port, report this to the agent, and play until the agent closes the connection.

    Return the exit code: 1 if the port cannot be opened.
    """
    notes = SoundingNotes(task.notes_path)
    server = current_server()
    try:
        output = open_output(task.port)
    except OutputError as error:
        with suppress(OSError):
            connection.sendall(PORT_EVENTS.encode(PortFailed(str(error))))
        return 1
    for message in task.unsent_silencing:
        output.send_message(message)
    if os.name != "nt":
        notes.unlink()
    is_realtime, priority = realtime.prepare()
    connection.sendall(PORT_EVENTS.encode(PortOpened(priority, output.describe(), server)))
    connection.setblocking(False)
    scheduler = Scheduler(connection, output, notes, is_realtime=is_realtime)
    signal.signal(signal.SIGTERM, lambda *_: scheduler.stop_running())
    scheduler.run()
    close_or_exit(output)
    return 0
