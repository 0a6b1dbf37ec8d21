"""The program of a worker of `function_workers`: read a job from stdin, do it, write the answer to stdout, and so on.

It ends when stdin closes, which happens when the service dies. Import only what imports the standard library alone.
"""

import gc
import importlib
import os
import pickle
import struct
import sys
from contextlib import suppress
from typing import BinaryIO

from consort_kit.processes.child_resource_limits import ChildLimits, memory_used

_SIZE = struct.Struct(">Q")
_GROWTH = 2
"""A worker that needed more than this part of its memory limit ends, because Python may not give the memory back."""


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next frame, or None at the end of the stream."""
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    (size,) = _SIZE.unpack(head)
    body = stream.read(size)
    return body if len(body) == size else None


def write_frame(stream: BinaryIO, body: bytes) -> None:
    stream.write(_SIZE.pack(len(body)) + body)
    stream.flush()


def main() -> None:
    """Do jobs until stdin closes. Exit with status 1 if there is not enough memory."""
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a function prints must not get between the frames
    setup = read_frame(jobs)
    if setup is None:
        return
    imports, memory_bytes = pickle.loads(setup)
    for name in imports:
        importlib.import_module(name)
    gc.freeze()  # these objects stay, so garbage collection need not look at them
    ChildLimits(memory_bytes=memory_bytes).apply_memory()
    while (job := read_frame(jobs)) is not None:
        cpu_s, function, args, kwargs = pickle.loads(job)
        ChildLimits(cpu_s).apply_cpu()
        try:
            ok, value = True, function(*args, **kwargs)
        except MemoryError:
            sys.exit(1)
        except Exception as error:
            ok, value = False, error
        answer = pickle.dumps((ok, value, memory_used() < memory_bytes / _GROWTH))
        with suppress(BrokenPipeError):  # the service died
            write_frame(answers, answer)


if __name__ == "__main__":
    main()
