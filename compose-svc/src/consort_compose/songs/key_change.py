"""What becomes of pitches and chords that are copied from one key into another.

From one key to another of the same mode everything moves by the nearest interval between the tonics. Where the mode
differs too, each note keeps its degree: the third of a major scale becomes the third of a minor one, and what is not in
the scale keeps its distance to the degree below.
"""

from collections.abc import Iterable

from consort_music.chords import parse_chord
from consort_music.chords.transposition import transposed, with_tones_moved
from consort_music.keys import MODES, Key
from consort_music.transposition import between_keys, readable_interval, transposed_key


def key_after(key: Key, semitones: int) -> Key:
    """Return the key of the same mode so many semitones away, spelled with the fewest sharps or flats."""
    return transposed_key(key, readable_interval(semitones, [key.sharps]))


class KeyChange:
    """Moves pitches and chord symbols; `interval` is that between the tonics."""

    def __init__(self, source: Key | None, target: Key | None, semitones: int | None, symbols: Iterable[str]) -> None:
        """Without `semitones`, move from the source's key to the target's; without both keys, not at all.

        The symbols, which are to be moved, say how an interval is best spelled where no key is known.
        """
        self._target = target
        self._by_degree = [0] * 12
        self._source_tonic = source.tonic if source else 0
        if semitones is None and source and target:
            self.interval = between_keys(source, target)
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
        """Move a MIDI note."""
        return pitch + self.interval.semitones + self._by_degree[(pitch - self._source_tonic) % 12]

    def chord(self, symbol: str) -> str:
        """Move a chord symbol, so that it is still the chord of its notes."""
        found = with_tones_moved(symbol, self.pitch, self._target) if self._target and any(self._by_degree) else None
        return found or transposed(symbol, self.interval, self._target)


def _roots(symbols: Iterable[str]) -> list[int]:
    """Return the places of the roots and basses on the line of fifths."""
    chords = [parse_chord(symbol) for symbol in symbols]
    return [name.fifths for chord in chords for name in (chord.root, chord.bass) if name]


def _by_degree(one: Key, other: Key) -> list[int]:
    """Return for each semitone above the tonic by how much the same degree of the other mode is higher."""
    here = [semitones for _, semitones in MODES[one.mode]]
    there = [semitones for _, semitones in MODES[other.mode]]
    degrees = [max(place for place, tone in enumerate(here) if tone <= semitone) for semitone in range(12)]
    return [there[degree] - here[degree] for degree in degrees]
