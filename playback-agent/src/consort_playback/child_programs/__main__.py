"""`python -m consort_playback.child_programs PROGRAM SOCKET` runs a child program.

The first frame that arrives on the socket is its task.
"""

import os
import signal
import socket
import sys

from consort_playback.protocol.codec import ProtocolError
from consort_playback.protocol.commands import FIRST_COMMANDS, EndNotes, ListPorts, OpenPort
from consort_playback.protocol.socket_frames import ConnectionClosed, SocketFrameReader


def main() -> int:
    """Run the child program that the command line names. Return its exit code."""
    program, handle = sys.argv[1:]
    if sys.platform == "win32":  # not tested on Windows
        connection = socket.fromshare(sys.stdin.buffer.read())
    else:
        connection = socket.socket(fileno=int(handle))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # after Ctrl-C in a terminal, the agent ends its children itself
    try:
        _, task = FIRST_COMMANDS.decode(SocketFrameReader(connection).read_whole())
    except ConnectionClosed:
        return 0
    if program == "list_ports" and isinstance(task, ListPorts):
        from consort_playback.child_programs import list_ports

        return list_ports.main(connection, task)
    if program == "end_notes" and isinstance(task, EndNotes):
        from consort_playback.child_programs import end_notes

        return end_notes.main(task)
    if program == "play_port" and isinstance(task, OpenPort):
        from consort_playback.child_programs import play_port

        return play_port.main(connection, task)
    raise ProtocolError(f"{program!r} is not a child program, or {type(task).__name__} is not its task.")


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # closing a port whose server has died can hang
