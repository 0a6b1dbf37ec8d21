"""Limits of CPU time and memory for a child process.

Import only the standard library here, because the child imports this module.
"""

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class ChildLimits:
    """CPU time and memory of a child, and the input size up to which no child is started."""

    cpu_s: int = 5
    memory_bytes: int = 512 * 1024 * 1024
    max_size_without_child: int = 256 * 1024
    """In bytes or characters. A small input needs little time and memory, and starting a child would take longer."""

    def apply(self) -> None:
        """Limit this process from now on. CPU time used so far, such as for imports, is not counted; memory is.

        macOS limits only CPU time. Windows limits nothing.
        """
        if sys.platform == "win32":
            return
        import resource

        used = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (used + self.cpu_s, used + self.cpu_s + 1))
        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (self.memory_bytes, self.memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
