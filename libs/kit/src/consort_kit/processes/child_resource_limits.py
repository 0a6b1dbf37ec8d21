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
        self.apply_cpu()
        self.apply_memory()

    def apply_cpu(self) -> None:
        """Kill this process after `cpu_s` more seconds of CPU time. A later call sets the limit anew."""
        if sys.platform == "win32":
            return
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        end = int(usage.ru_utime + usage.ru_stime) + 1 + self.cpu_s
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))

    def apply_memory(self) -> None:
        if sys.platform == "win32":
            return
        import resource

        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (self.memory_bytes, self.memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def memory_used() -> int:
    """Return the most memory that this process has had, in bytes; 0 on Windows."""
    if sys.platform == "win32":
        return 0
    if sys.platform == "linux":  # ru_maxrss may be that of the process which started this one
        with open("/proc/self/status") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:")), 0)
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
