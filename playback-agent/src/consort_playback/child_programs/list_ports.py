"""The child program that reports the running MIDI systems and their ports, every 0.4 seconds and on request.

Sending to a port that has disappeared raises no error, so the agent uses this list to notice it.

A client whose JACK server has stopped keeps reporting the old ports, so the program makes a new JACK client every two
seconds. It does not do this more often, because a connecting client interrupts the clients that are playing. It makes
a new client immediately if the agent asks to reconnect, or if another JACK server is running.
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
CLIENT_NAME = "Consort port list"


class PortLister:
    def __init__(self) -> None:
        self._clients: dict[str, Any] = {}
        """Our rtmidi client, by MIDI system."""
        self._renew_at = 0.0
        """When the JACK client is replaced, in seconds of the monotonic clock."""
        self._server = current_server()

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
