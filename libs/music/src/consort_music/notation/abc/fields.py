"""Read the fields of ABC: metre (M:), unit note length (L:), tempo (Q:), key (K:) and voice (V:)."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from consort_music.errors import MusicError, quoted
from consort_music.keys import Key
from consort_music.metre import DENOMINATORS, Metre, metre_in_limits

_MODES = {
    "": "major", "m": "minor", "maj": "major", "min": "minor", "ion": "major", "aeo": "minor", "dor": "dorian",
    "phr": "phrygian", "lyd": "lydian", "mix": "mixolydian", "loc": "locrian",
}  # fmt: skip
_KEY = re.compile(r"([A-G])([#bn]?)\s*([A-Za-z]*)")
_GERMAN_KEYS = {"Es": "Eb", "As": "Ab", "H": "B"}
ACCIDENTALS = {"^^": 2, "^": 1, "=": 0, "_": -1, "__": -2}
_KEY_ACCIDENTAL = re.compile(r"(\^\^|\^|=|__|_)([a-gA-G])")
_PROPERTY = re.compile(r"""(?<!\S)[a-z]{1,12}=(?:"[^"]*"|\S*)""")
_OCTAVE = re.compile(r"\boctave=(-?[0-9])\b")
_TRANSPOSE = re.compile(r"\btranspose=([+-]?[0-9]{1,2})\b")
_EIGHT = re.compile(r"([+-])8(?:va)?(?!\S)")
_COUNT = re.compile(r"\(?([0-9]{1,3}(?:\s*\+\s*[0-9]{1,3})*)\)?\s*/\s*([0-9]{1,3})")
_FRACTION = re.compile(r"([0-9]{1,3})\s*/\s*([0-9]{1,3})")
_TEMPO_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4})?")
_NAME = re.compile(r"""\b(?:name|nm)=(?:"([^"]*)"|(\S+))""")
_SLOWEST, _FASTEST = 4, 6000


@dataclass(frozen=True)
class Signature:
    """The contents of a K: field.

    `key` is None if the field names no key. `alters` maps each letter to its alteration. `octaves` is an octave shift,
    and `transposition` the semitones from written to sounding pitch.
    """

    key: Key | None = None
    alters: dict[str, int] = field(default_factory=dict)
    octaves: int = 0
    transposition: int = 0


def parse_metre_field(text: str) -> Metre | None:
    """Read `4/4`, `C`, `C|` or `(2+3)/8`. Return None for `none` or no text. Raise PARSE_ERROR if it is no metre."""
    stripped = text.strip().removeprefix("FREI")  # how the Essen collection marks a free metre
    if stripped in ("C", "C|"):
        return Metre(4, 4) if stripped == "C" else Metre(2, 2)
    if stripped.lower() in ("none", ""):
        return None
    match = _COUNT.match(stripped)
    if match:
        upper, lower = sum(int(count) for count in match[1].split("+")), int(match[2])
        if metre := metre_in_limits(upper, lower):
            return metre
    raise MusicError("PARSE_ERROR", f"{quoted(text)} is not a metre. Write M:4/4, M:6/8 or M:C.", ["M:4/4"])


def parse_length_field(text: str) -> Fraction:
    """Return the unit note length in quarter notes: 1/2 for `1/8`. Raise PARSE_ERROR if it is not a note length."""
    match = _FRACTION.match(text.strip())
    if match is None and text.strip() == "1":
        return Fraction(4)
    if match is None or not int(match[1]) or int(match[2]) not in (*DENOMINATORS, 128, 256, 512):
        raise MusicError("PARSE_ERROR", f"{quoted(text)} is not a unit note length. Write L:1/8 or L:1/4.", ["L:1/8"])
    return 4 * Fraction(int(match[1]), int(match[2]))


def parse_tempo_field(text: str, metre: Metre | None) -> Fraction | None:
    """Return the quarter notes per minute of `1/4=120` or `"Slow" 3/8=50`.

    A bare number is in beats of the metre per minute. Return None if the field has only words, or if the tempo is not
    from 4 to 6000.
    """
    without_words = re.sub(r'"[^"]*"', " ", text)
    units, equals, number = without_words.rpartition("=")
    found = _TEMPO_NUMBER.search(number)
    if found is None:
        return None
    if equals and "/" in units:
        beat = sum((4 * Fraction(int(n), int(d) or 1) for n, d in _FRACTION.findall(units)), Fraction(0))
    else:
        beat = 3 * metre.unit if metre and metre.is_compound else Fraction(1)
    bpm = Fraction(found[0]) * beat
    return bpm if _SLOWEST <= bpm <= _FASTEST else None


def parse_key_field(text: str) -> Signature:
    """Read `G`, `F#dor`, `D =c`, `C exp ^f _b`, `none` or `HP`. Raise PARSE_ERROR if it is not a key.

    Octave shifts and transpositions are read too. Other properties, such as clefs, are ignored.
    """
    octaves, transposition = _octaves(text), _transposition(text) or 0
    plain = _PROPERTY.sub(" ", text).strip()
    accidentals = {letter.upper(): ACCIDENTALS[sign] for sign, letter in _KEY_ACCIDENTAL.findall(plain)}
    if plain in ("HP", "Hp"):
        return Signature(None, {"F": 1, "C": 1} if plain == "Hp" else {}, octaves, transposition)
    first, _, rest = plain.partition(" ")
    match = _KEY.match(f"{_GERMAN_KEYS.get(first, first)} {rest}")
    word = match[3].lower() if match else ""
    if match is None or plain.lower().startswith(("none", "clef", "bass", "alto", "tenor", "treble")):
        if plain and not re.match(r"none|clef|bass|alto|tenor|treble|perc|[\^_=]", plain, re.IGNORECASE):
            raise MusicError("PARSE_ERROR", f"{quoted(text)} is not a key. Write K:G, K:Am or K:Ddor.", ["K:C"])
        return Signature(None, accidentals, octaves, transposition)
    mode = _MODES.get(word if word == "m" else word[:3])
    if mode is None and word[:3] not in ("exp", "cle", "bas", "alt", "ten", "tre", "per", "non"):
        raise MusicError(
            "PARSE_ERROR",
            f"{quoted(text)} is not a key: {quoted(match[3])} is not a mode. Write maj, min, dor, phr, lyd, mix or "
            "loc: "
            f"K:{match[1]}{match[2]}dor.",
            [f"K:{match[1]}{match[2]}"],
        )
    key = Key(match[1], {"#": 1, "b": -1}.get(match[2], 0), mode or "major")
    alters = {} if word[:3] == "exp" else {step: key.signature_alter(step) for step in "CDEFGAB"}
    return Signature(key, alters | accidentals, octaves, transposition)


def parse_voice_field(text: str) -> tuple[str, str | None, int, int | None]:
    """Return the id of a voice, its name or None, its octave shift, and its transposition in semitones or None."""
    words = text.split()
    name = _NAME.search(text)
    identity = words[0] if words else "1"
    return identity, ((name[1] or name[2] or None) if name else None), _octaves(text), _transposition(text)


def _transposition(text: str) -> int | None:
    found = _TRANSPOSE.search(text)
    return int(found[1]) if found else None


def _octaves(text: str) -> int:
    """Return the octave shift: that of `octave=`, plus that of a clef marking such as +8 or -8va."""
    octave = _OCTAVE.search(text)
    eight = _EIGHT.search(text)
    return (int(octave[1]) if octave else 0) + ({"+": 1, "-": -1}[eight[1]] if eight else 0)
