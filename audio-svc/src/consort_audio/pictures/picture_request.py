"""What a child process shall draw. The service uses this module too, so it imports little."""

from dataclasses import dataclass
from pathlib import Path
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
    overlay: Overlay


def draw_in_child(path: Path, request: PictureRequest) -> bytes:
    """Return the picture as PNG or SVG. Raise MusicError if the file cannot be decoded."""
    from consort_audio.pictures.drawing.picture import draw_audio_picture  # imports numpy, only in the child

    return draw_audio_picture(path, request)
