"""What a child process shall draw. The service uses this module too, so it imports little."""

from dataclasses import dataclass, field
from typing import Literal

from consort_audio.pictures.overlay.model import Overlay

SpectrogramKind = Literal["log", "linear", "none"]


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """The frames from `first` to `end` (not included) of a file with `frames` frames. Sizes are in pixels."""

    frames: int
    first: int
    end: int
    width: int
    height: int
    spectrogram: SpectrogramKind
    format: Literal["png", "svg"]
    title: str
    overlay: Overlay = field(default_factory=Overlay)
