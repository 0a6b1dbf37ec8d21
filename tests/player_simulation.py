"""A player on a clock that the test turns: what it would send and when, to the nanosecond, without waiting."""

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from consort_playback.music import arrangement
from consort_playback.music.piece import Piece
from consort_playback.player.held import NoteTable
from consort_playback.player.play import LEAD_NS, Player
from consort_playback.player.voice import NEVER
from consort_playback.player.wire import SIZES, Frame


class Simulation:
    def __init__(self, set_clock: Callable[[Callable[[], int]], None]) -> None:
        self.now = 1_000_000_007
        set_clock(lambda: self.now)
        self.sent: list[tuple[int, bytes]] = []
        """When, counted from where the first session began, and what."""
        self._ours, self._theirs = socket.socketpair()
        self.notes = NoteTable.create()
        self.player = Player(self._theirs, self, self.notes, (False, "simulated"))
        self.start = self.now + LEAD_NS

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()
        self.notes.close()

    def send_message(self, message: bytes) -> None:
        self.sent.append((self.now - self.start, message))

    def describe(self) -> str:
        return ""

    def do(self, command: str, payload: bytes = b"", **more: Any) -> dict[str, Any]:
        return self.player._commands[command](Frame({"do": command, "n": 1, **more}, payload)) or {}

    def obey(self, command: str, **more: Any) -> dict[str, Any]:
        """As over the wire, with the answer."""
        with suppress(BlockingIOError):
            self._ours.recv(65536, socket.MSG_DONTWAIT)  # what was told before
        self.player._obey(Frame({"do": command, "n": 1, **more}))
        sizes = SIZES.unpack(self._ours.recv(SIZES.size))
        answer: dict[str, Any] = json.loads(self._ours.recv(sizes[0]))
        return answer

    def begin(self, piece: Piece, session: str = "one", **options: Any) -> None:
        self.do("play", piece.payload(), session=session, **arrangement.opening(piece, **options))

    def run(self, until_ns: int = NEVER, steps: int = 1_000_000) -> None:
        """Let time pass up to a moment, or until all has ended."""
        for _ in range(steps):
            voices = self.player._voices.values()
            due = min((voice.due for voice in voices), default=NEVER)
            if due == NEVER or due - self.start > until_ns:
                break
            self.now = due
            self.player._step(min(voices, key=lambda voice: voice.due), due)
        if until_ns != NEVER:
            self.now = self.start + until_ns

    def report(self, session: str = "one") -> dict[str, Any]:
        told: dict[str, Any] = self.do("report")["sessions"][session]
        return told
