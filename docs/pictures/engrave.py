"""Engrave the pieces of sheet music in this folder: run `python docs/pictures/engrave.py [--data DIR] [NAME …]`.

`--data` is a folder with real performances (`asap/**/*.mid`); without it, the picture of a performance is not made.
All other pieces are in `pieces.py`. Pages are drawn as midi_to_notation draws them, cut below the last line.
"""

import argparse
import base64
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

from consort_compose.notation.make_notation import NotationWork, make_notation
from consort_compose.notation.models import MidiToNotation
from consort_kit.png import render_png

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from pieces import PIECES, Piece  # noqa: E402  beside this script

FOLDER = HERE / "notation"
MAX_BYTES = 150_000
SCALES = (1.4, 1.2, 1.0, 0.8)
PERFORMANCE = "performance"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    pieces = dict(PIECES)
    if given.data:
        pieces[PERFORMANCE] = performance(given.data)
    for name in given.names or pieces:
        picture, log = draw(pieces[name])
        (FOLDER / f"{name}.png").write_bytes(picture)
        print(f"{name}.png {len(picture):,} bytes{' ' + log if log else ''}")


def performance(data: Path) -> Piece:
    """Return the first bars of a real performance."""
    file = sorted((data / "asap").rglob("*.mid"))[0]
    source = {
        "kind": "midi",
        "content": base64.b64encode(zlib.compress(file.read_bytes())).decode(),
        "title": "A performance, read as a score",
    }
    return Piece(source, {"last_bar": 12})


def draw(piece: Piece) -> tuple[bytes, str]:
    """Return the first page as PNG, and verovio's log."""
    request: dict[str, Any] = MidiToNotation(music="-", **piece.options).model_dump(mode="json")
    with tempfile.TemporaryDirectory() as folder:
        made = make_notation(NotationWork(piece.source, request, Path(folder), Path(tempfile.gettempdir()) / "fonts"))
        log = Path(folder) / "log.txt"
        document = next(iter(made["pages"]))
        svg = (Path(folder) / f"{document}-1.svg").read_text("utf-8")
        warnings = log.read_text("utf-8") if log.exists() else ""
    pictures = (render_png(svg, scale) for scale in SCALES)
    return next(picture for picture in pictures if len(picture) <= MAX_BYTES), warnings


if __name__ == "__main__":
    main()
