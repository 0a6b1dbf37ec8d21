"""The paper, and the size of the music on it."""

from dataclasses import dataclass, replace

PAPER_MM = {"a4": (210, 297), "letter": (216, 279), "a5": (148, 210), "a3": (297, 420)}
MIN_ZOOM = 0.3
_PRINTED_STAFF_MM = 7.2
_SHARE_BELOW = 2.625
"""The height of a staff with the space below it in MuseScore, in heights of a staff."""
_MARGINS_MM = 40
"""Margins, title and marks above the first staff."""
_STAFF_MM = 18
"""Height of a staff with the space below it."""


@dataclass(frozen=True)
class PageLayout:
    """The paper, the size of the notes (1 is that of printed music), and whether a page is cut below its last line."""

    paper: str = "a4"
    is_landscape: bool = False
    zoom: float = 1.0
    is_cut: bool = True

    @property
    def size_mm(self) -> tuple[int, int]:
        width, height = PAPER_MM[self.paper]
        return (height, width) if self.is_landscape else (width, height)

    def staff_mm(self, staves: int) -> float:
        """Return the height of a staff for programs that open the MusicXML, which put staves farther apart."""
        most = (self.size_mm[1] - 1.5 * _MARGINS_MM) / (staves * _SHARE_BELOW)
        return round(min(_PRINTED_STAFF_MM * self.zoom, most), 2)

    def fitting(self, staves: int) -> "PageLayout":
        """Return the layout with notes so small that a line of music with this many staves fits on a page."""
        most = (self.size_mm[1] - _MARGINS_MM) / (staves * _STAFF_MM)
        return replace(self, zoom=max(min(self.zoom, most), MIN_ZOOM))
