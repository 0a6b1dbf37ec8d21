"""The scout: tells the agent which MIDI systems are there and which ports they have, whenever that changes.

JACK is asked by a new client every two seconds: one that outlives its server goes on answering what was true before.
Not more often, because to let a client in JACK holds up those who are playing; but at once when the agent asks `anew`,
or when the server is another one than before.
"""

import select
import socket
import time
from contextlib import suppress
from typing import Any

import rtmidi

from consort_playback.player import jack_server
from consort_playback.player.outputs import APIS, here
from consort_playback.player.wire import Closed, FrameReader, pack

LOOK_EVERY_S = 0.4
RENEW_JACK_S = 2.0
SCOUT_NAME = "Consort scout"


class Scout:
    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._kept: dict[str, Any] = {}
        """Our client of each MIDI system."""
        self._renew_at = 0.0
        self._server = jack_server.current()

    def run(self) -> None:
        reader = FrameReader(self._socket)
        asked = 0
        while True:
            ports = self.look()
            self._socket.sendall(pack({"ports": ports, "jack_server": self._server, "asked": asked}))
            while select.select([self._socket], [], [], LOOK_EVERY_S)[0]:
                if frame := reader.read():
                    asked = frame.head["asked"]  # what is told next was looked at after this
                    if frame.head.get("anew"):
                        self._renew_at = 0.0
                    break

    def close(self) -> None:
        """Leave the MIDI systems in order: a client that goes without a word holds up a synchronous JACK server."""
        for client in self._kept.values():
            client.delete()

    def look(self) -> dict[str, list[str] | None]:
        """By MIDI system the names of its ports; None where the system itself is not there."""
        if (server := jack_server.current()) != self._server:
            self._server, self._renew_at = server, 0.0
        return {api: self._ports(api) for api in here()}

    def _ports(self, api: str) -> list[str] | None:
        client = self._kept.pop(api, None)
        try:
            if client is not None and api == "jack" and time.monotonic() > self._renew_at:
                client.delete()
                client = None
            if client is None:
                client = rtmidi.MidiOut(APIS[api], name=SCOUT_NAME)
                if api == "jack":
                    self._renew_at = time.monotonic() + RENEW_JACK_S
            names: list[str] = client.get_ports()
        except rtmidi.RtMidiError:
            return None
        self._kept[api] = client
        return [name for name in names if SCOUT_NAME not in name]


def main(connection: socket.socket) -> int:
    scout = Scout(connection)
    with suppress(Closed, OSError):  # the agent is gone
        scout.run()
    scout.close()
    return 0
