"""One port being played on: its player process, a watch over it, and the clean-up when it dies or hangs."""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from typing import Any

from consort_kit.errors import NotFound, ServiceDown
from consort_playback.player.held import NoteTable
from consort_playback.player.port_spec import PortSpec
from consort_playback.player.synth import JACK_SOUND
from consort_playback.player.wire import Closed
from consort_playback.ports.child import Child, how_it_ended
from consort_playback.ports.devices import Device

OPEN_S = 8.0
"""To start the process and open the port; the synth reads its soundfont meanwhile."""
ANSWER_S = 2.0
BYTES_A_SECOND = 1_000_000
"""Long music on its way is given so much more time: a player that has dense music to send reads slowly."""
LOOK_EVERY_S = 0.05
MISSED_BEATS = 8
"""Looks without a heartbeat after which a player is taken for hung; it beats at least once between two looks."""
QUIT_S = 2.0
GRACE_S = 0.3
"""For a player whose port is gone to leave the MIDI system in order; if that died too, it cannot."""
SILENCE_S = 5.0

_log = logging.getLogger("consort")

Finished = Callable[[str, dict[str, Any]], None]
"""Told when a session has come to its end: its id and the player's last word on it."""
Lost = Callable[["PortPlayer"], None]
"""Told when the player is gone, and again when its notes have been seen to."""


class PortPlayer:
    def __init__(self, device: Device, finished: Finished, lost: Lost) -> None:
        self.device = device
        self.is_lost = False
        self.priority = ""
        self.sound = ""
        self.systems: frozenset[str] = frozenset()
        """The MIDI systems that answered when it was opened."""
        self.jack_server: str | None = None
        """The JACK server that carries its messages or its sound."""
        self.used_at = time.monotonic()
        self.why_lost: str | None = None
        self.owed: list[bytes] = []
        """What could not be silenced, because the port was gone too."""
        self._finished = finished
        self._lost = lost
        self._notes = NoteTable.create()
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._on_its_way = 0
        """Bytes of music that the player has not taken yet."""
        self._number = 0
        self._child: Child | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[None] | None = None

    async def open(self, owed: list[bytes]) -> None:
        """Start the process, open the port and end what is `owed` to it; raises if the port cannot be opened."""
        told = {"port": self.device.spec, "notes": str(self._notes.path), "owed": [message.hex() for message in owed]}
        self._child = await Child.start("play", told)
        try:
            async with asyncio.timeout(OPEN_S):
                frame = await self._child.read()
        except (Closed, TimeoutError) as error:
            await self._discard()
            raise ServiceDown(
                f"The port {self.device.name!r} did not open; the MIDI system may hang. Choose another port.",
                code="PORT_UNAVAILABLE",
                suggestions=["try again in some seconds", "list_devices shows other ports"],
            ) from error
        if frame.head["event"] == "failed":
            await self._discard()
            raise NotFound(
                frame.head["reason"], code="PORT_UNAVAILABLE", field="port_name", suggestions=["list_devices"]
            )
        self.priority, self.sound = frame.head["priority"], frame.head["sound"]
        if self.device.spec["api"] == "jack" or self.sound == JACK_SOUND:
            self.jack_server = frame.head["jack_server"]
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._watch())]

    async def _discard(self) -> None:
        self.is_lost = True
        if self._child is not None:
            await self._child.finish()
        self._notes.close()

    async def command(self, do: str, payload: bytes = b"", **more: Any) -> dict[str, Any]:
        """What the player answers; ServiceDown if it does not."""
        self.used_at = time.monotonic()
        if self.is_lost or self._child is None:
            raise self._gone()
        self._number += 1
        number = self._number
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._child.write({"do": do, "n": number, **more}, payload)
        self._on_its_way += len(payload)
        try:
            patience = ANSWER_S + self._on_its_way / BYTES_A_SECOND
            for _ in range(math.ceil(patience / LOOK_EVERY_S)):  # a pause of our own is one look, however long
                if answer.done() or (await asyncio.wait({answer}, timeout=LOOK_EVERY_S))[0]:
                    return answer.result()
            raise self._gone()
        except Closed as error:
            raise self._gone() from error
        finally:
            self._answers.pop(number, None)
            self._on_its_way -= len(payload)

    def drop(self, session: str) -> None:
        """Stop a session without waiting, also one that the player may begin only later."""
        if not self.is_lost and self._child is not None:
            self._child.write({"do": "stop", "n": 0, "session": session})

    def _gone(self) -> ServiceDown:
        return ServiceDown(
            f"The player of {self.device.name!r} does not answer; its notes are being ended. Play again in a second.",
            code="PLAYER_LOST",
            suggestions=["play again in a second"],
        )

    async def _read(self) -> None:
        assert self._child is not None
        try:
            while True:
                frame = await self._child.read()
                if "re" in frame.head:
                    answer = self._answers.get(frame.head["re"])
                    if answer is not None and not answer.done():
                        answer.set_result(frame.head)
                elif frame.head.get("event") == "finished":
                    self.used_at = time.monotonic()
                    self._finished(frame.head["session"], frame.head)
        except Closed:
            self.give_up(None)

    async def _watch(self) -> None:
        """Kill a player that hangs. Only looks count, so that a pause of our own is not held against it."""
        last, missed = -1, 0
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self.is_lost:
                return
            beat = self._notes.last_beat()
            missed = missed + 1 if beat == last else 0
            last = beat
            if missed >= MISSED_BEATS:
                self.give_up("The player hung, and was ended")

    def give_up(self, reason: str | None, *, is_port_gone: bool = False) -> None:
        """The player is dead, or must die: end its process, and its notes by another one."""
        self._end(reason, GRACE_S if is_port_gone else 0.0, is_port_gone)

    async def close(self) -> None:
        """End the process in order, if it has not ended yet; its notes end with it."""
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
        messages = self._notes.silence() if is_port_gone else []
        code = await self._child.finish(grace_s)
        messages = messages or self._notes.silence()  # none if the player could end them itself
        self._notes.close()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Closed())
        why = reason or (f"The player process {how_it_ended(code)}" if code else None)
        if why:
            self.why_lost = f"{why}; its notes are being ended."
            self._lost(self)
        is_silent = not messages or self.device.kind == "synth" or await silence(self.device.spec, messages)
        self.owed = [] if is_silent else messages
        if why:
            self.why_lost = f"{why}; its notes " + ("were ended." if is_silent else "are ended when the port is back.")
            _log.warning("%s: %s", self.device.name, self.why_lost)
            self._lost(self)


async def silence(spec: PortSpec, messages: list[bytes]) -> bool:
    """Send messages by a process of their own; whether the port took them."""
    child = await Child.start("silence", {"port": spec, "messages": [message.hex() for message in messages]})
    code = await child.ended(SILENCE_S)
    await child.finish()
    return code == 0
