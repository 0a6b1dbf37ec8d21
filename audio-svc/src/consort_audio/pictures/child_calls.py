"""The function that the service runs in a child process. It imports numpy only when it is called, in the child."""

from pathlib import Path

from consort_audio.pictures.picture_request import PictureRequest


def draw_in_child(path: Path, request: PictureRequest) -> bytes:
    """Return the picture as PNG or SVG. Raise MusicError if the file cannot be decoded."""
    from consort_audio.pictures.drawing.picture import draw_audio_picture

    return draw_audio_picture(path, request)
