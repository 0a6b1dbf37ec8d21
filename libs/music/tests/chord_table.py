"""The rows of `chord_symbols.txt`, a table of chord symbols written by hand."""

from pathlib import Path

_TABLE = Path(__file__).with_name("chord_symbols.txt")


def rows() -> list[tuple[str, list[str]]]:
    """Return each symbol with the names of its notes, the bass first."""
    found = []
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            notes, symbols = line.split(" : ", 1)
            found += [(symbol.strip(), notes.split()) for symbol in symbols.split(" ; ")]
    return found
