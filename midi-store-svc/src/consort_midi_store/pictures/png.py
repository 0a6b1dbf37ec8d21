"""SVG to PNG by resvg, with fonts that come along: a machine without any fonts draws the same picture.

Open Sans (Apache-2.0) has Latin, Greek and Cyrillic letters. Only where a track's name has others, such as Japanese
ones, are the machine's own fonts looked at too; on a machine that lacks them such letters are empty boxes.
"""

from functools import cache
from importlib.resources import files

_OPEN_SANS_HAS = frozenset(map(chr, (*range(0x0530), *range(0x1E00, 0x2000), *range(0x2010, 0x2030))))


def png_of(svg: str, scale: float = 1) -> bytes:
    """The picture with `scale` pixels for each of the drawing's.

    It takes about 0.1 s of CPU and does not hold Python's lock, so call it in a thread.
    """
    from resvg_py import svg_to_bytes  # 3 MB that only pictures need

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
