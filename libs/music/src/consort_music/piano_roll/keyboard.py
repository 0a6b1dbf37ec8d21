"""Draw the pitch axis: shaded rows, the keyboard next to them, and the names of pitches and drums."""

from consort_music.piano_roll.layout import DRUM_LABEL_SIZE, KEYBOARD_WIDTH, Pane, PictureLayout, drum_name
from consort_music.pictures import colours
from consort_music.pictures.svg import Svg, fit_text, horizontal, number
from consort_music.pitch import Pitch

BLACK_KEYS = frozenset((1, 3, 6, 8, 10))
_BLACK_KEY_SHARE = 0.6  # length of a black key, as a share of the keyboard's width
_TRIAD = (0, 4, 7)
_ROW_FOR_EVERY_NAME = 11.0  # smallest row height, in pixels, at which every white key is named
_ROW_FOR_TRIADS = 4.0  # the same for C, E and G
_LABEL_BASELINE = 0.36  # distance from the middle of the text down to its baseline, as a share of the font size


def draw_rows(svg: Svg, layout: PictureLayout) -> None:
    """Draw the shaded rows behind the notes."""
    for pane in layout.panes:
        svg.rect(layout.left, pane.top, layout.right - layout.left, pane.bottom - pane.top, colours.SHEET)
    if layout.roll is not None:
        tops = layout.roll.tops()
        black = [pitch for pitch in layout.roll.pitches if pitch % 12 in BLACK_KEYS]
        svg.filled_path([_row(layout, tops[pitch], layout.roll.row_height) for pitch in black], colours.BLACK_ROW)
        octaves = [tops[pitch] for pitch in layout.roll.pitches if pitch % 12 == 11 and pitch != layout.roll.pitches[0]]
        svg.path([horizontal(y, layout.left, layout.right) for y in octaves], colours.OCTAVE_LINE)
    if layout.drums is not None:
        tops = layout.drums.tops()
        svg.filled_path(
            [_row(layout, tops[pitch], layout.drums.row_height) for pitch in layout.drums.pitches[1::2]],
            colours.BLACK_ROW,
        )


def _row(layout: PictureLayout, top: float, height: float) -> str:
    width = number(layout.right - layout.left)
    return f"M{number(layout.left)} {number(top)}h{width}v{number(height)}h-{width}z"


def draw_keyboard(svg: Svg, right: float, pane: Pane) -> None:
    """Draw the keys to the left of a pane, up to the pixel `right`, with the names of some pitches."""
    left, row = right - KEYBOARD_WIDTH, pane.row_height
    tip = left + KEYBOARD_WIDTH * _BLACK_KEY_SHARE
    svg.rect(left, pane.top, KEYBOARD_WIDTH, pane.bottom - pane.top, colours.SHEET)
    black_keys: list[str] = []
    between: list[str] = []
    for pitch, top in pane.tops().items():
        if pitch % 12 in BLACK_KEYS:
            inset = min(0.5, row / 8)
            black_keys.append(
                f"M{number(left)} {number(top + inset)}H{number(tip)}v{number(row - 2 * inset)}H{number(left)}z"
            )
            between.append(horizontal(top + row / 2, tip, right))
        elif pitch % 12 in (4, 11) and top > pane.top:  # E and F, B and C: no black key in between
            between.append(horizontal(top, left, right))
    svg.path(between, colours.OCTAVE_LINE)
    svg.filled_path(black_keys, colours.BLACK_KEY)
    _name_pitches(svg, pane, right - 5)
    outline = f"M{left + 0.5:g} {int(pane.top) + 0.5:g}H{right:g}V{int(pane.bottom) - 0.5:g}H{left + 0.5:g}z"
    svg.path([outline], colours.BAR_LINE)


def _name_pitches(svg: Svg, pane: Pane, x: float) -> None:
    """Write the name of every C; also of E and G if rows are high enough, and of all white keys if there is room."""
    if pane.row_height >= _ROW_FOR_EVERY_NAME:
        named = frozenset(range(12)) - BLACK_KEYS
    else:
        named = frozenset(_TRIAD if pane.row_height >= _ROW_FOR_TRIADS else _TRIAD[:1])
    for pitch, top in pane.tops().items():
        is_c = pitch % 12 == 0
        if pitch % 12 not in named:
            continue
        size = min(10.5, max(9.0, pane.row_height))
        middle = top + pane.row_height / 2
        if middle - size / 2 < pane.top or middle + size / 2 > pane.bottom:
            continue
        name = Pitch.from_midi(pitch).name
        ink = colours.INK if is_c else colours.GREY_INK
        baseline = middle + size * _LABEL_BASELINE
        svg.text(x, baseline, name, size if is_c else size - 1, ink, bold=is_c, anchor="end")


def name_drums(svg: Svg, layout: PictureLayout, pane: Pane) -> None:
    """Write the General MIDI name next to each row. If rows are low, skip rows where names would overlap."""
    size = min(DRUM_LABEL_SIZE, max(8.5, pane.row_height - 1))
    step = max(1, -int(-(size + 1) // pane.row_height))
    for index, (pitch, top) in enumerate(pane.tops().items()):
        if index % step == 0:
            name = fit_text(drum_name(pitch), size, layout.left - 12)
            baseline = top + pane.row_height / 2 + size * _LABEL_BASELINE
            svg.text(layout.left - 6, baseline, name, size, colours.GREY_INK, anchor="end")
