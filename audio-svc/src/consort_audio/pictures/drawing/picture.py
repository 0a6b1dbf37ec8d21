"""Draw the picture of an audio file. Runs in a child process, because decoding and measuring take CPU and memory."""

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from consort_audio.codecs.decoding import AudioReader, open_audio
from consort_audio.codecs.samples import Samples
from consort_audio.pictures.drawing.fault_marks import draw_faults
from consort_audio.pictures.drawing.layout import AudioLayout, divide_audio_picture, horizontal_edges
from consort_audio.pictures.drawing.overlay_marks import draw_chords, draw_notes, place_chords
from consort_audio.pictures.drawing.rulers import draw_bars, draw_second_lines, draw_seconds_below
from consort_audio.pictures.drawing.spectrogram_image import (
    FrequencyAxis,
    draw_level_key,
    draw_spectrogram,
    frequency_axis,
)
from consort_audio.pictures.drawing.waveform import SILENCE_DB, draw_clipping, draw_waveform
from consort_audio.pictures.measuring.columns import Columns
from consort_audio.pictures.measuring.envelope import MOST_LANES, Envelope
from consort_audio.pictures.measuring.measure import Measured, measure
from consort_audio.pictures.measuring.spectrogram import Spectrogram
from consort_audio.pictures.picture_request import PictureRequest, SpectrogramKind
from consort_kit.png import render_png
from consort_music.pictures import colours
from consort_music.pictures.heading import MARGIN, LegendItem, draw_legend, draw_title, legend_rows
from consort_music.pictures.svg import Svg, clean_line
from consort_music.pictures.time_axis import TimeAxis, clock

_FULL_LEGEND_HEIGHT = 360  # pictures with a smaller height have only one legend row
_NARROWEST_WITH_KEY = 560
_SHORTEST_SPECTROGRAM_S = 0.01  # shorter audio has no frequencies to show


def draw_audio_picture(path: Path, request: PictureRequest) -> bytes:
    """Return the picture as PNG or SVG. Raise MusicError if the file cannot be decoded."""
    with open_audio(path) as audio:
        svg = draw_svg(audio, request)
    return render_png(svg) if request.format == "png" else svg.encode()


def draw_svg(audio: AudioReader, request: PictureRequest) -> str:
    """Measure an open file and return its picture as SVG text."""
    rate, overlay = audio.sample_rate, request.overlay
    left, right = horizontal_edges(request.width)
    time = TimeAxis(Fraction(request.first, rate), Fraction(request.end, rate), left, right)
    chords = place_chords(time, overlay.chords)
    kind = "none" if request.end - request.first < rate * _SHORTEST_SPECTROGRAM_S else request.spectrogram
    voices = overlay.voices if kind != "none" else ()  # notes are drawn over the spectrogram
    items = [LegendItem(voice.colour, voice.name, voice.detail, len(voice.notes)) for voice in voices]
    rows = legend_rows(items, request.width, 2 if request.height >= _FULL_LEGEND_HEIGHT else 1)
    layout = divide_audio_picture(
        request.width,
        request.height,
        lanes=audio.channels if audio.channels <= MOST_LANES else 1,
        legend_rows=len(rows),
        has_spectrogram=kind != "none",
        has_faults=bool(overlay.faults),
        has_chords=bool(chords),
        has_bars=bool(overlay.beats),
    )
    columns = Columns(request.first, request.end, layout.width, rate)
    pitch = _frequency_axis(kind, layout, rate)
    measured = _measure(audio, columns, pitch)

    svg = Svg()
    svg.rect(0, 0, request.width, request.height, colours.PAPER)
    for pane in layout.panes:
        svg.rect(layout.pane_left, pane.top, layout.pane_right - layout.pane_left, pane.height, colours.SHEET)
    loudest = None
    if pitch is not None and measured.power is not None:
        loudest = draw_spectrogram(svg, layout, pitch, measured.power)
    title = clean_line(request.title)
    facts = _facts(audio, request.frames, columns, measured.envelope)
    _draw_heading(svg, request.width, title, facts, loudest)
    draw_legend(svg, rows)
    draw_waveform(svg, layout, measured.envelope)
    if overlay.beats:
        draw_bars(svg, layout, time, overlay.beats)
    else:
        draw_second_lines(svg, layout, time)
    draw_seconds_below(svg, layout, time)
    draw_clipping(svg, layout, measured.envelope)
    if pitch is not None:
        draw_notes(svg, layout, time, pitch, voices)
    if layout.chords is not None:
        draw_chords(svg, layout.chords, chords)
    if layout.faults is not None:
        draw_faults(svg, layout, time, layout.faults, overlay.faults)
    _draw_borders(svg, layout)
    return svg.document(request.width, request.height, f"Waveform of {title}: {facts}")


def _frequency_axis(kind: SpectrogramKind, layout: AudioLayout, sample_rate: int) -> FrequencyAxis | None:
    if kind == "none" or layout.spectrogram is None:
        return None
    return frequency_axis(kind, layout.spectrogram, sample_rate)


def _measure(audio: AudioReader, columns: Columns, pitch: FrequencyAxis | None) -> Measured:
    spectrogram = None
    if pitch is not None:
        spectrogram = Spectrogram(columns, pitch.edges_hz(), audio.channels, is_log=pitch.kind == "log")
    reach = spectrogram.reach if spectrogram is not None else 0
    first = max(0, columns.first - reach)
    return measure(
        _until(audio.blocks(first), columns.end + reach - first), first, columns, audio.channels, spectrogram
    )


def _until(blocks: Iterator[Samples], frames: int) -> Iterator[Samples]:
    """Yield blocks with this many frames in all, and read no more."""
    left = frames
    for block in blocks:
        yield block[:left]
        left -= len(block)
        if left <= 0:
            return


def _facts(audio: AudioReader, frames: int, columns: Columns, envelope: Envelope) -> str:
    length = _time(Fraction(frames, columns.sample_rate))
    if columns.frames < frames:
        length = f"{_time(columns.start_time)}-{_time(columns.end_time)} of {length}"
    channels = {1: "mono", 2: "stereo"}.get(audio.channels, f"{audio.channels} channels, mixed")
    return " · ".join((length, channels, f"{columns.sample_rate / 1000:g} kHz", *_levels(envelope)))


def _time(seconds: Fraction) -> str:
    """Return a time as 0:07.25 or 3:05; times over a minute are rounded to seconds, very short ones are in ms."""
    if 0 < seconds < Fraction(1, 10):
        return f"{float(seconds * 1000):.3g} ms"
    return clock(Fraction(round(seconds * 100), 100) if seconds < 60 else round(seconds))


def _levels(envelope: Envelope) -> list[str]:
    if envelope.peak <= 10 ** (SILENCE_DB / 20):
        return ["silence"]
    peak = f"peak {20 * math.log10(envelope.peak):.1f} dB"
    return [peak, "clipped"] if envelope.clipped.any() else [peak]


def _draw_heading(svg: Svg, width: int, title: str, facts: str, loudest: float | None) -> None:
    right = width - MARGIN
    if loudest is not None and width >= _NARROWEST_WITH_KEY:
        right = draw_level_key(svg, right, loudest) - 18
    draw_title(svg, right, title, facts)


def _draw_borders(svg: Svg, layout: AudioLayout) -> None:
    for pane in layout.panes:
        left, right = layout.pane_left + 0.5, layout.pane_right - 0.5
        top, bottom = pane.top + 0.5, pane.bottom - 0.5
        svg.path([f"M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}z"], colours.BAR_LINE)
