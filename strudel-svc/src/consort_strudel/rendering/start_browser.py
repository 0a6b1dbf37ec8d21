"""Prepare this process, then become Chromium: `python -I start_browser.py READ_FD WRITE_FD PROGRAM ARGUMENT...`.

The debugging pipe becomes descriptors 3 and 4, where Chromium expects it. On Linux the process moves to an empty
network, if the kernel allows it, and ends together with its parent. Import only the standard library.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
"""`CLONE_NEWUSER` and `CLONE_NEWNET` of Linux."""
_DIE_WITH_PARENT = 1
"""`PR_SET_PDEATHSIG` of Linux."""


def main() -> None:
    read_end, write_end = map(int, sys.argv[1:3])
    command = sys.argv[3:]
    if sys.platform == "linux":
        leave_network()
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    os.dup2(read_end, 3)
    os.dup2(write_end, 4)
    os.execv(command[0], command)


def leave_network() -> bool:
    """Move to an empty network. Return whether that was allowed."""
    user, group = os.getuid(), os.getgid()
    library = ctypes.CDLL(None)
    if library.unshare(_NEW_NETWORK) == 0:
        return True
    if library.unshare(_NEW_USER | _NEW_NETWORK) != 0:
        return False
    with suppress(OSError):  # stay the same user, so that files can be written
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    return True


if __name__ == "__main__":
    main()
