"""Fretted instruments and their tunings, by name or as notes.

A tuning is written from the highest string number (on most instruments the lowest string) down to string 1. It can be

- a name: `standard`, `drop D`, `open G`, `half step down`, `low G`, `5-string`;
- pitches with octaves: `D2 A2 D3 G3 B3 E4`;
- letters without octaves: `DADGAD`. Each string gets the pitch that is nearest to the standard tuning.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from consort_music.errors import MusicError, quoted
from consort_music.pitch import Pitch

_MAX_TEXT = 120
_GUITAR = {
    "standard": "E2 A2 D3 G3 B3 E4",
    "drop d": "D2 A2 D3 G3 B3 E4",
    "double drop d": "D2 A2 D3 G3 B3 D4",
    "drop c sharp": "C#2 G#2 C#3 F#3 A#3 D#4",
    "drop c": "C2 G2 C3 F3 A3 D4",
    "drop b": "B1 F#2 B2 E3 G#3 C#4",
    "drop a": "A1 E2 A2 D3 F#3 B3",
    "dadgad": "D2 A2 D3 G3 A3 D4",
    "open c": "C2 G2 C3 G3 C4 E4",
    "open d": "D2 A2 D3 F#3 A3 D4",
    "open d minor": "D2 A2 D3 F3 A3 D4",
    "open e": "E2 B2 E3 G#3 B3 E4",
    "open e minor": "E2 B2 E3 G3 B3 E4",
    "open g": "D2 G2 D3 G3 B3 D4",
    "open g minor": "D2 G2 D3 G3 Bb3 D4",
    "open a": "E2 A2 E3 A3 C#4 E4",
    "all fourths": "E2 A2 D3 G3 C4 F4",
    "new standard": "C2 G2 D3 A3 E4 G4",
    "nashville": "E3 A3 D4 G4 B3 E4",
    "lute": "E2 A2 D3 F#3 B3 E4",
    "baritone": "B1 E2 A2 D3 F#3 B3",
    "baritone a": "A1 D2 G2 C3 E3 A3",
    "baritone c": "C2 F2 Bb2 Eb3 G3 C4",
    "7 string": "B1 E2 A2 D3 G3 B3 E4",
    "7 string drop a": "A1 E2 A2 D3 G3 B3 E4",
    "8 string": "F#1 B1 E2 A2 D3 G3 B3 E4",
    "8 string drop e": "E1 B1 E2 A2 D3 G3 B3 E4",
}
_BASS = {
    "standard": "E1 A1 D2 G2",
    "drop d": "D1 A1 D2 G2",
    "drop c": "C1 G1 C2 F2",
    "bead": "B0 E1 A1 D2",
    "tenor": "A1 D2 G2 C3",
    "4 string": "E1 A1 D2 G2",
    "5 string": "B0 E1 A1 D2 G2",
    "5 string high c": "E1 A1 D2 G2 C3",
    "6 string": "B0 E1 A1 D2 G2 C3",
}
_UKULELE = {
    "standard": "G4 C4 E4 A4",
    "high g": "G4 C4 E4 A4",
    "low g": "G3 C4 E4 A4",
    "d": "A4 D4 F#4 B4",
    "slack key": "G4 C4 E4 G4",
    "baritone": "D3 G3 B3 E4",
}
_BANJO = {
    "standard": "G4 D3 G3 B3 D4",
    "open g": "G4 D3 G3 B3 D4",
    "double c": "G4 C3 G3 C4 D4",
    "c": "G4 C3 G3 B3 D4",
    "open c": "G4 C3 G3 C4 E4",
    "sawmill": "G4 D3 G3 C4 D4",
    "g modal": "G4 D3 G3 C4 D4",
    "g minor": "G4 D3 G3 Bb3 D4",
    "open d": "F#4 D3 F#3 A3 D4",
    "double d": "A4 D3 A3 D4 E4",
    "open a": "A4 E3 A3 C#4 E4",
}
_TENOR_BANJO = {"standard": "C3 G3 D4 A4", "irish": "G2 D3 A3 E4", "chicago": "D3 G3 B3 E4", "plectrum": "C3 G3 B3 D4"}
_MANDOLIN = {
    "standard": "G3 D4 A4 E5",
    "gdad": "G3 D4 A4 D5",
    "cross a": "A3 E4 A4 E5",
    "open g": "G3 D4 B4 D5",
    "sawmill": "G3 D4 G4 D5",
}
_ALIASES = {"normal": "standard", "default": "standard", "concert": "standard", "regular": "standard"}
_STEPS_DOWN = {
    **dict.fromkeys(("half step down", "semitone down", "half down", "eb standard", "eb", "d# standard"), -1),
    **dict.fromkeys(("whole step down", "full step down", "tone down", "d standard"), -2),
    **dict.fromkeys(("one and a half steps down", "c# standard", "db standard"), -3),
    **dict.fromkeys(("two steps down", "two whole steps down", "c standard"), -4),
    **dict.fromkeys(("half step up", "semitone up", "f standard"), 1),
    **dict.fromkeys(("whole step up", "tone up"), 2),
}
_LETTERS_PATTERN = re.compile(r"[A-Ga-g][#♯b♭]{0,2}")
_PITCHES_PATTERN = re.compile(r"[A-Ga-g][#♯b♭]{0,2}[0-9]")


@dataclass(frozen=True)
class InstrumentKind:
    """A kind of fretted instrument. `frets` are those of an ordinary one; `courses` are the strings of one course."""

    name: str
    tunings: dict[str, str]
    scale_mm: float
    frets: int
    strings: tuple[int, int]
    """The least and the most strings that a tuning may have."""
    courses: int = 1
    short_string: int = 0
    """The fret at which a short first string begins."""
    names: tuple[str, ...] = field(default=())
    standard: str = "standard"


KINDS = (
    InstrumentKind(
        "guitar", _GUITAR, 650, 24, (5, 9), names=("electric guitar", "overdriven guitar", "distortion guitar", "gtr")
    ),
    InstrumentKind("classical guitar", _GUITAR, 650, 20, (5, 9), names=("nylon guitar", "spanish guitar", "lute")),
    InstrumentKind(
        "acoustic guitar", _GUITAR, 645, 20, (5, 9), names=("steel guitar", "folk guitar", "western guitar")
    ),
    InstrumentKind("12-string guitar", _GUITAR, 645, 20, (6, 6), courses=2),
    InstrumentKind("7-string guitar", _GUITAR, 650, 24, (7, 7), standard="7 string"),
    InstrumentKind("8-string guitar", _GUITAR, 686, 24, (8, 8), standard="8 string"),
    InstrumentKind("baritone guitar", _GUITAR, 686, 24, (6, 8), standard="baritone"),
    InstrumentKind("bass", _BASS, 864, 24, (4, 7), names=("bass guitar", "electric bass", "4-string bass")),
    InstrumentKind("5-string bass", _BASS, 864, 24, (5, 5), standard="5 string"),
    InstrumentKind("6-string bass", _BASS, 864, 24, (6, 6), standard="6 string"),
    InstrumentKind("ukulele", _UKULELE, 380, 18, (4, 6), names=("uke", "concert ukulele", "soprano ukulele")),
    InstrumentKind("tenor ukulele", _UKULELE, 430, 18, (4, 6), names=("tenor uke",)),
    InstrumentKind("baritone ukulele", _UKULELE, 480, 19, (4, 6), names=("baritone uke",), standard="baritone"),
    InstrumentKind("banjo", _BANJO, 670, 22, (5, 6), short_string=5, names=("5-string banjo",)),
    InstrumentKind("tenor banjo", _TENOR_BANJO, 580, 19, (4, 4), names=("4-string banjo", "plectrum banjo")),
    InstrumentKind("irish tenor banjo", _TENOR_BANJO, 540, 17, (4, 4), names=("irish banjo",), standard="irish"),
    InstrumentKind("mandolin", _MANDOLIN, 350, 20, (4, 5), courses=2, names=("mando",)),
    InstrumentKind("mandola", {"standard": "C3 G3 D4 A4"}, 430, 20, (4, 5), courses=2),
    InstrumentKind(
        "octave mandolin",
        {"standard": "G2 D3 A3 E4", "irish": "G2 D3 A3 D4"},
        530,
        20,
        (4, 5),
        courses=2,
        names=("irish bouzouki", "bouzouki"),
    ),
)
_BY_NAME = {name: kind for kind in KINDS for name in (kind.name, *kind.names)}
_GUITAR_PROGRAMS = {24: "classical guitar", 25: "acoustic guitar"}


def fretted_program(program: int) -> str | None:
    """Return the fretted instrument of a General MIDI program, or None if it has no frets."""
    if 24 <= program <= 31:
        return _GUITAR_PROGRAMS.get(program, "guitar")
    if 32 <= program <= 39:
        return "bass"
    return "banjo" if program == 105 else None


def instrument_kind(name: str) -> InstrumentKind:
    """Find a fretted instrument by name, such as `bass` or `Acoustic Guitar (nylon)`. Raise UNKNOWN_INSTRUMENT."""
    words = re.findall(r"[a-z0-9]+", name[:_MAX_TEXT].lower())
    plain = " ".join(words)
    by_plain = {" ".join(re.findall(r"[a-z0-9]+", known)): kind for known, kind in _BY_NAME.items()}
    if plain in by_plain:
        return by_plain[plain]
    given = set(words) | {f"{word} string" for word in words}
    if "nylon" in given:
        return _BY_NAME["classical guitar"]
    # The name with the most words that are all in the text: "Steel-string acoustic guitar 2" is an acoustic guitar.
    found = [known for known in by_plain if set(known.split()) <= given]
    if not found:
        choices = ", ".join(kind.name for kind in KINDS)
        raise MusicError(
            "UNKNOWN_INSTRUMENT",
            f"{quoted(name)} is not a fretted instrument with a known tuning. Tabs can be written for: {choices}.",
            ["guitar", "bass", "ukulele", "banjo", "mandolin"],
            "instrument",
        )
    return by_plain[max(found, key=lambda known: (len(known.split()), len(known)))]


def parse_tuning(text: str | None, kind: InstrumentKind) -> tuple[int, ...]:
    """Return the MIDI pitches of a tuning in written order. Raise INVALID_TUNING."""
    standard = _pitches(kind.tunings[kind.standard])
    if text is None or not text.strip():
        return standard
    if len(text) > _MAX_TEXT:
        raise _invalid(text, kind, f"is longer than {_MAX_TEXT} characters")
    pitches = _by_name(text, kind, standard) or _notes(text, kind, standard)
    low, high = kind.strings
    if not low <= len(pitches) <= high:
        count = str(low) if low == high else f"{low} to {high}"
        raise _invalid(text, kind, f"has {len(pitches)} strings, but a {kind.name} has {count}")
    return pitches


def _by_name(text: str, kind: InstrumentKind, standard: tuple[int, ...]) -> tuple[int, ...] | None:
    name = text.replace("♯", "#").replace("♭", "b").replace("#", " sharp").lower()
    words = re.findall(r"[a-z0-9]+", name)
    dropped = {"tuning", "tuned", "strings", *kind.name.split()} - {"baritone"}
    plain = " ".join(word for word in words if word not in dropped) or "standard"
    plain = _ALIASES.get(plain, plain)
    if plain == "standard":
        return standard
    if plain in kind.tunings:
        pitches = _pitches(kind.tunings[plain])
        if kind.strings[0] <= len(pitches) <= kind.strings[1]:
            return pitches
    steps = _STEPS_DOWN.get(plain.replace(" sharp", "#").replace("steps", "step").removesuffix(" tuning"))
    if steps is not None:
        return tuple(pitch + steps for pitch in standard)
    if re.fullmatch(r"drop [a-g]( sharp|b)?", plain):
        return _dropped(plain.removeprefix("drop ").replace(" sharp", "#"), standard)
    return None


def _dropped(letter: str, standard: tuple[int, ...]) -> tuple[int, ...]:
    """Return `drop C` and the like: all strings lower, so that the lowest string is a tone below the others."""
    target = Pitch.parse(letter[0].upper() + letter[1:] + "4").pitch_class
    down = (standard[0] - 2 - target) % 12
    down -= 12 if down > 8 else 0
    return (standard[0] - 2 - down, *(pitch - down for pitch in standard[1:]))


def _notes(text: str, kind: InstrumentKind, standard: tuple[int, ...]) -> tuple[int, ...]:
    compact = re.sub(r"[\s,;/|-]+", "", text)
    names = _PITCHES_PATTERN.findall(compact)
    if names and "".join(names) == compact:
        pitches = _pitches(" ".join(names))
        is_upside_down = len(pitches) > 1 and all(one > next_ for one, next_ in pairwise(pitches))
        return pitches[::-1] if is_upside_down else pitches
    is_plain = len(compact) == len(standard) and compact.isalpha()  # the b of "dadgbe" is a string, not a flat
    letters = list(compact) if is_plain else _LETTERS_PATTERN.findall(compact)
    if is_plain and not set(compact.upper()) <= set("ABCDEFG"):
        raise _invalid(text, kind, "is not a known tuning")
    if not letters or "".join(letters) != compact:
        raise _invalid(text, kind, "is not a known tuning")
    if len(letters) != len(standard):
        raise _invalid(text, kind, f"has {len(letters)} letters, but a {kind.name} has {len(standard)} strings")
    return tuple(_nearest(letter, near) for letter, near in zip(letters, standard, strict=True))


def _nearest(letter: str, near: int) -> int:
    """Return the pitch of a letter nearest to a MIDI pitch; the lower one of two."""
    above = (Pitch.parse(letter + "4").pitch_class - near) % 12
    return near + above - (12 if above >= 6 else 0)


def _pitches(text: str) -> tuple[int, ...]:
    return tuple(Pitch.parse(name).midi for name in text.split())


def _invalid(text: str, kind: InstrumentKind, problem: str) -> MusicError:
    standard = kind.tunings[kind.standard]
    return MusicError(
        "INVALID_TUNING",
        f"The tuning {quoted(text)} {problem}. Write a name ({', '.join(list(kind.tunings)[:6])}) or the pitches from "
        f"the lowest string to string 1, such as {standard}.",
        [*list(kind.tunings)[:4], standard],
        "tuning",
    )
