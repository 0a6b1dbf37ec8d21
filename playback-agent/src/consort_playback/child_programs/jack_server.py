"""Identifies the running JACK server, so that a restart is noticed.

A restarted server can have the same name and the same ports. A client of the previous server is not connected to it,
but gets no error: its messages are lost.
"""

import os

_FOLDER = "/dev/shm"


def current_server() -> str | None:
    """Return a text that identifies the server to which a new client would connect.

    It is made from the server's socket file, which only JACK 2 has. Return None if there is no such file.
    """
    if os.name == "nt":
        return None
    name = os.environ.get("JACK_DEFAULT_SERVER", "default")
    for socket in (f"jack_{name}_{os.getuid()}_0", f"jack_{name}_0"):
        try:
            status = os.stat(f"{_FOLDER}/{socket}")
        except OSError:
            continue
        return f"{status.st_ino}.{status.st_ctime_ns}"
    return None
