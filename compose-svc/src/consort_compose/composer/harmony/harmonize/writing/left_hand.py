"""Voice the chords for the left hand of a keyboard, below the melody.

Each chord has its bass at the bottom and up to three tones above it. The tones are the essential ones of the chord
(third, seventh, altered ninth); in the modal style they are a stack of perfect fourths of the scale (quartal voicing).
All notes stay below the lowest melody note of the chord, if the melody leaves room for an octave. Below C3 there are no
intervals smaller than a fourth. The Viterbi algorithm chooses the voicings that move least.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, repeat
from operator import itemgetter

from consort_compose.composer.voicings.engine.cheapest_path import cheapest_path
from consort_compose.composer.voicings.engine.least_motion import motion
from consort_compose.composer.voicings.engine.styles import four_tones
from consort_music.chords.symbol import ChordSymbol, pitch_at
from consort_music.chords.timed_chords import ChordSpan
from consort_music.chords.tone_weights import tone_weights
from consort_music.keys import Key
from consort_music.pitch import Pitch
from consort_music.score import Note

LeftHand = tuple[int, ...]
Priced = tuple[float, LeftHand]
_LOWEST, _HIGHEST = 36, 65
_HIGHEST_BASS = 55
_SPAN = 16
"""The largest distance of the lowest and the highest note, in semitones."""
_CLEAR = 48
"""Below C3, notes must be at least `_LEAST_GAP` semitones apart."""
_LEAST_GAP = 5
_LEAST_ROOM = 48
"""If the melody goes below this note, the left hand does not follow it down."""
_CENTRE = 53.0
_MOST = 8
"""The number of voicings of one chord that the search compares."""
_FEWER = 6.0
"""The cost of each tone that a voicing lacks, relative to the weight of its omission."""
_FOURTH = 5
_STACK = 3


def left_hand(melody: Sequence[Note], chords: Sequence[ChordSpan], key: Key, quartal: bool) -> list[Note]:
    """Return the notes of all chords. `quartal` asks for stacks of fourths."""
    layers: list[list[Priced]] = []
    scale = frozenset(key.pitch_classes)
    for start, end, chord in chords:
        sounding = [note.midi for note in melody if note.start < end and note.end > start]
        top = min([_HIGHEST, *(midi - 1 for midi in sounding)])
        top = max(top, _LEAST_ROOM)
        bass = chord.bass_pitch_class or 0
        found = list(_quartal(chord, bass, scale, top)) if quartal else []
        found = found or list(_tertian(chord, bass, top)) or [(0.0, (_bass_note(bass, top),))]
        layers.append(sorted(found)[:_MOST])
    path, _ = cheapest_path(layers, itemgetter(0), repeat(_step_cost))
    return [
        Note(start, end - start, _spelled(midi, chord, key))
        for (start, end, chord), (_, notes) in zip(chords, path, strict=True)
        for midi in notes
    ]


def _step_cost(before: Priced, after: Priced, _limit: float) -> float:
    return float(motion(before[1], after[1]))


def _spelled(midi: int, chord: ChordSymbol, key: Key) -> Pitch:
    if midi % 12 in chord.pitch_classes or midi % 12 == chord.bass_pitch_class:
        return pitch_at(chord.note_name(midi % 12), midi)
    return key.spell(midi)


def _bass_note(bass: int, top: int) -> int:
    """Return the highest note of a pitch class up to `top`, at most `_HIGHEST_BASS`."""
    limit = min(top, _HIGHEST_BASS)
    return limit - (limit - bass) % 12


@lru_cache(maxsize=4096)
def _tertian(chord: ChordSymbol, bass: int, top: int) -> tuple[Priced, ...]:
    weights = tone_weights(chord).missing
    needed = [tone for tone in four_tones(chord, bass) if tone != bass]
    found = []
    for size in range(len(needed), 0, -1):
        for tones in combinations(needed, size):
            lost = sum(weights.get(tone, 0.0) for tone in needed if tone not in tones) / _FEWER
            found += [(lost + _away(notes), notes) for notes in _placed(bass, tones, top)]
    return tuple(sorted(found)[:_MOST])


def _placed(bass: int, tones: Sequence[int], top: int) -> Iterator[LeftHand]:
    """Yield all ways to place tones above a bass."""
    for lowest in range(_LOWEST + (bass - _LOWEST) % 12, min(top, _HIGHEST_BASS) + 1, 12):
        choices: list[LeftHand] = [(lowest,)]
        for tone in tones:
            first = lowest + ((tone - lowest) % 12 or 12)
            places = [place for place in (first, first + 12) if place <= min(top, lowest + _SPAN)]
            choices = [(*notes, place) for notes in choices for place in places]
        for choice in choices:
            notes = tuple(sorted(choice))
            if _is_clear(notes):
                yield notes


def _is_clear(notes: LeftHand) -> bool:
    return all(above - below >= (_LEAST_GAP if below < _CLEAR else 1) for below, above in pairwise(notes))


def _away(notes: LeftHand) -> float:
    return abs(sum(notes) / len(notes) - _CENTRE) / 3


@lru_cache(maxsize=4096)
def _quartal(chord: ChordSymbol, bass: int, scale: frozenset[int], top: int) -> tuple[Priced, ...]:
    """Return stacks of three fourths of the scale above the bass, or two if there is little room."""
    own = chord.pitch_classes
    third = next((tone.pitch_class for (number, _), tone in zip(chord.degrees, chord.tones, strict=True)
                  if number == 3), None)  # fmt: skip
    found = []
    for lowest in range(_LOWEST + (bass - _LOWEST) % 12, min(top, _HIGHEST_BASS) + 1, 12):
        for start in range(lowest + _LEAST_GAP, top):
            for size in (_STACK, _STACK - 1):
                stack = tuple(start + _FOURTH * place for place in range(size))
                tones = {note % 12 for note in stack}
                if stack[-1] > min(top, lowest + _SPAN + _FOURTH) or not tones <= scale:
                    continue
                clashing = sum((tone - 1) % 12 in own or (tone + 1) % 12 in own for tone in tones - own)
                cost = 4.0 * (third not in tones) + 3.0 * clashing + 0.5 * len(tones - own) + 2.0 * (_STACK - size)
                found.append((cost + _away((lowest, *stack)), (lowest, *stack)))
    return tuple(sorted(found)[:_MOST])
