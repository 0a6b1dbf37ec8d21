"""Find drums by General MIDI name or common name (`openhat`), and read words that are a pitch or a drum."""

from consort_music.errors import MusicError, quoted
from consort_music.instruments import DRUM_MAP
from consort_music.pitch import parse_pitch_or_number

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


def comparable(name: str) -> str:
    """Return a name in lower case without spaces, hyphens and underscores."""
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")


DRUM_PITCHES = {comparable(name): pitch for pitch, name in DRUM_MAP.items()} | {
    comparable(name): pitch for pitch, names in _SHORT.items() for name in names.split(", ")
}
"""MIDI numbers of all drums, by name as `comparable` returns it, such as `openhat`."""

DRUM_NAMES = {pitch: comparable(names.split(", ")[0]) for pitch, names in _SHORT.items()}
"""Short names of the usual drums, by MIDI number."""


def find_drum(name: str) -> int | None:
    """Return the MIDI number of a drum, or None if there is no such drum. Case, spaces and hyphens are ignored."""
    return DRUM_PITCHES.get(comparable(name))


def parse_pitch_or_drum(word: str) -> tuple[int, bool]:
    """Return the MIDI number of a pitch name, number or drum, and whether it is a drum. Raise INVALID_PITCH if none."""
    drum = find_drum(word)
    if drum is not None:
        return drum, True
    if resembles_drum(word):
        raise MusicError(
            "INVALID_PITCH",
            f"{quoted(word)} is neither a pitch such as F#4 nor a drum such as kick. Drums are one word, such as "
            "openhat.",
            nearest_drums(word) or ["C4", "kick", "snare"],
        )
    return parse_pitch_or_number(word).midi, False


def resembles_drum(word: str) -> bool:
    """Return whether a word is too long for a pitch: it has only letters, and at least 3 before any final `b`s."""
    letters = comparable(word)
    return letters.isalpha() and len(letters.rstrip("b")) > 2


def nearest_drums(word: str) -> list[str]:
    """Return the names of up to three different drums that are similar to a word, the most similar first."""
    from difflib import get_close_matches  # slow to import, and only needed for errors

    near = get_close_matches(comparable(word[:40]), DRUM_PITCHES, n=6, cutoff=0.6)
    by_pitch = {DRUM_PITCHES[name]: name for name in reversed(near)}
    return list(by_pitch.values())[::-1][:3]
