"""The lines above the roll: title, facts, the shades of loudness, and the colours of voices."""

from collections.abc import Sequence

from consort_music.piano_roll.voices import DrawnVoice
from consort_music.pictures import colours
from consort_music.pictures.heading import MARGIN, LegendItem, draw_title
from consort_music.pictures.svg import Svg, text_width

_KEY_BOX = 9.0
_NARROWEST_WITH_KEY = 560


def legend_items(voices: Sequence[DrawnVoice]) -> list[LegendItem]:
    """Return the colour of each voice, its name, its instruments and the number of its notes."""
    return [LegendItem(voice.colour, voice.name, voice.detail, len(voice.notes)) for voice in voices]


def draw_title_and_key(svg: Svg, width: float, title: str, facts: str) -> None:
    """Draw title and facts in one line, and the shades of soft and loud notes at its right end."""
    right = width - MARGIN
    if width >= _NARROWEST_WITH_KEY:
        right = _draw_velocity_key(svg, right) - 18
    draw_title(svg, right, title, facts)


def _draw_velocity_key(svg: Svg, right: float) -> float:
    """Draw the shades of loudness so that they end at `right`. Return their left edge."""
    size = 10.5
    svg.text(right, 26, "loud", size, colours.GREY_INK, anchor="end")
    x = right - text_width("loud", size) - 6
    for level in reversed(range(0, colours.VELOCITY_LEVELS, 2)):
        x -= _KEY_BOX + 1
        svg.rect(x, 18, _KEY_BOX, _KEY_BOX, colours.shade(colours.DRUM_COLOUR, level), 2)
    svg.text(x - 5, 26, "soft", size, colours.GREY_INK, anchor="end")
    return x - 5 - text_width("soft", size)
