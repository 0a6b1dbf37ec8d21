"""Run the scheduler of `play_port` on a simulated clock, and record each message with its time in nanoseconds."""

import socket
from typing import Any

from consort_music.performance.compiled_music import CompiledMusic
from consort_playback.child_programs.play_port import LEAD_NS, Scheduler
from consort_playback.child_programs.scheduled_session import NEVER
from consort_playback.music.start_and_loop import play_command
from consort_playback.protocol.commands import Answer, PortCommand, ReportSessions, SessionReport
from consort_playback.protocol.sounding_notes import SoundingNotes
from evaluation.processes.jack import ReceivedMessage


class Simulation:
    """A scheduler, its output and its clock."""

    def __init__(self) -> None:
        self.now = 1_000_000_007
        self.sent: list[ReceivedMessage] = []
        """The messages, with times in nanoseconds since the beginning of the first session."""
        self._ours, self._theirs = socket.socketpair()
        self.notes = SoundingNotes.create()
        self._scheduler = Scheduler(self._theirs, self, self.notes, is_realtime=False, now=lambda: self.now)
        self.start = self.now + LEAD_NS

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the scheduler's files. It is also the `close` of the output, which this object is."""
        self._ours.close()
        self._theirs.close()
        self.notes.close()

    def send_message(self, message: bytes) -> None:
        self.sent.append(ReceivedMessage(self.now - self.start, message))

    def describe(self) -> str:
        return ""

    def do(self, command: PortCommand) -> Answer:
        return self._scheduler.carry_out(command)

    def begin(self, music: CompiledMusic, session: str = "one", **options: Any) -> None:
        self.do(play_command(session, music, **options))

    def run(self, until_ns: int = NEVER, steps: int = 1_000_000) -> None:
        """Advance the clock to `until_ns` after the start, or until all sessions have ended."""
        for _ in range(steps):
            session = self._scheduler.earliest()
            if session is None or session.due == NEVER or session.due - self.start > until_ns:
                break
            self.now = session.due
            self._scheduler.advance(session, self.now)
        if until_ns != NEVER:
            self.now = self.start + until_ns

    def report(self, session: str = "one") -> SessionReport:
        return self.do(ReportSessions()).sessions[session]
