"""Draw the piano roll of a MIDI file. Runs in a child process for large files, so it imports little."""

from collections.abc import Sequence
from typing import Literal

from consort_kit.png import render_png
from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.track_names import find_tracks, has_title_track, track_names
from consort_music.piano_roll import draw_piano_roll


def draw_picture(
    content: bytes,
    max_bytes: int,
    *,
    format: Literal["png", "svg"],
    tracks: Sequence[int | str] | None,
    first_bar: int | None,
    last_bar: int | None,
    width: int,
    height: int,
    title: str | None,
    skips_title: bool = False,
) -> bytes:
    """Return the picture as PNG or SVG. `tracks` are indexes (from 0) or names; width and height are in pixels.

    With `skips_title`, a first track that only has the title and the tempo is not counted, as for songs and scores.
    Raise MusicError if the content is not a valid MIDI file, or it has no such track or bars.
    """
    file = read_midi(content, ReaderLimits(max_bytes=max_bytes))
    indexes = None
    if tracks is not None:
        first = int(skips_title and has_title_track(file))
        indexes = [first + index for index in find_tracks(track_names(file.tracks[first:]), tracks)]
    start = end = None
    if last_bar is not None:
        start, end = window_of_bars(file, first_bar or 1, last_bar, indexes)
    elif first_bar is not None:
        start, _ = window_of_bars(file, first_bar, first_bar, indexes)
    svg = draw_piano_roll(file, width=width, height=height, start_beat=start, end_beat=end, tracks=indexes, title=title)
    return render_png(svg) if format == "png" else svg.encode()
