"""Keys: their tonic and mode, scale and signature, and the spelling of any pitch in a key.

Keys are typed as `C major`, `F# dorian`, `Bb`, `Dm`, `a minor`, `E harmonic minor` or `G blues`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from consort_music.errors import MusicError, quoted
from consort_music.pitch import LETTER_SEMITONES, STEPS, Pitch, pitch_class_name

ScaleTone = tuple[int, int]
"""A tone of a scale: letters above the tonic, and semitones above the tonic."""

MODES: dict[str, tuple[ScaleTone, ...]] = {
    "major": ((0, 0), (1, 2), (2, 4), (3, 5), (4, 7), (5, 9), (6, 11)),
    "minor": ((0, 0), (1, 2), (2, 3), (3, 5), (4, 7), (5, 8), (6, 10)),
    "dorian": ((0, 0), (1, 2), (2, 3), (3, 5), (4, 7), (5, 9), (6, 10)),
    "phrygian": ((0, 0), (1, 1), (2, 3), (3, 5), (4, 7), (5, 8), (6, 10)),
    "lydian": ((0, 0), (1, 2), (2, 4), (3, 6), (4, 7), (5, 9), (6, 11)),
    "mixolydian": ((0, 0), (1, 2), (2, 4), (3, 5), (4, 7), (5, 9), (6, 10)),
    "locrian": ((0, 0), (1, 1), (2, 3), (3, 5), (4, 6), (5, 8), (6, 10)),
    "harmonic minor": ((0, 0), (1, 2), (2, 3), (3, 5), (4, 7), (5, 8), (6, 11)),
    "melodic minor": ((0, 0), (1, 2), (2, 3), (3, 5), (4, 7), (5, 9), (6, 11)),
    "harmonic major": ((0, 0), (1, 2), (2, 4), (3, 5), (4, 7), (5, 8), (6, 11)),
    "phrygian dominant": ((0, 0), (1, 1), (2, 4), (3, 5), (4, 7), (5, 8), (6, 10)),
    "lydian dominant": ((0, 0), (1, 2), (2, 4), (3, 6), (4, 7), (5, 9), (6, 10)),
    "major pentatonic": ((0, 0), (1, 2), (2, 4), (4, 7), (5, 9)),
    "minor pentatonic": ((0, 0), (2, 3), (3, 5), (4, 7), (6, 10)),
    "blues": ((0, 0), (2, 3), (3, 5), (4, 6), (4, 7), (6, 10)),
    "major blues": ((0, 0), (1, 2), (2, 3), (2, 4), (4, 7), (5, 9)),
    "whole tone": ((0, 0), (1, 2), (2, 4), (3, 6), (4, 8), (5, 10)),
}
_OTHER_NAMES = {
    "": "major",
    "maj": "major",
    "ionian": "major",
    "m": "minor",
    "min": "minor",
    "aeolian": "minor",
    "natural minor": "minor",
    "pentatonic": "major pentatonic",
    "pentatonic major": "major pentatonic",
    "pentatonic minor": "minor pentatonic",
    "minor blues": "blues",
    "blues minor": "blues",
    "blues major": "major blues",
    "dor": "dorian",
    "phr": "phrygian",
    "lyd": "lydian",
    "mix": "mixolydian",
    "loc": "locrian",
}
_SIGNATURE_SHIFT = {
    "dorian": -2,
    "phrygian": -4,
    "lydian": 1,
    "mixolydian": -1,
    "locrian": -5,
    "phrygian dominant": -4,
}
"""Number of sharps of the mode minus that of the major key on the same tonic.

For modes that are not listed it is -3 if the third is minor, otherwise 0.
"""
_CHURCH_MODES = {
    0: "major", -1: "mixolydian", -2: "dorian", -3: "minor", -4: "phrygian", -5: "locrian", 1: "lydian",
}  # fmt: skip
_TONIC_FIFTHS = {"F": -1, "C": 0, "G": 1, "D": 2, "A": 3, "E": 4, "B": 5}
_SHARPS_ORDER = "FCGDAEB"
_KEY = re.compile(r"([A-Ga-g])([#♯]|[b♭])?(?:[\s_-]*)(.*)", re.DOTALL)
_CHROMATIC_IN_MAJOR = {1: (0, 1), 3: (2, 3), 6: (3, 6), 8: (4, 8), 10: (6, 10)}
_CHROMATIC_IN_MINOR = {1: (1, 1), 4: (2, 4), 6: (3, 6), 9: (5, 9), 11: (6, 11)}
_NATURAL_TONES = {2: (1, 2), 3: (2, 3), 4: (2, 4), 5: (3, 5), 7: (4, 7), 8: (5, 8), 9: (5, 9), 10: (6, 10), 11: (6, 11)}
_EXAMPLES = ("C major", "D minor", "F# dorian")


@dataclass(frozen=True)
class Key:
    """A key such as `Key("F", 1, "dorian")`; `mode` is a name in MODES."""

    step: str
    alter: int
    mode: str

    @property
    def name(self) -> str:
        """The name, such as `F# dorian`, which `parse_key` can read."""
        return f"{self.tonic_name} {self.mode}"

    @property
    def short_name(self) -> str:
        """The tonic, in lower case in minor, as Roman numeral analyses name keys: `Eb`, or `c` for C minor."""
        name = self.tonic_name
        return name[0].lower() + name[1:] if self.is_minor else name

    @property
    def tonic_name(self) -> str:
        return pitch_class_name(self.step, self.alter)

    @cached_property
    def tonic(self) -> int:
        """The pitch class of the tonic, 0 for C."""
        return (LETTER_SEMITONES[STEPS.index(self.step)] + self.alter) % 12

    @cached_property
    def scale(self) -> tuple[tuple[str, int], ...]:
        """The scale from the tonic up, as pairs of step and alteration."""
        return tuple(self._spell_tone(tone) for tone in MODES[self.mode])

    @cached_property
    def pitch_classes(self) -> tuple[int, ...]:
        """The scale from the tonic up, as pitch classes."""
        return tuple((self.tonic + semitones) % 12 for _, semitones in MODES[self.mode])

    @property
    def is_minor(self) -> bool:
        """Whether the third above the tonic is minor."""
        semitones = [semitones for _, semitones in MODES[self.mode]]
        return 3 in semitones and 4 not in semitones

    @property
    def sharps(self) -> int:
        """The number of sharps in the signature; negative for flats. Usual signatures have at most 7."""
        shift = _SIGNATURE_SHIFT.get(self.mode, -3 if self.is_minor else 0)
        return _TONIC_FIFTHS[self.step] + 7 * self.alter + shift

    @property
    def church_mode(self) -> str:
        """The church mode (or major, minor) with the same tonic and signature. Notation formats have no other modes."""
        return _CHURCH_MODES[self.sharps - Key(self.step, self.alter, "major").sharps]

    def signature_alter(self, step: str) -> int:
        """Return the alteration of a letter by the signature: 1 for F in G major."""
        sharps = self.sharps
        place = _SHARPS_ORDER.index(step)
        if sharps >= 0:
            return (sharps + 6 - place) // 7
        return -((-sharps + place) // 7)

    def spell(self, midi: int) -> Pitch:
        """Spell a MIDI note as is usual in this key.

        A note outside the scale is spelled as the nearest altered scale tone.
        """
        step, alter = self._spelling[(midi - self.tonic) % 12]
        octave = (midi - alter - LETTER_SEMITONES[STEPS.index(step)]) // 12 - 1
        # MIDI note 0 is not spelled as B sharp, because that would be in octave -2.
        return Pitch(step, alter, octave) if octave >= -1 else Pitch.from_midi(midi)

    @cached_property
    def _spelling(self) -> dict[int, tuple[str, int]]:
        chromatic = _CHROMATIC_IN_MINOR if self.is_minor else _CHROMATIC_IN_MAJOR
        tones = (
            {0: (0, 0)}
            | _NATURAL_TONES
            | chromatic
            | {semitones: (letters, semitones) for letters, semitones in MODES[self.mode]}
        )
        spelled = {}
        for semitones, tone in tones.items():
            step, alter = self._spell_tone(tone)
            if abs(alter) > 2:
                plain = Pitch.from_midi(60 + (self.tonic + semitones) % 12, prefer_flats=self.sharps < 0)
                step, alter = plain.step, plain.alter
            spelled[semitones] = (step, alter)
        return spelled

    def _spell_tone(self, tone: ScaleTone) -> tuple[str, int]:
        letters, semitones = tone
        place = STEPS.index(self.step) + letters
        natural = LETTER_SEMITONES[place % 7] + 12 * (place // 7)
        alter = LETTER_SEMITONES[STEPS.index(self.step)] + self.alter + semitones - natural
        return STEPS[place % 7], alter


class Spelling:
    """Names MIDI notes in the key at each moment, or with sharps where there is no key."""

    def __init__(self, keys: Iterable[tuple[Fraction | int, Key | None]]) -> None:
        """`keys` are pairs of a start and the key from then on, sorted by start."""
        found = list(keys)
        self._starts = [start for start, _ in found]
        self._keys = [key for _, key in found]

    def name(self, midi: int, at: Fraction | int) -> str:
        place = bisect_right(self._starts, at) - 1
        key = self._keys[place] if place >= 0 else None
        pitch = key.spell(midi) if key else Pitch.from_midi(midi)
        return pitch.typed_name


def key_of_signature(sharps: int, mode: str) -> Key:
    """Return the key of this mode whose signature has `sharps` sharps (negative for flats)."""
    fifths = sharps - Key("C", 0, mode).sharps + 1  # counted from F
    return Key(_SHARPS_ORDER[fifths % 7], fifths // 7, mode)


def parse_key(text: str) -> Key:
    """Read the name of a key: `C` is C major, `c` and `Cm` are C minor. Raise INVALID_KEY if it is not a key."""
    match = _KEY.fullmatch(text.strip()) if len(text) <= 40 else None
    if match is None:
        raise _unknown(text, (*_in_english(text), *_EXAMPLES))
    letter, accidental, rest = match.groups()
    words = " ".join(rest.replace("_", " ").replace("-", " ").split())
    mode = _mode(words)
    tonic = letter.upper() + {"♯": "#", "♭": "b", None: ""}.get(accidental, accidental or "")
    if mode is None:
        from difflib import get_close_matches  # slow to import, and only needed for errors

        close = get_close_matches(words.lower(), [*MODES, *_OTHER_NAMES], n=3, cutoff=0.6)
        modes = dict.fromkeys(_OTHER_NAMES.get(name, name) for name in close) or ("major", "minor", "dorian")
        raise _unknown(text, [f"{tonic} {mode}" for mode in modes])
    if not words and letter.islower():
        mode = "minor"
    return Key(tonic[0], {"": 0, "#": 1, "b": -1}[tonic[1:]], mode)


def _in_english(text: str) -> tuple[str, ...]:
    """Return English names of a key on H, the German name of B; none for any other text."""
    if text[:1] not in ("H", "h"):
        return ()
    mode = _mode(" ".join(text[1:].split()))
    return (f"B {mode}",) if mode else ("B major", "B minor")


def _mode(words: str) -> str | None:
    if words == "M":
        return "major"
    folded = words.lower()
    folded = _OTHER_NAMES.get(folded, folded)
    return folded if folded in MODES else None


def _unknown(text: str, suggestions: Iterable[str]) -> MusicError:
    return MusicError(
        "INVALID_KEY",
        f"{quoted(text)} is not a key. Write a tonic A to G, # or b if needed, and a mode: 'C major', 'D minor', "
        "'F# dorian'.",
        suggestions,
    )
