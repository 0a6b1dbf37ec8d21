"""`python -m consort_playback.player WHAT SOCKET`: the first frame on the socket says the rest."""

import os
import signal
import socket
import sys
from pathlib import Path

from consort_playback.player.wire import Closed, Frame, FrameReader


def main() -> int:
    what, handle = sys.argv[1:]
    if sys.platform == "win32":  # untested there
        connection = socket.fromshare(sys.stdin.buffer.read())
    else:
        connection = socket.socket(fileno=int(handle))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at a terminal is for the agent, which then ends us
    try:
        told = _first_frame(connection)
    except Closed:
        return 0
    if what == "scout":
        from consort_playback.player import scout

        code = scout.main(connection)
    elif what == "silence":
        from consort_playback.player import silence

        code = silence.main(told.head["port"], _messages(told.head["messages"]))
    else:
        from consort_playback.player import play

        code = play.main(connection, told.head["port"], Path(told.head["notes"]), _messages(told.head["owed"]))
    return code


def _messages(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def _first_frame(connection: socket.socket) -> Frame:
    reader = FrameReader(connection)
    while (frame := reader.read()) is None:
        pass
    return frame


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # closing a port whose server has died can hang
