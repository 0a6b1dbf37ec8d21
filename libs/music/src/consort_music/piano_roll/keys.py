"""What shows the pitch of a note: shaded rows, the keyboard beside them, and the names of pitches and drums."""

from consort_music.piano_roll import colours
from consort_music.piano_roll.frame import DRUM_LABEL_SIZE, KEYBOARD_WIDTH, Frame, Pane, drum_name
from consort_music.piano_roll.svg import Svg, fitted, horizontal, number
from consort_music.pitch import Pitch

BLACK_KEYS = frozenset((1, 3, 6, 8, 10))
_BLACK_KEY_SHARE = 0.6
_TRIAD = (0, 4, 7)
_ROOM_FOR_EVERY_NAME = 11.0
_ROOM_FOR_TRIADS = 4.0
_LABEL_BASELINE = 0.36  # of the font size: from the middle of a line of text to its baseline


def draw_rows(svg: Svg, frame: Frame) -> None:
    """The sheet behind the notes."""
    for pane in frame.panes:
        svg.rect(frame.left, pane.top, frame.right - frame.left, pane.bottom - pane.top, colours.SHEET)
    if frame.roll is not None:
        tops = frame.roll.tops()
        black = [pitch for pitch in frame.roll.pitches if pitch % 12 in BLACK_KEYS]
        svg.filled_path([_row(frame, tops[pitch], frame.roll.row_height) for pitch in black], colours.BLACK_ROW)
        octaves = [tops[pitch] for pitch in frame.roll.pitches if pitch % 12 == 11 and pitch != frame.roll.pitches[0]]
        svg.path([horizontal(y, frame.left, frame.right) for y in octaves], colours.OCTAVE_LINE)
    if frame.drums is not None:
        tops = frame.drums.tops()
        svg.filled_path(
            [_row(frame, tops[pitch], frame.drums.row_height) for pitch in frame.drums.pitches[1::2]],
            colours.BLACK_ROW,
        )


def _row(frame: Frame, top: float, height: float) -> str:
    width = number(frame.right - frame.left)
    return f"M{number(frame.left)} {number(top)}h{width}v{number(height)}h-{width}z"


def draw_keyboard(svg: Svg, frame: Frame, pane: Pane) -> None:
    left, right, row = frame.left - KEYBOARD_WIDTH, frame.left, pane.row_height
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
        elif pitch % 12 in (4, 11) and top > pane.top:  # E below F and B below C: no black key in between
            between.append(horizontal(top, left, right))
    svg.path(between, colours.OCTAVE_LINE)
    svg.filled_path(black_keys, colours.BLACK_KEY)
    _name_pitches(svg, pane, right - 5)
    outline = f"M{left + 0.5:g} {int(pane.top) + 0.5:g}H{right:g}V{int(pane.bottom) - 0.5:g}H{left + 0.5:g}z"
    svg.path([outline], colours.BAR_LINE)


def _name_pitches(svg: Svg, pane: Pane, x: float) -> None:
    """C in every octave, with E and G where rows are not too low, all white keys where each has room."""
    if pane.row_height >= _ROOM_FOR_EVERY_NAME:
        named = frozenset(range(12)) - BLACK_KEYS
    else:
        named = frozenset(_TRIAD if pane.row_height >= _ROOM_FOR_TRIADS else _TRIAD[:1])
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


def name_drums(svg: Svg, frame: Frame, pane: Pane) -> None:
    """The General MIDI name beside each row, or beside as many as there is room for."""
    size = min(DRUM_LABEL_SIZE, max(8.5, pane.row_height - 1))
    step = max(1, -int(-(size + 1) // pane.row_height))
    for index, (pitch, top) in enumerate(pane.tops().items()):
        if index % step == 0:
            name = fitted(drum_name(pitch), size, frame.left - 12)
            baseline = top + pane.row_height / 2 + size * _LABEL_BASELINE
            svg.text(frame.left - 6, baseline, name, size, colours.GREY_INK, anchor="end")
