"""The program that a child process runs.

Import only the standard library here: unpickling the function imports the function's module.
"""

import pickle
import sys


def main() -> None:
    """Read limits, function and arguments from stdin, call the function, and write its result or exception to stdout.

    Exit with status 1 if there is not enough memory.
    """
    limits, function, args, kwargs = pickle.load(sys.stdin.buffer)
    limits.apply()
    try:
        outcome = pickle.dumps((True, function(*args, **kwargs)))
    except MemoryError:
        sys.exit(1)
    except Exception as error:
        outcome = pickle.dumps((False, error))
    sys.stdout.buffer.write(outcome)
