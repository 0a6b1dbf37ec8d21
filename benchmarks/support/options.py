"""What a benchmark may be asked for on the command line."""

from pathlib import Path
from typing import NamedTuple


class BenchOptions(NamedTuple):
    tasks: tuple[str, ...] = ()
    """Empty: all."""
    split: str = "test"
    """The part of the truth set: tune or test."""
    data: Path | None = None
    """A folder of data sets that are not part of Consort."""
    limit: int | None = None
    """Measure only the first items of each task."""
    baselines: bool = True
    """Whether the baselines are measured too."""
