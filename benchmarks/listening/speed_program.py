"""Run tools on one file in a separate, warm process, and print CPU seconds and the peak of the memory as JSON.

Arguments: the file, a short file that warms the process up, and the tools as JSON: {tool: options}. CPU seconds include
decoding, which happens once.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    path, warm_up, tools = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
    from benchmarks.listening.our_tools import HeardFile

    first = HeardFile(warm_up)
    for tool, options in tools.items():
        first.answer(tool, **options)
    began, began_wall = time.process_time(), time.perf_counter()
    file = HeardFile(path)
    for tool, options in tools.items():
        file.answer(tool, **options)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(
        json.dumps(
            {
                "cpu_s": time.process_time() - began,
                "wall_s": time.perf_counter() - began_wall,
                "sound_s": file.recording.duration,
                "peak_mb": peak / 1e6,
            }
        )
    )


if __name__ == "__main__":
    main()
