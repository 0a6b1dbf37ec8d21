"""Move pitches and chords from one key to another.

Between keys of the same mode, everything moves by the nearest interval between the tonics. If the mode differs, each
note also keeps its degree: the third of the major scale becomes the third of the minor scale. A note outside the scale
keeps its distance to the degree below.
"""

from collections.abc import Iterable

from consort_music.chords.grammar import parse_chord
from consort_music.chords.transposition import change_chord_tones, transpose_symbol
from consort_music.keys import MODES, Key
from consort_music.transposition import interval_between_keys, readable_interval, transpose_key


def key_after(key: Key, semitones: int) -> Key:
    """Return the key of the same mode that many semitones higher, spelled with the fewest sharps or flats."""
    return transpose_key(key, readable_interval(semitones, [key.sharps]))


class KeyChange:
    """Moves pitches and chord symbols to another key. `interval` is the interval between the tonics."""

    def __init__(self, source: Key | None, target: Key | None, semitones: int | None, symbols: Iterable[str]) -> None:
        """Prepare to move by `semitones` or, if that is None, from the key `source` to the key `target`.

        If `semitones` and one of the keys are None, nothing is moved. If `source` is None, the interval is spelled so
        that the roots of `symbols`, the chords to move, have few sharps or flats.
        """
        self._target = target
        self._by_degree = [0] * 12
        self._source_tonic = source.tonic if source else 0
        if semitones is None and source and target:
            self.interval = interval_between_keys(source, target)
            if source.mode != target.mode and len(MODES[source.mode]) == len(MODES[target.mode]):
                self._by_degree = _by_degree(source, target)
        elif source:
            self.interval = readable_interval(semitones or 0, [source.sharps])
        else:
            self.interval = readable_interval(semitones or 0, _roots(symbols))

    @property
    def semitones(self) -> int:
        return self.interval.semitones

    def pitch(self, pitch: int) -> int:
        """Return the moved MIDI note."""
        return pitch + self.interval.semitones + self._by_degree[(pitch - self._source_tonic) % 12]

    def chord(self, symbol: str) -> str:
        """Return the moved chord symbol, which still fits the moved notes."""
        found = change_chord_tones(symbol, self.pitch, self._target) if self._target and any(self._by_degree) else None
        return found or transpose_symbol(symbol, self.interval, self._target)


def _roots(symbols: Iterable[str]) -> list[int]:
    """Return the positions of the roots and basses on the line of fifths."""
    chords = [parse_chord(symbol) for symbol in symbols]
    return [name.fifths for chord in chords for name in (chord.root, chord.bass) if name]


def _by_degree(one: Key, other: Key) -> list[int]:
    """Return a list of 12 numbers. Item `n` is how many semitones higher the degree at `n` is in the other mode."""
    here = [semitones for _, semitones in MODES[one.mode]]
    there = [semitones for _, semitones in MODES[other.mode]]
    degrees = [max(place for place, tone in enumerate(here) if tone <= semitone) for semitone in range(12)]
    return [there[degree] - here[degree] for degree in degrees]
