"""The facts that are stored about an audio file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AudioFacts:
    format: str
    sample_rate: int
    channels: int
    frames: int
    bytes: int
    sha256: str
    peak_db: float | None
    """The highest sample in dB relative to full scale; None if all samples are zero."""
    loudness: float | None
    """In LUFS; None if the audio is shorter than 400 ms or silent."""
