"""Find chord symbols that are similar to unreadable text."""

import re
from collections.abc import Iterator

USUAL_SUFFIXES = (
    "", "m", "7", "maj7", "m7", "m7b5", "dim", "dim7", "aug", "6", "m6", "6/9", "m6/9", "9", "maj9", "m9", "11", "m11",
    "13", "maj13", "m13", "sus2", "sus4", "7sus4", "9sus4", "13sus4", "7sus4b9", "add9", "madd9", "5", "m(maj7)",
    "m(maj9)", "7b5", "7#5", "7b9", "7#9", "7#11", "7b13", "7alt", "9#11", "13b9", "13#11", "maj7#11", "maj7#5",
    "7b9#11", "9b5", "9#5", "7b9b13", "7#9b13", "7b5b9", "7#5#9", "mb6", "maj7no3", "no3", "7no5",
)  # fmt: skip
"""Canonical suffixes of the usual chords, roughly from the most common to the least common."""
_FOREIGN_ROOTS = (
    ("Cis", "C#"), ("Dis", "D#"), ("Fis", "F#"), ("Gis", "G#"), ("Ais", "A#"), ("Ces", "Cb"), ("Des", "Db"),
    ("Ges", "Gb"), ("Es", "Eb"), ("As", "Ab"), ("Hb", "Bb"), ("H", "B"),
    ("Do", "C"), ("Re", "D"), ("Ré", "D"), ("Mi", "E"), ("Fa", "F"), ("Sol", "G"), ("La", "A"), ("Si", "B"),
)  # fmt: skip
_ROOT = re.compile(r"[A-G](?:bb|##|b|#)?")
_ROMAN = re.compile(r"B?[IViv]+")
_SLASH = re.compile(r"/+([A-Ha-h])((?:bb|##|b|#)?)[^/]*$")
_LIKE_DIM7 = re.compile(r"(?:[Dd](?:[Ii]m?|[Mm])?[a-z]{0,9}|DIM|[oO0°])[ .,-]?7")
"""The beginning of a suffix that probably means a diminished seventh, such as `di7`, `O7` or `dimin7`."""
_TEXT_LIMIT = 24


def nearest_symbols(text: str) -> Iterator[str]:
    """Yield symbols similar to a text, the most similar first. The caller must check them: some may be unreadable."""
    text = re.sub(r"[\s\\|]+", "", text.replace("\\", "/"))[:_TEXT_LIMIT]
    for foreign, root in _FOREIGN_ROOTS:
        if text.startswith(foreign) and (foreign[0] == "H" or not text.startswith(("Dom", "Asus", "Esus"))):
            yield root + text[len(foreign) :]
    if text[:1].islower():
        text = text[0].upper() + text[1:]
        yield text
        if minor := _ROOT.match(text):
            yield minor[0] + "m" + text[minor.end() :]
    root_match = _ROOT.match(text)
    if root_match is None or _ROMAN.match(text):
        return
    if slash := _SLASH.search(text):
        bass = slash[1].upper().replace("H", "B") + slash[2]
        yield f"{text[: slash.start()]}/{bass}"
    root, rest = root_match[0], text[root_match.end() :]
    if _LIKE_DIM7.match(rest):
        yield f"{root}dim7"
    yield from (text[:at] + text[at + 1 :] for at in reversed(range(1, len(text))))
    yield from (text[:at] + text[at + 1] + text[at] + text[at + 2 :] for at in range(1, len(text) - 1))
    yield root + rest.lower()
    yield from (root + suffix for suffix in _by_likeness(rest))


def _by_likeness(rest: str) -> list[str]:
    from difflib import SequenceMatcher  # slow to import, and only needed for errors

    def likeness(suffix: str) -> float:
        matcher = SequenceMatcher(None, rest.lower(), suffix, autojunk=False)
        return matcher.ratio() + (0.2 if suffix and rest[:1] == suffix[0] else 0.0)

    return sorted(USUAL_SUFFIXES, key=likeness, reverse=True)[:4]
