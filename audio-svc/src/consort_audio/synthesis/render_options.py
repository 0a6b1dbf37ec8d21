"""What to render and how, and what came out. Both sides of the pipe use these, so this module imports little."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

CEILING_DB = -1.0
"""No sample of a render is above this level, in dB relative to full scale."""


@dataclass(frozen=True)
class RenderOptions:
    soundfont: str
    output: str
    """The path of the file to write."""
    format: str
    sample_rate: int
    max_midi_bytes: int
    max_duration_s: float
    max_bytes: int
    """The largest file."""
    loudness: float | None = None
    """The wanted loudness in LUFS. None: leave the level as it is."""
    reverb: float = 0.0
    """From 0 (none) to 1."""
    tail_s: float = 0.0
    """Seconds after the end of the music."""
    program: int | None = None
    """The General MIDI program of all channels but the drums. None: the programs in the file."""
    is_drums: bool = False
    """Whether the drum kit plays everything."""
    count_in_bars: int = 0
    metronome: bool = False
    mute: Sequence[int | str] = ()
    solo: Sequence[int | str] = ()
    first_bar: int | None = None
    last_bar: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(**{field.name: data[field.name] for field in fields(cls)})


@dataclass(frozen=True)
class RenderOutcome:
    duration_s: float
    loudness: float | None
    """The loudness reached in LUFS, or None if the sound is silent or shorter than 400 ms."""
    peak_db: float | None
    """The highest sample in dB relative to full scale, or None if the sound is silent."""
    programs: list[int]
    """The General MIDI programs that play notes, without the drums."""
    has_drums: bool
    warnings: list[str]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(**{field.name: data[field.name] for field in fields(cls)})
