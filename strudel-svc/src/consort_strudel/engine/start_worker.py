"""Limit this process, then become the Node worker: `python -I start_worker.py MEMORY_MB NODE ARGUMENT...`.

Linux limits memory, and takes the network away if the kernel allows namespaces to this user. macOS and Windows
(untested) limit neither; there Node's own limit of the heap and the time limits remain. Import only the standard
library: this runs before each worker.
"""

import ctypes
import os
import subprocess
import sys

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
"""`CLONE_NEWUSER` and `CLONE_NEWNET` of Linux."""


def main() -> None:
    memory_mb, *command = sys.argv[1:]
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (int(memory_mb) * 2**20,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NETWORK)  # an empty network, or no change if that is not allowed
    if sys.platform == "win32":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
