"""Names for the notes of the drum kit, as drummers say them, beside the General MIDI names."""

import difflib

from consort_music.instruments import DRUM_MAP

_SHORT = {
    36: "kick, bass drum, bd",
    37: "rim, rimshot, stick",
    38: "snare, sd",
    39: "clap",
    42: "hat, hihat, closed hat, hh, ch",
    44: "pedal hat",
    46: "open hat, oh",
    41: "floor tom",
    45: "low tom",
    47: "mid tom, tom",
    50: "high tom",
    49: "crash",
    51: "ride",
    53: "bell",
    54: "tamb",
    55: "splash",
    56: "cowbell",
    70: "shaker",
    75: "clave",
    81: "triangle",
}


def plain(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")


DRUM_WORDS = {plain(name): pitch for pitch, name in DRUM_MAP.items()} | {
    plain(name): pitch for pitch, names in _SHORT.items() for name in names.split(", ")
}
"""By name without spaces and hyphens: `openhat`."""

DRUM_NAMES = {pitch: plain(names.split(", ")[0]) for pitch, names in _SHORT.items()}
"""The first of the short names, for the notes that have one."""


def like_a_drum(word: str) -> bool:
    """Letters alone, and more of them than a note with its flats has."""
    letters = plain(word)
    return letters.isalpha() and len(letters.rstrip("b")) > 2


def nearest_drums(word: str) -> list[str]:
    """The words that may have been meant, one for each drum, the nearest first."""
    near = difflib.get_close_matches(plain(word[:40]), DRUM_WORDS, n=6, cutoff=0.6)
    by_pitch = {DRUM_WORDS[name]: name for name in reversed(near)}
    return list(by_pitch.values())[::-1][:3]
