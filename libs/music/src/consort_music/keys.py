"""Keys: a tonic and a mode, with the scale spelled, the signature, and the spelling of any pitch in the key.

Typed as people do: `C major`, `F# dorian`, `Bb`, `Dm`, `a minor`, `E harmonic minor`, `G blues`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property

from consort_music.errors import MusicError, quoted
from consort_music.pitch import LETTER_SEMITONES, STEPS, Pitch, name_or_number, pitch_class_name

Tone = tuple[int, int]
"""A tone of a scale above its tonic: letters and semitones."""

MODES: dict[str, tuple[Tone, ...]] = {
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
"""Sharps more than the major key on the same tonic has; keys with a minor third have 3 less, all others none."""
_TONIC_FIFTHS = {"F": -1, "C": 0, "G": 1, "D": 2, "A": 3, "E": 4, "B": 5}
_SHARPS_ORDER = "FCGDAEB"
_KEY = re.compile(r"([A-Ga-g])([#♯]|[b♭])?(?:[\s_-]*)(.*)", re.DOTALL)
_CHROMATIC_IN_MAJOR = {1: (0, 1), 3: (2, 3), 6: (3, 6), 8: (4, 8), 10: (6, 10)}
_CHROMATIC_IN_MINOR = {1: (1, 1), 4: (2, 4), 6: (3, 6), 9: (5, 9), 11: (6, 11)}
_NATURAL_TONES = {2: (1, 2), 3: (2, 3), 4: (2, 4), 5: (3, 5), 7: (4, 7), 8: (5, 8), 9: (5, 9), 10: (6, 10), 11: (6, 11)}
_TYPED_OCTAVES = range(10)
_EXAMPLES = ("C major", "D minor", "F# dorian")


@dataclass(frozen=True)
class Key:
    """A key such as `Key("F", 1, "dorian")`; `mode` is a name in MODES."""

    step: str
    alter: int
    mode: str

    @property
    def name(self) -> str:
        """`F# dorian`: what `parse_key` reads back."""
        return f"{self.tonic_name} {self.mode}"

    @property
    def tonic_name(self) -> str:
        return pitch_class_name(self.step, self.alter)

    @cached_property
    def tonic(self) -> int:
        """The pitch class of the tonic, 0 for C."""
        return (LETTER_SEMITONES[STEPS.index(self.step)] + self.alter) % 12

    @cached_property
    def scale(self) -> tuple[tuple[str, int], ...]:
        """The scale from the tonic up, as steps and alterations."""
        return tuple(self._spelled(tone) for tone in MODES[self.mode])

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
        """The signature: so many sharps, or flats where negative. Beyond 7 there is no usual signature."""
        shift = _SIGNATURE_SHIFT.get(self.mode, -3 if self.is_minor else 0)
        return _TONIC_FIFTHS[self.step] + 7 * self.alter + shift

    def signature_alter(self, step: str) -> int:
        """What the signature does to a letter: 1 for F in G major."""
        sharps = self.sharps
        place = _SHARPS_ORDER.index(step)
        if sharps >= 0:
            return (sharps + 6 - place) // 7
        return -((-sharps + place) // 7)

    def spell(self, midi: int) -> Pitch:
        """A MIDI note spelled as it is usual in this key; what is not in the scale, as its nearest inflection."""
        step, alter = self._spelling[(midi - self.tonic) % 12]
        octave = (midi - alter - LETTER_SEMITONES[STEPS.index(step)]) // 12 - 1
        return Pitch(step, alter, octave) if octave >= -1 else Pitch.from_midi(midi)  # the lowest C is no B sharp

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
            step, alter = self._spelled(tone)
            if abs(alter) > 2:
                plain = Pitch.from_midi(60 + (self.tonic + semitones) % 12, prefer_flats=self.sharps < 0)
                step, alter = plain.step, plain.alter
            spelled[semitones] = (step, alter)
        return spelled

    def _spelled(self, tone: Tone) -> tuple[str, int]:
        letters, semitones = tone
        place = STEPS.index(self.step) + letters
        natural = LETTER_SEMITONES[place % 7] + 12 * (place // 7)
        alter = LETTER_SEMITONES[STEPS.index(self.step)] + self.alter + semitones - natural
        return STEPS[place % 7], alter


class Spelling:
    """Names of MIDI notes as they can be typed, by the key that holds when they sound; without one, with sharps."""

    def __init__(self, keys: Iterable[tuple[Fraction | int, Key | None]]) -> None:
        """`keys` from when on each holds, in order."""
        found = list(keys)
        self._starts = [start for start, _ in found]
        self._keys = [key for _, key in found]

    def name(self, midi: int, at: Fraction | int) -> str:
        place = bisect_right(self._starts, at) - 1
        key = self._keys[place] if place >= 0 else None
        pitch = key.spell(midi) if key else None
        return pitch.name if pitch and pitch.octave in _TYPED_OCTAVES else name_or_number(midi)


def key_of_signature(sharps: int, mode: str) -> Key:
    """The key of a mode that has so many sharps (flats, where negative)."""
    fifths = sharps - Key("C", 0, mode).sharps + 1  # from F
    return Key(_SHARPS_ORDER[fifths % 7], fifths // 7, mode)


def parse_key(text: str) -> Key:
    """A key by its name; a bare letter is major, a trailing m minor. Raises INVALID_KEY."""
    match = _KEY.fullmatch(text.strip()) if len(text) <= 40 else None
    if match is None:
        raise _unknown(text, (*_in_english(text), *_EXAMPLES))
    letter, accidental, rest = match.groups()
    words = " ".join(rest.replace("_", " ").replace("-", " ").split())
    mode = _mode(words)
    tonic = letter.upper() + {"♯": "#", "♭": "b", None: ""}.get(accidental, accidental or "")
    if mode is None:
        close = get_close_matches(words.lower(), [*MODES, *_OTHER_NAMES], n=3, cutoff=0.6)
        modes = dict.fromkeys(_OTHER_NAMES.get(name, name) for name in close) or ("major", "minor", "dorian")
        raise _unknown(text, [f"{tonic} {mode}" for mode in modes])
    if not words and letter.islower():
        mode = "minor"
    return Key(tonic[0], {"": 0, "#": 1, "b": -1}[tonic[1:]], mode)


def _in_english(text: str) -> tuple[str, ...]:
    """A key on the German H by its English name."""
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
