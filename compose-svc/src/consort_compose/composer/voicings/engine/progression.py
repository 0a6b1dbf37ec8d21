"""Voice a whole progression with little motion.

Choir and strings follow the rules of part writing (`satb.py`). For piano and guitar, each chord has a list of good
voicings, and the Viterbi algorithm (`cheapest_path.py`) chooses one of each list.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from consort_compose.composer.voicings.engine import string_quartet
from consort_compose.composer.voicings.engine.cheapest_path import cheapest_path
from consort_compose.composer.voicings.engine.least_motion import motion
from consort_compose.composer.voicings.engine.satb import realize_satb
from consort_compose.composer.voicings.engine.satb_faults import SatbFault
from consort_compose.composer.voicings.engine.single_chord import (
    GUITAR,
    Voicing,
    VoicingInstrument,
    VoicingRequest,
    over_bass,
    placements,
    spell_voicing,
)
from consort_compose.composer.voicings.engine.styles import STYLES, VoicingStyle, four_tones, style_of
from consort_music.chords.symbol import ChordSymbol
from consort_music.errors import MusicError
from consort_music.frets.chord_shapes import chord_shapes, effort, note_shapes
from consort_music.pitch import Pitch

_MOST_VOICINGS = 28
"""The largest number of voicings of one chord that the search considers."""
_HAND_MOVE = 1.0
"""The cost of moving the hand by one fret."""
_GUITAR_MOTION = 0.2
"""The cost of moving a note of a guitar by one semitone; on other instruments it is 1."""
_REGION = 4
"""The largest distance of the lowest pressed frets of a progression on a guitar, if there are shapes for it."""
_OUTSIDE_REGION = 4.0
"""The cost of each fret outside the region."""


class ProgressionStep(NamedTuple):
    """A chord of the progression."""

    chord: ChordSymbol
    voicing: Voicing | None
    """None for N.C. (no chord)."""
    pitches: tuple[Pitch, ...]
    """The notes of the voicing, spelled."""


@dataclass(frozen=True)
class Progression:
    steps: list[ProgressionStep]
    faults: list[SatbFault]
    motion: int
    """The semitones that all voices move, added up over all changes of chord."""


def realize_progression(
    chords: Sequence[ChordSymbol],
    instrument: VoicingInstrument = "piano",
    style: VoicingStyle | None = None,
    *,
    inversions: bool = True,
    low: int | None = None,
    high: int | None = None,
) -> Progression:
    """Return a voicing of each chord.

    `inversions` allows inversions of chords without a slash. On piano and guitar the first and the last chord are
    inverted only if they have no other voicing. `style` is used wherever the instrument can play it; it has no effect
    on satb and strings. Raise INVALID_RANGE if a chord has no voicing between `low` and `high`.
    """
    requests = [VoicingRequest(chord, instrument, style, low=low, high=high) for chord in chords]
    found: list[SatbFault] = []
    if instrument in ("satb", "strings"):
        result = realize_satb(chords, free_bass=inversions, low=low or 0, high=127 if high is None else high)
        found = result.faults
        voicings = [
            None if voices is None else _voicing_of_voices(tuple(pitch.midi for pitch in reversed(voices)), instrument)
            for voices in result.chords
        ]
    else:
        voicings = _cheapest_voicings(
            requests, _guitar_choices if instrument == "guitar" else _piano_choices, inversions
        )
    steps = [
        ProgressionStep(chord, voicing, spell_voicing(chord, voicing) if voicing else ())
        for chord, voicing in zip(chords, voicings, strict=True)
    ]
    moved = 0
    for first, second in itertools.pairwise(voicings):
        if first and second:
            moved += motion(first.notes, second.notes)
    return Progression(steps, found, moved)


def _voicing_of_voices(notes: tuple[int, ...], instrument: VoicingInstrument) -> Voicing:
    players = string_quartet.share_out(notes) if instrument == "strings" else None
    return Voicing(notes, "close" if notes[3] - notes[1] <= 12 else "open", players=players)


PricedVoicing = tuple[float, Voicing]
"""The cost of a voicing by itself, and the voicing."""


def _cheapest_voicings(
    requests: Sequence[VoicingRequest],
    choices: Callable[[VoicingRequest, list[int]], list[PricedVoicing]],
    inversions: bool,
) -> list[Voicing | None]:
    """Return the voicings with the least total cost. Each run of chords without N.C. is a separate search."""
    voicings: list[Voicing | None] = [None] * len(requests)
    run: list[list[PricedVoicing]] = []
    for at, request in enumerate([*requests, None]):
        if request is not None and not request.chord.is_no_chord:
            is_end = at in (0, len(requests) - 1)  # at the start and end, listeners expect the root in the bass
            found = choices(request, _basses(request.chord, inversions and not is_end))
            found = found or choices(request, _basses(request.chord, inversions))
            found = sorted(found, key=lambda choice: choice[0])[:_MOST_VOICINGS]
            if not found:
                low, high = request.range
                raise MusicError(
                    "INVALID_RANGE",
                    f"No voicing of {request.chord.name} (chord {at + 1}) for {request.instrument} fits between "
                    f"{Pitch.from_midi(low).name} and {Pitch.from_midi(high).name}. Give range_low and range_high at "
                    "least two octaves apart, such as C3 and C6.",
                    ["range_low: C3, range_high: C6"],
                    "range_low",
                )
            run.append(found)
        elif run:
            path = _in_one_region(run)
            voicings[at - len(run) : at] = [voicing for _, voicing in path]
            run = []
    return voicings


def _in_one_region(run: list[list[PricedVoicing]]) -> list[PricedVoicing]:
    """Return the cheapest path of voicings; on a guitar, that of the cheapest region of the neck."""
    path, _ = cheapest_path(run, itemgetter(0), itertools.repeat(_step_cost))
    positions = [place for _, voicing in path if (place := _position(voicing))]
    if not positions or max(positions) - min(positions) <= _REGION:
        return path
    best: tuple[float, list[PricedVoicing]] | None = None
    for lowest in range(1, max(positions) + 1):
        layers = [
            [(price + _OUTSIDE_REGION * _frets_outside(voicing, lowest), voicing) for price, voicing in choices]
            for choices in run
        ]
        path, cost = cheapest_path(layers, itemgetter(0), itertools.repeat(_step_cost))
        if best is None or cost < best[0]:
            best = cost, path
    return best[1] if best else path


def _position(voicing: Voicing) -> int:
    return voicing.fingering.position if voicing.fingering else 0


def _frets_outside(voicing: Voicing, lowest: int) -> int:
    """Return how far the hand is outside the region that begins at a fret. A shape of open strings is in every one."""
    position = _position(voicing)
    return max(0, lowest - position, position - lowest - _REGION) if position else 0


def _basses(chord: ChordSymbol, inversions: bool) -> list[int]:
    own = chord.bass_pitch_class or 0
    if not inversions or chord.bass is not None:
        return [own]
    return list(dict.fromkeys([own, *four_tones(chord, own)]))


def _step_cost(first: PricedVoicing, second: PricedVoicing, limit: float) -> float:
    """Return the cost of moving from one voicing to the next.

    If the cost reaches `limit`, any value of at least `limit` may be returned.
    """
    old, new = first[1].notes, second[1].notes
    outer = float(abs(old[0] - new[0]) + abs(old[-1] - new[-1]))
    if outer >= limit and first[1].fingering is None:
        return outer
    one, other = first[1].fingering, second[1].fingering
    if one is None or other is None:
        return float(motion(old, new))
    moved = _HAND_MOVE * abs(one.position - other.position) if one.position and other.position else 0.0
    return _GUITAR_MOTION * motion(old, new) + moved


def _piano_choices(request: VoicingRequest, basses: list[int]) -> list[PricedVoicing]:
    found: list[PricedVoicing] = []
    styles: Sequence[VoicingStyle] = (request.style,) if request.style else STYLES[:3]
    for rank, bass in enumerate(basses):
        for style in styles:
            for notes in placements(
                VoicingRequest(request.chord, "piano", style, bass, request.low, request.high), style
            ):
                away = abs(sum(notes) / len(notes) - 62.0)
                found.append((0.3 * away + 0.7 * (rank > 0) + 0.5 * (style != styles[0]), Voicing(notes, style)))
    if not found and request.style:
        return _piano_choices(VoicingRequest(request.chord, "piano", None, None, request.low, request.high), basses)
    return found


def _guitar_choices(request: VoicingRequest, basses: list[int]) -> list[PricedVoicing]:
    found: list[PricedVoicing] = []
    for rank, bass in enumerate(basses):
        if request.style:
            for notes in placements(
                VoicingRequest(request.chord, "guitar", request.style, bass, request.low, request.high),
                request.style,
                reduced=True,
            ):
                for fingering in note_shapes(notes, GUITAR)[:2]:
                    found.append((effort(fingering) + rank, Voicing(notes, request.style, fingering)))
    if found:
        return found
    for rank, bass in enumerate(basses):
        needed = set(four_tones(request.chord, bass))
        shapes = chord_shapes(over_bass(request.chord, bass), GUITAR, bass, *request.range)
        complete = [shape for shape in shapes if needed <= {note % 12 for note in shape.notes}] or shapes
        for place, fingering in enumerate(complete[: _MOST_VOICINGS // 2]):
            voicing = Voicing(fingering.notes, style_of(request.chord, fingering.notes), fingering)
            found.append((0.4 * place + 3.0 * (rank > 0), voicing))
    return found
