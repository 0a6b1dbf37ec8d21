"""The player: one process, one port, all sessions on it. It sleeps until shortly before a message and then spins.

Single-threaded. Commands are read in the time between messages, a piece at a time; the heartbeat goes on whatever
happens. When the agent's end of the socket closes, even because it was killed, every note is ended and it goes.
"""

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

from consort_playback.player import jack_server, realtime
from consort_playback.player.desk import Desk
from consort_playback.player.held import NoteTable, channels_off, note_offs
from consort_playback.player.outputs import Output, PortGone, close_soon, open_output
from consort_playback.player.port_spec import PortSpec
from consort_playback.player.synth import SynthMissing
from consort_playback.player.voice import NEVER, Events, Jump, Loop, NextMusic, Voice
from consort_playback.player.wire import Closed, Frame, FrameReader, pack

SPIN_NS = 1_000_000
REALTIME_SPIN_NS = 200_000
"""How long before a message it stops sleeping; a real-time process wakes up punctually, and leaves time to others."""
NEAR_NS = 40_000_000
"""So long before a message the machine is asked to sleep lightly, if it has been seen to oversleep."""
OVERSLEPT_NS = 500_000
BEAT_NS = 50_000_000
"""It never sleeps longer, so that the agent sees the heartbeat go on."""
LISTEN_NS = 20_000_000
"""However dense the music, commands are looked at this often, and the process sleeps for a moment."""
COMMAND_NS = 1_500_000
"""A command is only begun when nothing is due for so long."""
LEAD_NS = 20_000_000
"""From a start, or a jump, to the first note: whatever the command costs must not make it late."""
SETTLE_S = 0.05
"""From the last message to the end of the process, so that the MIDI system passes it on."""

_now = time.monotonic_ns
_due = attrgetter("due")


class Player:
    def __init__(
        self,
        connection: socket.socket,
        output: Output,
        notes: NoteTable,
        priority: tuple[bool, str],
        server: str | None = None,
    ) -> None:
        self._socket = connection
        self._reader = FrameReader(connection)
        self._unsent = bytearray()
        self._notes = notes
        self._output = output
        self._send = output.send_message
        self._desk = Desk(self._send, notes)
        self._voices: dict[str, Voice] = {}
        self._is_realtime = priority[0]
        self._spin = REALTIME_SPIN_NS if self._is_realtime else SPIN_NS
        self._light_sleep = realtime.LightSleep()
        self._listened = 0
        self._goes_on = True
        self._commands: dict[str, Callable[[Frame], dict[str, Any] | None]] = {
            "play": self._play,
            "stop": self._stop,
            "pause": self._pause,
            "resume": self._resume,
            "seek": self._seek,
            "speed": self._speed,
            "loop": self._set_loop,
            "mute": self._mute,
            "replace": self._replace,
            "report": self._report,
            "panic": self._panic,
            "quit": self._quit,
        }
        self._tell({"event": "ready", "priority": priority[1], "sound": output.describe(), "jack_server": server})

    def run(self) -> None:
        try:
            while self._goes_on:
                self._once()
        except Closed:
            pass
        finally:
            for message in self._notes.silence():
                self._send(message)
            time.sleep(SETTLE_S)
            self._notes.forget()

    def end(self) -> None:
        self._goes_on = False

    def _once(self) -> None:
        """Send what is due, or wait for it and listen meanwhile."""
        now = _now()
        voice = min(self._voices.values(), key=_due) if self._voices else None
        left = voice.due - now if voice else NEVER
        if left > NEAR_NS:
            self._light_sleep.end()
            self._listen(now + min(left - NEAR_NS, BEAT_NS))
        elif left > self._spin:
            self._light_sleep.begin()
            self._wait(now, now + left - self._spin)
        elif now - self._listened > LISTEN_NS:
            self._listen(now)
            time.sleep(0.0001)  # a real-time thread that never sleeps is ended by the kernel
        elif voice is not None:
            due = voice.due
            while (now := _now()) < due:
                pass
            self._step(voice, now)

    def _wait(self, now: int, until: int) -> None:
        """For a message that is near: a command that would make it late is left for later."""
        if until - now < COMMAND_NS - self._spin and now - self._listened < LISTEN_NS:
            time.sleep((until - now) / 1e9)
        elif self._listen(until):
            return
        if self._is_realtime and _now() - until > OVERSLEPT_NS:
            self._light_sleep.overslept()

    def _step(self, voice: Voice, now: int) -> None:
        if voice.chase:
            wanted, voice.chase = voice.chase, []
            self._desk.chase(voice, wanted)
        if voice.count_in_at < len(voice.count_in):
            _, message = voice.count_in[voice.count_in_at]
            voice.count_in_at += 1
            self._desk.play(voice, -1, message)
        elif voice.cursor < voice.stop_index:
            self._send_event(voice, now)
        else:
            self._desk.release(voice)
            place = voice.again()
            if place is None:
                self._forget(voice)
                self._tell({"event": "finished", "session": voice.session, **self._told(voice, now)})
                return
            self._desk.chase(voice, place.chase)
        voice.plan()

    def _send_event(self, voice: Voice, now: int) -> None:
        events, cursor = voice.events, voice.cursor
        message = bytes(events.messages[events.offsets[cursor] : events.offsets[cursor + 1]])
        self._desk.play(voice, events.tracks[cursor], message)
        voice.lateness.add(now - voice.due)
        voice.cursor = cursor + 1

    def _listen(self, until: int) -> bool:
        """Wait so long, or until the agent says something, and do that; whether it did."""
        self._notes.beat()
        seconds = max(0, until - _now()) / 1e9
        if sys.platform == "win32":  # there select waits in steps of 15 ms (untested)
            time.sleep(min(seconds, 0.002))
            seconds = 0
        writers = [self._socket] if self._unsent else []
        readable, writable, _ = select.select([self._socket], writers, [], seconds)
        self._listened = _now()
        if writable:
            self._flush()
        if readable and (frame := self._reader.read()) is not None:
            self._obey(frame)
        return bool(readable or writable)

    def _obey(self, frame: Frame) -> None:
        """Places in the music are told by the number of an event, so they hold for one edition of it only."""
        head = frame.head
        voice = self._voices.get(head.get("session", ""))
        if voice is not None and head.get("edition", voice.edition) != voice.edition:
            answer: dict[str, Any] | None = {"is_stale": True}
        else:
            answer = self._commands[head["do"]](frame)
        self._tell({"re": head["n"], **(answer or {})})

    def _tell(self, head: dict[str, Any]) -> None:
        self._unsent += pack(head)
        self._flush()

    def _flush(self) -> None:
        try:
            sent = self._socket.send(self._unsent)
            del self._unsent[:sent]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            raise Closed from error

    def _play(self, frame: Frame) -> None:
        head = frame.head
        voice = Voice(head["session"], head, frame.payload)
        voice.begin(_now() + LEAD_NS)
        self._voices[voice.session] = voice

    def _stop(self, frame: Frame) -> dict[str, Any]:
        voice = self._voices.get(frame.head["session"])
        if voice is None:
            return {"sessions": {}}
        told = self._told(voice, _now())
        self._desk.silence(voice, [each for each in self._voices.values() if each is not voice])
        self._forget(voice)
        return {"sessions": {voice.session: told}}

    def _forget(self, voice: Voice) -> None:
        """Its notes have ended: if it was the last one, there is nothing that could be left sounding."""
        del self._voices[voice.session]
        if not self._voices:
            self._notes.forget()

    def _pause(self, frame: Frame) -> None:
        if voice := self._voices.get(frame.head["session"]):
            pedals = {key: message for key, message in voice.device.items() if key.endswith(".64")}
            voice.pause(_now())
            self._desk.release(voice)
            voice.chase = [*voice.chase, *pedals.items()]

    def _resume(self, frame: Frame) -> None:
        if voice := self._voices.get(frame.head["session"]):
            voice.resume(_now() + LEAD_NS)

    def _seek(self, frame: Frame) -> None:
        if voice := self._voices.get(frame.head["session"]):
            self._desk.release(voice)
            place = Jump.of(frame.head["place"])
            voice.chase = place.chase
            voice.go_to(place, _now() + LEAD_NS)

    def _speed(self, frame: Frame) -> None:
        if voice := self._voices.get(frame.head["session"]):
            voice.set_speed((frame.head["speed"][0], frame.head["speed"][1]), _now())

    def _set_loop(self, frame: Frame) -> None:
        if voice := self._voices.get(frame.head["session"]):
            voice.set_loop(Loop.of(frame.head["loop"]), _now())

    def _mute(self, frame: Frame) -> None:
        if voice := self._voices.get(frame.head["session"]):
            muted = set(frame.head["muted"])
            self._desk.release_tracks(voice, muted - voice.muted)
            voice.mute(muted)
            voice.next_music = None  # made for what was muted before

    def _replace(self, frame: Frame) -> dict[str, Any]:
        """Other music from the next time the loop begins."""
        head = frame.head
        voice, loop = self._voices.get(head["session"]), Loop.of(head["next_loop"])
        if voice is None or loop is None:
            return {"sessions": {}}
        voice.next_music = NextMusic(head["next_edition"], Events(head, frame.payload), loop, set(head["next_muted"]))
        return {"sessions": {voice.session: self._told(voice, _now())}}

    def _report(self, frame: Frame) -> dict[str, Any]:
        return {"sessions": self._all_told()}

    def _all_told(self) -> dict[str, dict[str, Any]]:
        now = _now()
        return {voice.session: self._told(voice, now) for voice in self._voices.values()}

    def _told(self, voice: Voice, now: int) -> dict[str, Any]:
        return {
            "state": voice.state(now),
            "time": voice.time_at(now),
            "loops": voice.loops,
            "edition": voice.edition,
            "lateness": voice.lateness.told(),
        }

    def _panic(self, frame: Frame) -> dict[str, Any]:
        """End everything, on every channel."""
        told = self._all_told()
        self._voices.clear()
        keys = self._notes.sounding()
        self._notes.forget()
        self._desk.forget_pedals()
        for message in (*note_offs(keys), *channels_off(list(range(16)))):
            self._send(message)
        return {"sessions": told}

    def _quit(self, frame: Frame) -> None:
        self.end()


def main(connection: socket.socket, spec: PortSpec, notes_path: Path, owed: list[bytes]) -> int:
    """`owed` ends what sounds since the port was lost."""
    notes = NoteTable(notes_path)
    server = jack_server.current()
    try:
        output = open_output(spec)
    except (PortGone, SynthMissing) as error:
        with suppress(OSError):
            connection.sendall(pack({"event": "failed", "reason": str(error)}))
        return 1
    for message in owed:
        output.send_message(message)
    if os.name != "nt":
        notes.unlink()
    connection.setblocking(False)
    player = Player(connection, output, notes, realtime.prepare(), server)
    signal.signal(signal.SIGTERM, lambda *_: player.end())
    player.run()
    close_soon(output)
    return 0
