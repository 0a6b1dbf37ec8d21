"""The child program that reports the running MIDI systems and their ports, every 0.4 seconds and on request.

Sending to a port that has disappeared raises no error, so the agent uses this list to notice it.

A client whose JACK server has stopped keeps reporting the old ports, so the program makes a new JACK client every two
seconds. It does not do this more often, because a connecting client interrupts the clients that are playing. It makes
a new client immediately if the agent asks to reconnect, or if another JACK server is running.

A JACK server that was held up for a second drops clients and refuses new ones for a moment, though all ports are still
there. So a JACK port counts as gone only if new clients do not see it either.
"""

import select
import socket
import time
from contextlib import suppress
from typing import Any

import rtmidi

from consort_playback.child_programs.jack_server import current_server
from consort_playback.child_programs.outputs import APIS, available_apis
from consort_playback.protocol.commands import FIRST_COMMANDS, PORT_LISTS, ListPorts, PortList
from consort_playback.protocol.socket_frames import ConnectionClosed, SocketFrameReader

LIST_EVERY_S = 0.4
RENEW_JACK_S = 2.0
CONFIRM_S = 0.25
"""Seconds before a JACK port that seems to be gone is looked for again."""
CONFIRMATIONS = 3
CLIENT_NAME = "Consort port list"


class PortLister:
    def __init__(self) -> None:
        self._clients: dict[str, Any] = {}
        """Our rtmidi client, by MIDI system."""
        self._renew_at = 0.0
        """When the JACK client is replaced, in seconds of the monotonic clock."""
        self._server = current_server()
        self._jack_ports: set[str] | None = None
        """The JACK ports in the last list, or None before the first one."""

    def run(self, connection: socket.socket, request: int) -> None:
        """Send the list repeatedly. Raise ConnectionClosed or OSError when the agent closes the connection.

        `request` is the number of the request that started this program.
        """
        reader = SocketFrameReader(connection)
        while True:
            ports = self.list_ports()
            connection.sendall(PORT_LISTS.encode(PortList(ports, self._server, request)))
            while select.select([connection], [], [], LIST_EVERY_S)[0]:
                if frame := reader.read():
                    _, command = FIRST_COMMANDS.decode(frame)
                    if isinstance(command, ListPorts):
                        request = command.request  # the next list is made after this request
                        if command.reconnect:
                            self._renew_at = 0.0
                    break

    def close(self) -> None:
        """Close our clients. A client that exits without closing blocks a JACK server in synchronous mode."""
        for client in self._clients.values():
            client.delete()

    def list_ports(self) -> dict[str, list[str] | None]:
        """Return the port names by MIDI system, with None for a system that is not running."""
        if (server := current_server()) != self._server:
            self._server, self._renew_at = server, 0.0
        return {api: self._ports_of(api) for api in available_apis()}

    def _ports_of(self, api: str) -> list[str] | None:
        names = self._ask(api)
        if api == "jack":
            for _ in range(CONFIRMATIONS):
                if not self._seems_lost(names):
                    break
                time.sleep(CONFIRM_S)
                self._renew_at = 0.0
                names = self._ask(api)
            self._jack_ports = set(names or ())
        return names

    def _seems_lost(self, names: list[str] | None) -> bool:
        """Return whether ports of the last list are missing. Before the first list: whether a known server refuses."""
        if self._jack_ports is None:
            return names is None and self._server is not None
        return bool(self._jack_ports - set(names or ()))

    def _ask(self, api: str) -> list[str] | None:
        """Return the port names of a MIDI system, or None if it is not running."""
        client = self._clients.pop(api, None)
        try:
            if client is not None and api == "jack" and time.monotonic() > self._renew_at:
                client.delete()
                client = None
            if client is None:
                client = rtmidi.MidiOut(APIS[api], name=CLIENT_NAME)
                if api == "jack":
                    self._renew_at = time.monotonic() + RENEW_JACK_S
            names: list[str] = client.get_ports()
        except rtmidi.RtMidiError:
            return None
        self._clients[api] = client
        return [name for name in names if CLIENT_NAME not in name]


def main(connection: socket.socket, task: ListPorts) -> int:
    lister = PortLister()
    with suppress(ConnectionClosed, OSError):  # the agent has closed the connection
        lister.run(connection, task.request)
    lister.close()
    return 0
