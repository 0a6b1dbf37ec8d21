"""One port in use: starts its `play_port` process, checks its heartbeat, and ends its notes if it dies or hangs."""

import asyncio
import logging
import math
import time
from collections.abc import Callable

from consort_kit.errors import NotFound, ServiceDown
from consort_playback.ports.child_process import ChildProcess, describe_exit
from consort_playback.ports.devices import Device
from consort_playback.protocol.commands import (
    JACK_SOUND,
    PORT_COMMANDS,
    PORT_EVENTS,
    Answer,
    EndNotes,
    Finished,
    OpenPort,
    Play,
    PortCommand,
    PortFailed,
    PortOpened,
    PortSpec,
    ReplaceMusic,
    SessionReport,
    Stop,
)
from consort_playback.protocol.socket_frames import ConnectionClosed
from consort_playback.protocol.sounding_notes import SoundingNotes

OPEN_S = 8.0
"""Seconds to start the process and open the port."""
SYNTH_OPEN_S = 30.0
"""The same for the synth. It decodes the samples of piano and drums first, with 1.7 s of CPU for MuseScore_General. A
process that did so while it plays would seem to hang. Every other program takes at most 0.12 s."""
ANSWER_S = 2.0
"""Seconds to wait for the answer to a command."""
BYTES_PER_SECOND = 1_000_000
"""For each million bytes of music one more second is allowed: a process that plays dense music reads slowly."""
CHECK_EVERY_S = 0.05
MAX_MISSED_BEATS = 8
"""Checks in a row without a new heartbeat, after which the process is hung. A process beats at least once per check."""
QUIT_S = 2.0
"""Seconds that a process gets to end its notes and exit."""
GRACE_S = 0.3
"""Seconds that a process whose port has disappeared gets to close its MIDI client."""
END_NOTES_S = 5.0
"""Seconds that the program `end_notes` gets."""

_log = logging.getLogger("consort")

OnFinished = Callable[[str, SessionReport], None]
"""Called with the id and the last report of a session that has finished."""
OnLost = Callable[["PortProcess"], None]
"""Called when the process is lost, and again after trying to end its notes."""


class PortProcess:
    """The agent's side of a `play_port` process."""

    def __init__(self, device: Device, on_finished: OnFinished, on_lost: OnLost) -> None:
        self.device = device
        self.is_lost = False
        self.priority = ""
        self.sound = ""
        self.systems: frozenset[str] = frozenset()
        """The MIDI systems that were running when the port was opened."""
        self.jack_server: str | None = None
        """The identity of the JACK server that carries its messages or its sound, or None."""
        self.used_at = time.monotonic()
        self.why_lost: str | None = None
        self.unsent_silencing: list[bytes] = []
        """The messages that end its notes, if they could not be sent because the port had disappeared too."""
        self._on_finished = on_finished
        self._on_lost = on_lost
        self._notes = SoundingNotes.create()
        self._answers: dict[int, asyncio.Future[Answer]] = {}
        self._unread_bytes = 0
        """Bytes of music in commands that the process has not answered yet."""
        self._number = 0
        self._child: ChildProcess | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[None] | None = None

    async def open(self, unsent_silencing: list[bytes]) -> None:
        """Start the process and open the port. The process first sends `unsent_silencing`, which ends old notes.

        Raise NotFound if the port cannot be opened, ServiceDown if the process dies or takes too long.
        """
        self._child = await ChildProcess.start(OpenPort(self.device.spec, self._notes.path, unsent_silencing))
        try:
            async with asyncio.timeout(SYNTH_OPEN_S if self.device.kind == "synth" else OPEN_S):
                _, event = PORT_EVENTS.decode(await self._child.read())
        except (ConnectionClosed, TimeoutError) as error:
            await self._discard()
            raise ServiceDown(
                f"The port {self.device.name!r} did not open. The MIDI system may hang. Choose another port.",
                code="PORT_UNAVAILABLE",
                suggestions=["try again in some seconds", "list_devices shows other ports"],
            ) from error
        if isinstance(event, PortFailed):
            await self._discard()
            raise NotFound(event.reason, code="PORT_UNAVAILABLE", field="port_name", suggestions=["list_devices"])
        assert isinstance(event, PortOpened)
        self.priority, self.sound = event.priority, event.sound
        if self.device.spec.api == "jack" or self.sound == JACK_SOUND:
            self.jack_server = event.jack_server
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._watch())]

    async def _discard(self) -> None:
        self.is_lost = True
        if self._child is not None:
            await self._child.finish()
        self._notes.close()

    async def send(self, command: PortCommand) -> Answer:
        """Send a command and return its answer. Raise ServiceDown if there is no answer in time."""
        self.used_at = time.monotonic()
        if self.is_lost or self._child is None:
            raise self._no_answer()
        self._number += 1
        number = self._number
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._child.write(PORT_COMMANDS.encode(command, number))
        size = len(command.payload) if isinstance(command, Play | ReplaceMusic) else 0
        self._unread_bytes += size
        try:
            patience = ANSWER_S + self._unread_bytes / BYTES_PER_SECOND
            for _ in range(math.ceil(patience / CHECK_EVERY_S)):  # if the agent itself is paused, that is one check
                if answer.done() or (await asyncio.wait({answer}, timeout=CHECK_EVERY_S))[0]:
                    return answer.result()
            raise self._no_answer()
        except ConnectionClosed as error:
            raise self._no_answer() from error
        finally:
            self._answers.pop(number, None)
            self._unread_bytes -= size

    def drop(self, session: str) -> None:
        """Stop a session without waiting for the answer. This also stops a session whose `Play` is still unread."""
        if not self.is_lost and self._child is not None:
            self._child.write(PORT_COMMANDS.encode(Stop(session)))

    def _no_answer(self) -> ServiceDown:
        return ServiceDown(
            f"The player of {self.device.name!r} does not answer. Its notes are being ended. Play again in a second.",
            code="PLAYER_LOST",
            suggestions=["play again in a second"],
        )

    async def _read(self) -> None:
        assert self._child is not None
        try:
            while True:
                number, event = PORT_EVENTS.decode(await self._child.read())
                if isinstance(event, Answer):
                    answer = self._answers.get(number)
                    if answer is not None and not answer.done():
                        answer.set_result(event)
                elif isinstance(event, Finished):
                    self.used_at = time.monotonic()
                    self._on_finished(event.session, event.report)
        except ConnectionClosed:
            self.give_up(None)

    async def _watch(self) -> None:
        """Give up the process if it hangs. Checks are counted instead of time, in case the agent itself is paused."""
        last, missed = -1, 0
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            if self.is_lost:
                return
            heartbeat = self._notes.last_heartbeat()
            missed = missed + 1 if heartbeat == last else 0
            last = heartbeat
            if missed >= MAX_MISSED_BEATS:
                self.give_up("The player hung, and was ended")

    def give_up(self, reason: str | None, *, is_port_gone: bool = False) -> None:
        """Kill the process if it is not dead yet, and end its notes with the program `end_notes`.

        `reason` is shown to the user; if it is None, the exit code is described. With `is_port_gone`, the process gets
        `GRACE_S` to close its MIDI client.
        """
        self._end(reason, GRACE_S if is_port_gone else 0.0, is_port_gone)

    async def close(self) -> None:
        """Let the process end its notes and exit, if it has not been ended yet."""
        await asyncio.shield(self._end(None, QUIT_S, False))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _end(self, reason: str | None, grace_s: float, is_port_gone: bool) -> "asyncio.Task[None]":
        if self._ending is None:
            self.is_lost = True
            self._ending = asyncio.create_task(self._clean_up(reason, grace_s, is_port_gone))
        return self._ending

    async def _clean_up(self, reason: str | None, grace_s: float, is_port_gone: bool) -> None:
        assert self._child is not None
        messages = self._notes.silencing_messages() if is_port_gone else []
        code = await self._child.finish(grace_s)
        messages = messages or self._notes.silencing_messages()  # empty if the process ended the notes itself
        self._notes.close()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionClosed())
        why = reason or (f"The player process {describe_exit(code)}" if code else None)
        if why:
            self.why_lost = f"{why}; its notes are being ended."
            self._on_lost(self)
        is_silent = not messages or self.device.kind == "synth" or await end_notes(self.device.spec, messages)
        self.unsent_silencing = [] if is_silent else messages
        if why:
            self.why_lost = f"{why}; its notes " + ("were ended." if is_silent else "are ended when the port is back.")
            _log.warning("%s: %s", self.device.name, self.why_lost)
            self._on_lost(self)


async def end_notes(spec: PortSpec, messages: list[bytes]) -> bool:
    """Send messages with the program `end_notes`. Return whether they were sent."""
    child = await ChildProcess.start(EndNotes(spec, messages))
    code = await child.wait(END_NOTES_S)
    await child.finish()
    return code == 0
