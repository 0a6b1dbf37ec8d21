"""Pictures of audio as SVG and PNG: axes, waveform, spectrogram and what is drawn over them."""

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from consort_audio.pictures.child_calls import draw_in_child
from consort_audio.pictures.drawing.colour_map import LEVELS, colour_map
from consort_audio.pictures.drawing.fault_marks import SHAPES
from consort_audio.pictures.drawing.picture import draw_audio_picture
from consort_audio.pictures.overlay.from_music import KnownMusic, RenderedPart
from consort_audio.pictures.overlay.model import (
    Overlay,
    OverlayBeat,
    OverlayChord,
    OverlayFault,
    OverlayNote,
    OverlayVoice,
)
from consort_audio.pictures.picture_request import PictureRequest
from tests.support.audio_files import Signal, sine
from tests.support.audio_pictures import SVG, AudioPicture, png_rows
from tests.support.rendering import scale_file

RATE = 44_100


def draw_bytes(folder: Path, signal: Signal, rate: int = RATE, **options: Any) -> bytes:
    path = folder / "sound.wav"
    soundfile.write(path, signal, rate, subtype="FLOAT")
    defaults = {
        "frames": len(signal),
        "first": 0,
        "end": len(signal),
        "width": 600,
        "height": 400,
        "spectrogram": "log",
        "format": "svg",
        "title": "Test",
        "overlay": Overlay(),
    }
    return draw_audio_picture(path, PictureRequest(**{**defaults, **options}))


def draw(folder: Path, signal: Signal, rate: int = RATE, **options: Any) -> AudioPicture:
    return AudioPicture(draw_bytes(folder, signal, rate, **options))


def voice(*notes: OverlayNote, is_drums: bool = False) -> OverlayVoice:
    return OverlayVoice("Flute", "", "#0072B2", is_drums, notes)


def pitch_at(picture: AudioPicture, row: int) -> float:
    _, _, _, height = picture.image_area()
    return 108.5 - (row + 0.5) * 88 / height


def test_the_darkest_row_of_a_tone_is_its_note(tmp_path: Path) -> None:
    picture = draw(tmp_path, sine(440, 1.0))
    levels = picture.levels()
    rows = np.flatnonzero(levels[:, 250] == levels.max())
    assert pitch_at(picture, int(np.median(rows))) == pytest.approx(69, abs=0.5)
    assert {f"C{octave}" for octave in range(1, 8)} <= set(picture.texts)


def test_silence_is_flat(tmp_path: Path) -> None:
    picture = draw(tmp_path, np.zeros((RATE, 1), dtype=np.float32))
    assert not picture.levels().any()
    (outline,) = (each for each in picture.root.iter(f"{SVG}polygon") if "#0072B2" in each.get("fill", ""))
    heights = {float(point.split(",")[1]) for point in outline.get("points", "").split()}
    assert max(heights) - min(heights) < 1
    assert any("silence" in text for text in picture.texts)


def test_a_click_at_the_very_start_is_beside_the_border(tmp_path: Path) -> None:
    click = np.zeros((10 * RATE, 1), dtype=np.float32)
    click[:200] = 0.9
    picture = draw(tmp_path, click)
    (outline,) = (each for each in picture.root.iter(f"{SVG}polygon") if "#0072B2" in each.get("fill", ""))
    first, second, third = (tuple(map(float, each.split(","))) for each in outline.get("points", "").split()[:3])
    assert first[1] == second[1] < third[1] - 5, "the first column is drawn with its whole width"
    borders = [path.get("d", "") for path in picture.root.iter(f"{SVG}path") if path.get("d", "").endswith("z")]
    lefts = [float(match[1]) for border in borders if (match := re.match(r"M([\d.]+) [\d.]+H", border))]
    assert lefts and max(lefts) <= first[0] - 2


@pytest.mark.parametrize("shape", [(10, 1), (1, 2), (600, 1)])
def test_very_short_audio_is_a_curve_without_a_spectrogram(tmp_path: Path, shape: tuple[int, int]) -> None:
    picture = draw(tmp_path, np.full(shape, 0.5, dtype=np.float32), 192_000)
    assert picture.image is None
    curves = list(picture.root.iter(f"{SVG}polyline"))
    assert [len(curve.get("points", "").split()) for curve in curves] == [shape[0]] * shape[1]


def test_stereo_has_two_lanes_and_eight_channels_one(tmp_path: Path) -> None:
    assert {"L", "R"} <= set(draw(tmp_path, sine(440, 0.2, channels=2)).texts)
    mixed = draw(tmp_path, sine(440, 0.2, 192_000, channels=8), 192_000)
    assert not {"L", "R"} & set(mixed.texts)
    assert any("8 channels, mixed · 192 kHz" in text for text in mixed.texts)


def test_clipping_is_marked_where_it_is(tmp_path: Path) -> None:
    signal = sine(440, 1.0, level_db=-3)
    signal[RATE // 2 : RATE // 2 + 200] = 1.0
    picture = draw(tmp_path, signal)
    (group,) = picture.groups("clipped")
    left, _, width, _ = picture.image_area()
    xs = [float(rect.get("x", "0")) for rect in group.iter(f"{SVG}rect")]
    assert xs and all(abs(x - left - width / 2) <= 3 for x in xs)
    assert any("clipped" in text for text in picture.texts)
    assert not draw(tmp_path, sine(440, 1.0, level_db=-3)).groups("clipped")


def test_notes_are_drawn_where_the_sound_is(tmp_path: Path) -> None:
    pitches = (60, 64, 67, 72, 45)
    tones = [sine(440 * 2 ** ((pitch - 69) / 12), 0.5) for pitch in pitches]
    notes = [OverlayNote(index / 2, index / 2 + 0.5, pitch) for index, pitch in enumerate(pitches)]
    picture = draw(tmp_path, np.concatenate(tones), overlay=Overlay(voices=(voice(*notes),)))
    left, top, _, _ = picture.image_area()
    levels = picture.levels()
    boxes = picture.notes()
    assert len(boxes) == len(pitches)
    for x, y, right, bottom in boxes:
        column = levels[:, round((x + right) / 2) - left]
        assert y - 1 <= top + int(np.median(np.flatnonzero(column == column.max()))) <= bottom


def test_bars_and_seconds_are_on_the_axes(tmp_path: Path) -> None:
    beats = tuple(OverlayBeat(0.5 + index / 2, 1 + index // 4, 1 + index % 4) for index in range(16))
    picture = draw(tmp_path, sine(440, 9.0), overlay=Overlay(beats=beats))
    left, _, width, _ = picture.image_area()
    numbers = {text.text: float(text.get("x", "0")) for text in picture.root.iter(f"{SVG}text")}
    for bar, time in ((1, 0.5), (2, 2.5), (4, 6.5)):
        assert numbers[str(bar)] == pytest.approx(left + width * time / 9 + 4, abs=1)
    assert numbers["0:06"] == pytest.approx(left + width * 6 / 9 + 4, abs=1)
    assert not {"1", "2"} & set(draw(tmp_path, sine(440, 9.0)).texts)


def test_a_part_has_the_times_of_the_file(tmp_path: Path) -> None:
    picture = draw(tmp_path, sine(440, 9.0), first=4 * RATE, end=6 * RATE)
    assert any("0:04-0:06 of 0:09" in text for text in picture.texts)
    assert {"0:04", "0:05"} <= set(picture.texts) and "0:00" not in picture.texts


def test_every_kind_of_fault_has_its_own_mark(tmp_path: Path) -> None:
    kinds = [*SHAPES, "something_new"]
    faults = tuple(OverlayFault(index + 0.5, kind, f"about {index}") for index, kind in enumerate(kinds))
    picture = draw(tmp_path, sine(440, len(kinds) + 1.0, 8_000), 8_000, width=1600, overlay=Overlay(faults=faults))
    groups = picture.groups("fault")
    assert [group.get("data-kind") for group in groups] == kinds
    marks = [group.findall(f"{SVG}path")[1].get("d") for group in groups]
    assert len(set(marks)) == len(set(shape.path for shape in SHAPES.values())) + 1
    assert {f"about {index}" for index in range(len(kinds))} <= set(picture.texts)


def test_chords_are_named_if_there_is_room(tmp_path: Path) -> None:
    chords = tuple(OverlayChord(index, index + 1, name) for index, name in enumerate(("C", "F#m7b5", "Bb/D", "G7")))
    signal = sine(440, 4.0, 8_000)
    assert {"C", "F#m7b5", "Bb/D", "G7"} <= set(draw(tmp_path, signal, 8_000, overlay=Overlay(chords=chords)).texts)
    many = tuple(OverlayChord(index / 100, (index + 1) / 100, "Cmaj7") for index in range(400))
    assert "Cmaj7" not in draw(tmp_path, signal, 8_000, overlay=Overlay(chords=many)).texts


def test_drum_hits_have_times_but_no_pitch(tmp_path: Path) -> None:
    hits = voice(OverlayNote(0.25, 0.3, 36), OverlayNote(0.5, 0.55, 38), is_drums=True)
    picture = draw(tmp_path, sine(440, 1.0), overlay=Overlay(voices=(hits,)))
    assert not picture.notes()
    (group,) = picture.groups("drums")
    left, _, width, _ = picture.image_area()
    xs = [float(x) for x in re.findall(r"M([\d.]+) ", group[0].get("d", ""))]
    assert xs == pytest.approx([left + width / 4, left + width / 2], abs=1)


def test_many_notes_are_joined_and_reach_the_end(tmp_path: Path) -> None:
    notes = [OverlayNote(index / 2000, (index + 1) / 2000, 30 + index % 60) for index in range(40_000)]
    svg = draw_bytes(tmp_path, sine(440, 20.0, 8_000), 8_000, overlay=Overlay(voices=(voice(*notes),)))
    assert len(svg) < 700_000
    picture = AudioPicture(svg)
    left, _, width, _ = picture.image_area()
    (group,) = picture.groups("voice")
    rights = [float(x) for x in re.findall(r"H([\d.]+)", group[0].get("d", ""))]
    assert max(rights) == pytest.approx(left + width, abs=1) and len(rights) < len(notes) / 4


@pytest.mark.parametrize("kind", ["log", "linear", "none"])
def test_a_png_has_the_size_that_was_asked_for(tmp_path: Path, kind: str) -> None:
    png = draw_bytes(tmp_path, sine(440, 0.5), format="png", width=517, height=333, spectrogram=kind)
    width, height, rows = png_rows(png)
    assert (width, height) == (517, 333)
    assert len(set(rows)) > 20


def test_a_linear_spectrogram_has_an_axis_in_hertz(tmp_path: Path) -> None:
    picture = draw(tmp_path, sine(10_000, 0.5), spectrogram="linear")
    levels = picture.levels()
    row = int(np.median(np.flatnonzero(levels[:, 250] == levels.max())))
    assert 22_050 * (1 - (row + 0.5) / len(levels)) == pytest.approx(10_000, abs=150)
    assert "10 kHz" in picture.texts and "C4" not in picture.texts


def test_text_in_the_overlay_cannot_change_the_picture(tmp_path: Path) -> None:
    nasty = '"><script>alert(1)</script>'
    overlay = Overlay(
        voices=(OverlayVoice(nasty, nasty, "#0072B2", False, (OverlayNote(0, 1, 60),)),),
        chords=(OverlayChord(0, 1, nasty),),
        faults=(OverlayFault(0.5, nasty, nasty),),
    )
    picture = draw(tmp_path, sine(440, 1.0), title=nasty, overlay=overlay)
    assert not list(picture.root.iter(f"{SVG}script"))


def test_colours_fall_in_equal_steps_of_lightness() -> None:
    """CIE L* is independent of the space in which the colours are computed."""
    linear = [
        [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
        for colour in colour_map()
    ]
    lightness = [116 * (0.2126 * r + 0.7152 * g + 0.0722 * b) ** (1 / 3) - 16 for r, g, b in linear]
    steps = [one - other for one, other in itertools.pairwise(lightness)]
    assert len(steps) == LEVELS - 1 and min(steps) > 0
    assert max(steps) < 1.6 * min(steps)
    assert lightness[0] > 99 and lightness[-1] < 20


def test_music_that_cannot_be_read_is_no_reason_to_draw_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    soundfile.write(path, sine(440, 1), RATE, subtype="FLOAT")
    request = PictureRequest(RATE, 0, RATE, 600, 400, "log", "svg", "Test")
    drawn = draw_in_child(path, request, RATE, KnownMusic(scale_file(), 10**6, RenderedPart()), ["notes"])
    assert drawn.layers == ["notes"] and drawn.problem is None
    assert len(AudioPicture(drawn.content).notes()) == 2, "only two notes begin in the first second"
    damaged = draw_in_child(path, request, RATE, KnownMusic(b"MThd", 10**6, RenderedPart()), ["notes"])
    assert damaged.layers == [] and damaged.problem is not None
    assert not AudioPicture(damaged.content).notes() and AudioPicture(damaged.content).levels().any()
