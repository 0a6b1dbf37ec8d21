"""Notations and files that music21 reads wrongly. Our readers are not compared with music21 on these."""

import re
from pathlib import Path

ABC_ERRORS = {
    r"::": "music21 loses the note before a double repeat",
    r"\[[\^_=A-Ga-g]": "music21 does not support ties, accidentals or single lengths in chords",
    r"\+[\^_=A-Ga-g]": "music21 does not support chords between plus signs",
    r"(?m)^(?![A-Za-z]:).*[xZ]": "music21 gives invisible rests and rests of whole bars no time",
    r"[<>]-": "music21 misses a broken rhythm before a tie",
    r"[\^_=][A-Ga-g][,']*[0-9/]*-\s*\|": "music21 removes the accidental of a note that is tied over a bar line",
    r"\[K:": "music21 ignores a key change between bars",
    r"K:.*\bbass": "music21 reads notes in a bass clef two octaves lower, as before ABC 2",
    r"\^[0-9]": "an accidental without a note, a typing error, which music21 reads as a sharp",
    r"\[\"": "`music21_abc` removes the text of an ending, and what is left looks like a chord",
}
"""Patterns of ABC texts that music21 reads wrongly, each with the error."""

MISREAD_FILES = {
    "trecento/PMFC_13_04": "has an editorial accidental beside a pitch without one, which music21 plays",
    "schumann_robert/dichterliebe_no2": "has cue notes, which music21 plays",
    "schumann_robert/opus48no2": "has cue notes, which music21 plays",
    "opus41no1/movement1": "has 17 divisions per quarter, so a sixteenth has no exact length",
}
"""Beginnings of the names of MusicXML files that music21 and our reader read differently, each with the reason."""


def music21_misreads_abc(text: str) -> bool:
    """Return whether an ABC text contains a pattern that music21 reads wrongly."""
    return any(re.search(pattern, text) for pattern in ABC_ERRORS)


def music21_misreads_file(path: Path) -> bool:
    """Return whether this MusicXML file is one of MISREAD_FILES."""
    return f"{path.parent.name}/{path.stem}".startswith(tuple(MISREAD_FILES))
