"""A whole progression voiced at once: of all ways through the voicings of its chords, the one with the least motion.

Choir and strings follow the rules of part writing (`satb.py`). On piano and guitar each chord brings its own good
voicings, and dynamic programming finds the cheapest way through them.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from consort_compose.composer.voicings import guitar, strings
from consort_compose.composer.voicings.cheapest import cheapest_path
from consort_compose.composer.voicings.leading import motion
from consort_compose.composer.voicings.realize import Instrument, Voicing, Wish, over_bass, placed, spell
from consort_compose.composer.voicings.satb import Fault, realize_satb
from consort_compose.composer.voicings.styles import STYLES, Style, four_tones, style_of
from consort_music.chords import ChordSymbol
from consort_music.errors import MusicError
from consort_music.pitch import Pitch

_POOL = 28
_HAND_MOVE = 0.6
"""What a fret costs that the hand moves along the neck, in semitones of motion."""


class Step(NamedTuple):
    """A chord of the progression; without a voicing where it is N.C."""

    chord: ChordSymbol
    voicing: Voicing | None
    pitches: tuple[Pitch, ...]


@dataclass(frozen=True)
class Progression:
    steps: list[Step]
    faults: list[Fault]
    motion: int
    """Semitones that all voices move, from the first chord to the last."""


def realize_progression(
    chords: Sequence[ChordSymbol],
    instrument: Instrument = "piano",
    style: Style | None = None,
    *,
    inversions: bool = True,
    low: int | None = None,
    high: int | None = None,
) -> Progression:
    """Voice the chords one after another. `inversions` lets chords without a slash stand on another tone than the root,
    on piano and guitar all but the first and the last; `style` is kept wherever the instrument can play it. Raises
    INVALID_RANGE where a chord has no voicing."""
    wishes = [Wish(chord, instrument, style, low=low, high=high) for chord in chords]
    found: list[Fault] = []
    if instrument in ("satb", "strings"):
        result = realize_satb(chords, free_bass=inversions, low=low or 0, high=127 if high is None else high)
        found = result.faults
        voicings = [
            None if voices is None else _of_voices(tuple(pitch.midi for pitch in reversed(voices)), instrument)
            for voices in result.chords
        ]
    else:
        voicings = _led(wishes, _guitar_choices if instrument == "guitar" else _piano_choices, inversions)
    steps = [
        Step(chord, voicing, spell(chord, voicing) if voicing else ())
        for chord, voicing in zip(chords, voicings, strict=True)
    ]
    moved = 0
    for first, second in itertools.pairwise(voicings):
        if first and second:
            moved += motion(first.notes, second.notes)
    return Progression(steps, found, moved)


def _of_voices(notes: tuple[int, ...], instrument: Instrument) -> Voicing:
    players = strings.share_out(notes) if instrument == "strings" else None
    return Voicing(notes, "close" if notes[3] - notes[1] <= 12 else "open", players=players)


Choice = tuple[float, Voicing]


def _led(
    wishes: Sequence[Wish], choices: Callable[[Wish, list[int]], list[Choice]], inversions: bool
) -> list[Voicing | None]:
    """The cheapest way, from one N.C. to the next."""
    voicings: list[Voicing | None] = [None] * len(wishes)
    run: list[list[Choice]] = []
    for at, wish in enumerate([*wishes, None]):
        if wish is not None and not wish.chord.is_no_chord:
            is_end = at in (0, len(wishes) - 1)  # where the ear takes the bass for the root
            found = choices(wish, _basses(wish.chord, inversions and not is_end))
            found = found or choices(wish, _basses(wish.chord, inversions))
            found = sorted(found, key=lambda choice: choice[0])[:_POOL]
            if not found:
                low, high = wish.range
                raise MusicError(
                    "INVALID_RANGE",
                    f"No voicing of {wish.chord.name} (chord {at + 1}) for {wish.instrument} fits between "
                    f"{Pitch.from_midi(low).name} and {Pitch.from_midi(high).name}. Give range_low and range_high at "
                    "least "
                    "two octaves apart, such as C3 and C6.",
                    (),
                    "range_low",
                )
            run.append(found)
        elif run:
            path, _ = cheapest_path(run, itemgetter(0), itertools.repeat(_join))
            voicings[at - len(run) : at] = [voicing for _, voicing in path]
            run = []
    return voicings


def _basses(chord: ChordSymbol, inversions: bool) -> list[int]:
    own = chord.bass_pitch_class or 0
    if not inversions or chord.bass is not None:
        return [own]
    return list(dict.fromkeys([own, *four_tones(chord, own)]))


def _join(first: Choice, second: Choice, limit: float) -> float:
    """What it costs to go from one voicing to the next. From `limit` on only that it is more."""
    old, new = first[1].notes, second[1].notes
    outer = float(abs(old[0] - new[0]) + abs(old[-1] - new[-1]))
    if outer >= limit:
        return outer
    cost = float(motion(old, new))
    one, other = first[1].fingering, second[1].fingering
    if one and other:
        cost += _HAND_MOVE * abs(one.position - other.position)
    return cost


def _piano_choices(wish: Wish, basses: list[int]) -> list[Choice]:
    found: list[Choice] = []
    styles: Sequence[Style] = (wish.style,) if wish.style else STYLES[:3]
    for rank, bass in enumerate(basses):
        for style in styles:
            for notes in placed(Wish(wish.chord, "piano", style, bass, wish.low, wish.high), style):
                away = abs(sum(notes) / len(notes) - 62.0)
                found.append((0.3 * away + 0.7 * (rank > 0) + 0.5 * (style != styles[0]), Voicing(notes, style)))
    if not found and wish.style:
        return _piano_choices(Wish(wish.chord, "piano", None, None, wish.low, wish.high), basses)
    return found


def _guitar_choices(wish: Wish, basses: list[int]) -> list[Choice]:
    found: list[Choice] = []
    for rank, bass in enumerate(basses):
        if wish.style:
            for notes in placed(
                Wish(wish.chord, "guitar", wish.style, bass, wish.low, wish.high), wish.style, reduced=True
            ):
                for fingering in guitar.fingerings(notes)[:2]:
                    found.append((guitar.effort(fingering) + rank, Voicing(notes, wish.style, fingering)))
    if found:
        return found
    for rank, bass in enumerate(basses):
        needed = set(four_tones(wish.chord, bass))
        shapes = guitar.shapes(over_bass(wish.chord, bass), bass, *wish.range)
        complete = [shape for shape in shapes if needed <= {note % 12 for note in shape.notes}] or shapes
        for place, fingering in enumerate(complete[: _POOL // 2]):
            voicing = Voicing(fingering.notes, style_of(wish.chord, fingering.notes), fingering)
            found.append((0.4 * place + 3.0 * (rank > 0), voicing))
    return found
