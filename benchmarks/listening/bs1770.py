"""The loudness of a file by FFmpeg's `ebur128` filter, which does not share code with our meter."""

from pathlib import Path

import av


def integrated_loudness(path: Path) -> float:
    """Return the integrated loudness in LUFS."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        graph = av.filter.Graph()
        source = graph.add_abuffer(template=stream)
        meter = graph.add("ebur128", "metadata=1")
        sink = graph.add("abuffersink")
        source.link_to(meter)
        meter.link_to(sink)
        graph.configure()
        value = float("-inf")
        for frame in [*container.decode(stream), None]:
            graph.push(frame)
            while True:
                try:
                    heard = graph.pull()
                except (av.error.BlockingIOError, av.error.EOFError):
                    break
                if (text := heard.metadata.get("lavfi.r128.I")) is not None:
                    value = float(text)
    return value
