"""What a worker gets to do: a tool, its options, and the audio files that it listens to."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from consort_audio.signals.recording import Recording


class ListeningTask(NamedTuple):
    tool: str
    options: dict[str, Any]
    paths: list[Path]
    """The audio files, in the order of the tool's parameters."""
    read: Callable[[int], "Recording"]
    """Returns the recording of the file with this index. It is decoded once, and kept for the next request."""
    report: Callable[[float], None]
    """Reports how much is done, from 0 to 1."""
