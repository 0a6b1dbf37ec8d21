"""Read `chord_symbols.txt`, a table of chord symbols and their notes, which was written by hand."""

from pathlib import Path

_TABLE = Path(__file__).with_name("chord_symbols.txt")
_SEMITONES = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True))


def symbols_and_notes() -> list[tuple[str, list[str]]]:
    """Return each symbol with the names of its notes, bass note first."""
    found = []
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            notes, symbols = line.split(" : ", 1)
            found += [(symbol.strip(), notes.split()) for symbol in symbols.split(" ; ")]
    return found


def pitch_class(note: str) -> int:
    """Return the pitch class of a note of the table, such as 10 for Bb."""
    return (_SEMITONES[note[0]] + note.count("#") - note.count("b")) % 12
