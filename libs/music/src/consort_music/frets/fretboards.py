"""Fretboards: the strings of an instrument, their pitches at each fret, and the distances in millimetres.

Strings are numbered as players do: string 1 is the last one of a written tuning, on most instruments the highest.
Tunings are written from the highest number down to string 1: `E2 A2 D3 G3 B3 E4`. Frets are counted from the capo, and
fret 0 is an open string. The short fifth string of a banjo begins at the fifth fret: its frets have the numbers of the
other strings (6 is one semitone above the open string), and 1 to 5 do not exist.
"""

from dataclasses import dataclass
from functools import cached_property

from consort_music.errors import MusicError
from consort_music.frets.tunings import InstrumentKind, instrument_kind, parse_tuning
from consort_music.pitch import Pitch

MAX_CAPO = 12


@dataclass(frozen=True)
class Fretboard:
    """An instrument with its tuning and capo."""

    instrument: str
    open_pitches: tuple[int, ...]
    """The MIDI pitches of the open strings, with the capo, from string 1 on."""
    first_frets: tuple[int, ...]
    """The fret at which each string begins, from string 1 on: 5 for the fifth string of a banjo, otherwise 0."""
    highest_fret: int
    """Counted from the capo."""
    scale_mm: float
    """The length of the strings from the nut to the bridge."""
    capo: int = 0
    courses: int = 1
    """How many strings are played as one: 2 on a mandolin."""

    @property
    def strings(self) -> int:
        return len(self.open_pitches)

    def pitch(self, string: int, fret: int) -> int:
        """Return the MIDI pitch of a fret."""
        return self.open_pitches[string - 1] + (fret - self.first_frets[string - 1] if fret else 0)

    def fret(self, string: int, pitch: int) -> int | None:
        """Return the fret of a pitch, or None if this string does not have it."""
        above = pitch - self.open_pitches[string - 1]
        if above <= 0:
            return 0 if above == 0 else None
        fret = above + self.first_frets[string - 1]
        return fret if fret <= self.highest_fret else None

    def places(self, pitch: int) -> list[tuple[int, int]]:
        """Return every (string, fret) of a pitch."""
        frets = ((string, self.fret(string, pitch)) for string in range(1, self.strings + 1))
        return [(string, fret) for string, fret in frets if fret is not None]

    @cached_property
    def mm(self) -> tuple[float, ...]:
        """The distance of each fret from the nut. Each fret takes the same share of the rest of the string."""
        return tuple(self.scale_mm * (1 - 2 ** (-(self.capo + fret) / 12)) for fret in range(self.highest_fret + 1))

    @property
    def lowest_pitch(self) -> int:
        return min(self.open_pitches)

    @property
    def highest_pitch(self) -> int:
        return max(self.pitch(string, self.highest_fret) for string in range(1, self.strings + 1))

    @property
    def tuning_text(self) -> str:
        """The tuning without the capo, from the highest string number down to string 1: `E2 A2 D3 G3 B3 E4`."""
        return " ".join(Pitch.from_midi(pitch - self.capo).name for pitch in reversed(self.open_pitches))


def fretboard(instrument: str = "guitar", tuning: str | None = None, capo: int = 0) -> Fretboard:
    """Return the fretboard of an instrument by name, with a tuning by name or as notes.

    Raise UNKNOWN_INSTRUMENT, INVALID_TUNING or INVALID_CAPO.
    """
    kind = instrument_kind(instrument)
    pitches = parse_tuning(tuning, kind)
    if not 0 <= capo <= MAX_CAPO:
        raise MusicError(
            "INVALID_CAPO", f"A capo is at fret 1 to {MAX_CAPO}, or 0 for none, not at fret {capo}.", ["0", "2"]
        )
    return Fretboard(
        kind.name,
        tuple(pitch + capo for pitch in reversed(pitches)),
        tuple(reversed(_first_frets(pitches, kind))),
        kind.frets - capo,
        kind.scale_mm,
        capo,
        kind.courses,
    )


def _first_frets(pitches: tuple[int, ...], kind: InstrumentKind) -> list[int]:
    """Return where each string begins. A banjo's first written string is short if it is higher than the next."""
    first_frets = [0] * len(pitches)
    if kind.short_string and len(pitches) > 4 and pitches[0] > pitches[1]:
        first_frets[0] = kind.short_string
    return first_frets
