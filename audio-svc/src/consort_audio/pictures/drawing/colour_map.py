"""The colours of a spectrogram, from silent to loud, computed in the perceptually uniform space OKLCh.

Lightness falls in equal steps from paper to ink, so equal differences in level look equally large, also without colour
vision and in grey print. The hue turns from blue to violet, and the chroma is low, so that notes in any colour of the
palette can be seen on top. OKLab is by B. Ottosson (https://bottosson.github.io/posts/oklab/).
"""

import math
from functools import cache

LEVELS = 32

_LIGHTEST, _DARKEST = 1.0, 0.26
_FIRST_HUE, _LAST_HUE = 240.0, 280.0  # degrees
_MOST_CHROMA = 0.035


@cache
def colour_map() -> tuple[tuple[int, int, int], ...]:
    """Return the colours from silent to loud as (red, green, blue), 0 to 255."""
    return tuple(_colour(level / (LEVELS - 1)) for level in range(LEVELS))


def colour_at(share: float) -> str:
    """Return the colour for a level from 0 (silent) to 1 (loud) as #RRGGBB."""
    return "#{:02X}{:02X}{:02X}".format(*colour_map()[round(share * (LEVELS - 1))])


def _colour(share: float) -> tuple[int, int, int]:
    lightness = _LIGHTEST + (_DARKEST - _LIGHTEST) * share
    chroma = _MOST_CHROMA * math.sin(math.pi * share**0.8) ** 0.8 if 0 < share < 1 else 0.0
    hue = math.radians(_FIRST_HUE + (_LAST_HUE - _FIRST_HUE) * share)
    return _rgb(lightness, chroma * math.cos(hue), chroma * math.sin(hue))


def _rgb(lightness: float, a: float, b: float) -> tuple[int, int, int]:
    """Return a colour of OKLab as sRGB."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    red, green, blue = (_gamma(min(max(each, 0.0), 1.0)) for each in linear)
    return red, green, blue


def _gamma(linear: float) -> int:
    encoded = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(255 * encoded)
