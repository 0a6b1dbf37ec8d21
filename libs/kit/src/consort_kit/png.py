"""Convert SVG to PNG with resvg and a bundled font, so that the picture is the same on a machine without fonts.

The font is Open Sans (Apache-2.0). It has Latin, Greek and Cyrillic letters. System fonts are used only if the text has
other characters, such as Japanese letters or ♭. Without a font for them, they are drawn as empty boxes.
"""

from functools import cache
from importlib.resources import files

_OPEN_SANS_HAS = frozenset(map(chr, (*range(0x0530), *range(0x1E00, 0x2000), *range(0x2010, 0x2030))))


def render_png(svg: str, scale: float = 1) -> bytes:
    """Return a PNG that is `scale` times as wide and as high as the SVG.

    This takes about 0.1 s of CPU time and releases the GIL, so call it in a thread.
    """
    from resvg_py import svg_to_bytes  # imported here because it is 3 MB and only pictures need it

    return svg_to_bytes(
        svg_string=svg,
        zoom=scale,
        font_files=_font_files(),
        font_family="Open Sans",
        sans_serif_family="Open Sans",
        skip_system_fonts=_OPEN_SANS_HAS.issuperset(svg),
    )


@cache
def _font_files() -> list[str]:
    folder = files("ttf_opensans") / "ttf"
    return [str(folder / name) for name in ("OpenSans-Regular.ttf", "OpenSans-SemiBold.ttf")]
