"""Parse references to pieces of the score library: `corpus:bach/bwv66.6#1-4`."""

import re
from dataclasses import dataclass

from consort_music.errors import MusicError, quoted
from consort_music.measure_ranges import parse_measure_range

PREFIX = "corpus:"
EXAMPLE = "corpus:bach/bwv66.6"
_EXTENSION = re.compile(r"\.(?:mxl|xml|musicxml|krn|abc)$", re.IGNORECASE)


@dataclass(frozen=True)
class LibraryReference:
    name: str
    """The name in the catalogue, such as `bach/bwv66.6`."""
    bars: tuple[int, int] | None = None
    """The first and last bar, or None for the whole piece."""

    @property
    def text(self) -> str:
        bars = "" if self.bars is None else f"#{self.bars[0]}-{self.bars[1]}"
        return f"{PREFIX}{self.name}{bars}"


def is_reference(text: str) -> bool:
    return text.strip().lower().startswith(PREFIX)


def parse_reference(text: str) -> LibraryReference:
    """Return the reference that a text is. Raise INVALID_INPUT if its bars cannot be read."""
    name, separator, bars = text.strip()[len(PREFIX) :].partition("#")
    found = parse_measure_range(re.sub(r"^\s*(?:bars?|m|mm|measures?)\b\.?", "", bars)) if separator else None
    if separator and (found is None or found[1] < found[0]):
        raise MusicError(
            "INVALID_INPUT",
            f"{quoted(bars)} are not bars of {quoted(PREFIX + name)}. Write the first and the last, such as"
            f" {EXAMPLE}#1-4.",
            [f"{EXAMPLE}#1-4"],
        )
    return LibraryReference(_EXTENSION.sub("", name.strip().strip("/")), found)
