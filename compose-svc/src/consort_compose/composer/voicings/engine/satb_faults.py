"""Find the part-writing faults of chords in four voices."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from consort_compose.composer.voice_ranges import VOICES
from consort_compose.composer.voicings.engine.satb_voicings import PAIRS, RANGES, SatbNotes
from consort_music.chords.symbol import ChordSymbol
from consort_music.chords.tone_weights import MAIN_TONE, tone_weights

FaultKind = Literal[
    "parallel_fifths", "parallel_octaves", "overlap", "crossing", "out_of_range", "spacing", "missing_tone"
]


class SatbFault(NamedTuple):
    """A part-writing fault."""

    position: int
    """Index of the chord. Parallels and overlaps are reported at the second of their two chords."""
    kind: FaultKind
    voices: tuple[str, ...]


def find_faults(chords: Sequence[ChordSymbol], voicings: Sequence[SatbNotes | None]) -> list[SatbFault]:
    """Return the faults of voiced chords, in order of the chords. A voicing is None for N.C."""
    found: list[SatbFault] = []
    previous: SatbNotes | None = None
    for index, (chord, notes) in enumerate(zip(chords, voicings, strict=True)):
        if notes is not None:
            found += _chord_faults(index, chord, notes)
            if previous is not None:
                found += step_faults(index, previous, notes)
        previous = notes
    return found


def _chord_faults(index: int, chord: ChordSymbol, notes: SatbNotes) -> Iterable[SatbFault]:
    for voice, note, (low, high) in zip(VOICES, notes, RANGES, strict=True):
        if not low <= note <= high:
            yield SatbFault(index, "out_of_range", (voice,))
    for upper in range(3):
        pair = VOICES[upper : upper + 2]
        if notes[upper] < notes[upper + 1]:
            yield SatbFault(index, "crossing", pair)
        if upper < 2 and notes[upper] - notes[upper + 1] > 12:
            yield SatbFault(index, "spacing", pair)
    present = {note % 12 for note in notes}
    if any(
        cost >= MAIN_TONE and pitch_class not in present for pitch_class, cost in tone_weights(chord).missing.items()
    ):
        yield SatbFault(index, "missing_tone", ())


def step_faults(index: int, old: SatbNotes, new: SatbNotes) -> Iterable[SatbFault]:
    """Yield the faults between two chords. `index` is the index of the second chord."""
    for upper, lower in PAIRS:
        interval = (old[upper] - old[lower]) % 12
        same = interval == (new[upper] - new[lower]) % 12
        if same and interval in (0, 7) and (new[upper] - old[upper]) * (new[lower] - old[lower]) > 0:
            yield SatbFault(
                index, "parallel_octaves" if interval == 0 else "parallel_fifths", (VOICES[upper], VOICES[lower])
            )
    for upper in range(3):
        if new[upper + 1] > old[upper] or new[upper] < old[upper + 1]:
            yield SatbFault(index, "overlap", VOICES[upper : upper + 2])
