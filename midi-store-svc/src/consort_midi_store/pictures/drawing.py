"""From a file to a picture."""

from typing import Any

from consort_midi_store.pictures.models import RenderPianoRoll
from consort_midi_store.pictures.png import png_of
from consort_music.midi.reader import Limits, read_midi
from consort_music.midi.track_names import find_tracks, track_names
from consort_music.piano_roll import draw_piano_roll, window_of_bars


def picture_of(content: bytes, max_bytes: int, request: dict[str, Any], title: str | None) -> bytes:
    """`request` is a RenderPianoRoll as plain data, since this may run in a child."""
    wanted = RenderPianoRoll.model_construct(**request)
    file = read_midi(content, Limits(max_bytes=max_bytes))
    tracks = None if wanted.tracks is None else find_tracks(track_names(file.tracks), wanted.tracks)
    start = end = None
    if wanted.last_bar is not None:
        start, end = window_of_bars(file, wanted.first_bar or 1, wanted.last_bar, tracks)
    elif wanted.first_bar is not None:
        start, _ = window_of_bars(file, wanted.first_bar, wanted.first_bar, tracks)
    svg = draw_piano_roll(
        file,
        width=wanted.width,
        height=wanted.height,
        start_beat=start,
        end_beat=end,
        tracks=tracks,
        title=wanted.title or title,
    )
    return png_of(svg) if wanted.format == "png" else svg.encode()
