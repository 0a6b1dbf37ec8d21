"""The paper, and the size of the music on it."""

from dataclasses import dataclass

PAPER_MM = {"a4": (210, 297), "letter": (216, 279), "a5": (148, 210), "a3": (297, 420)}


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
