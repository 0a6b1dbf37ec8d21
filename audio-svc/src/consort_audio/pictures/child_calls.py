"""The function that the service runs in a child process. It imports numpy only when it is called, in the child."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from consort_audio.pictures.overlay.from_music import KnownMusic, known_overlay
from consort_audio.pictures.overlay.model import Layer, Overlay
from consort_audio.pictures.picture_request import PictureRequest
from consort_music.errors import MusicError


class ChildPicture(NamedTuple):
    content: bytes
    """PNG or SVG."""
    layers: list[Layer]
    """What is drawn in."""
    problem: str | None
    """Why the music could not be read, or None."""


def draw_in_child(
    path: Path,
    request: PictureRequest,
    sample_rate: int,
    music: KnownMusic | None,
    layers: Collection[Layer],
) -> ChildPicture:
    """Draw the picture with these layers of the music, and with the request's overlay where the music has none.

    Raise MusicError if the audio cannot be decoded.
    """
    from consort_audio.pictures.drawing.picture import draw_audio_picture

    overlay, problem = Overlay(), None
    if music is not None:
        try:
            overlay = known_overlay(music, layers, request.first / sample_rate, request.end / sample_rate)
        except MusicError as error:
            problem = str(error)
        except MemoryError:
            problem = "It has too many notes."
    overlay = overlay.filled_from(request.overlay)
    content = draw_audio_picture(path, replace(request, overlay=overlay))
    return ChildPicture(content, overlay.layers, problem)
