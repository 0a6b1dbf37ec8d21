"""What mini-notation plays, as a musician would say it: the grid of a drum, the register, steps and chords of notes.

Steps of a rhythm are sixteenths of a cycle. Notes are compared by their intervals, so that the key does not matter.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import median

from consort_strudel.music_words import note_number, number_of
from consort_strudel.similarity.code.mini_events import MiniEvent, mini_events
from consort_strudel.structure.instrument_names import drum_of

WeightedFeature = tuple[str, float]

_GRID = 16
_HIT, _RHYTHM, _REGISTER, _SET, _CHORD, _STEP = 0.15, 0.25, 0.4, 0.4, 0.3, 0.15
_REGISTERS = ((36, "sub"), (48, "bass"), (60, "tenor"), (76, "middle"), (200, "high"))
_STRUCTS = ("x", "t", "1")


def shape_features(function: str, text: str) -> Iterator[WeightedFeature]:
    """Yield features of a text in mini-notation that is given to a function, with their weights."""
    events = mini_events(text)
    if function == "s":
        yield from _drum_features(events)
    elif function in ("struct", "mask"):
        yield from _grid("struct", [event for event in events if event.word in _STRUCTS])
    elif function in ("note", "n"):
        yield from _note_features(events, is_note=function == "note")
    elif function == "chord":
        yield from _symbol_features(events)


def _drum_features(events: Sequence[MiniEvent]) -> Iterator[WeightedFeature]:
    drums: dict[str, list[MiniEvent]] = defaultdict(list)
    for event in events:
        drums[drum_of(event.word) or "sound"].append(event)
    for drum, hits in drums.items():
        yield from _grid(drum, hits)


def _grid(name: str, hits: Sequence[MiniEvent]) -> Iterator[WeightedFeature]:
    """Yield the places of hits, alone and together."""
    places = sorted({round(hit.start * _GRID) for hit in hits if hit.start < 1})
    if not places:
        return
    for place in places:
        yield f"{name} at {place}", _HIT
    yield f"{name} rhythm {places}", _RHYTHM
    yield f"rhythm {places}", _RHYTHM
    if all(hit.start * _GRID % 4 == 2 for hit in hits):
        yield f"{name} off the beat", _RHYTHM
    if any(hit.start * _GRID % 1 for hit in hits):
        yield "not in sixteenths", _RHYTHM


def _note_features(events: Sequence[MiniEvent], *, is_note: bool) -> Iterator[WeightedFeature]:
    notes = [(event.start, pitch) for event in events if (pitch := _pitch(event.word)) is not None]
    if not notes:
        return
    pitches = [pitch for _, pitch in notes]
    if is_note:
        yield f"register {next(name for below, name in _REGISTERS if median(pitches) < below)}", _REGISTER
        classes = sorted({(pitch - min(pitches)) % 12 for pitch in pitches})
        if len(classes) > 3:
            yield f"notes {_from_lowest(classes)}", _SET
    at_once: dict[Fraction, list[int]] = defaultdict(list)
    for start, pitch in notes:
        at_once[start].append(pitch)
    chords = [sorted(set(group)) for _, group in sorted(at_once.items())]
    for chord in chords:
        if len(chord) > 1:
            yield f"chord {[pitch - chord[0] for pitch in chord]}", _CHORD
    lines = [chord[0] for chord in chords]
    for first, second in itertools.pairwise(lines):
        yield f"step {second - first}", _STEP
    if len(chords) > 1 and all(len(chord) > 1 for chord in chords) and len(set(lines)) == 1:
        yield "held bass note", _SET
    if len(lines) > 1 and all(abs(second - first) == 12 for first, second in list(itertools.pairwise(lines))[::2]):
        yield "octaves", _SET


def _from_lowest(classes: list[int]) -> list[int]:
    """Return pitch classes in the rotation that is smallest, so that a scale is the same from each of its notes."""
    return min(sorted((each - first) % 12 for each in classes) for first in classes)


def _symbol_features(events: Sequence[MiniEvent]) -> Iterator[WeightedFeature]:
    """Yield the kinds of chord symbols and the steps between their roots."""
    symbols = []
    for event in events:
        root = event.word[:2] if event.word[1:2] in ("b", "#") else event.word[:1]
        number = note_number(root)
        if number is not None:
            symbols.append((number % 12, event.word[len(root) :]))
    for _, kind in symbols:
        yield f"chord kind {kind or 'major'}", _CHORD
    for (first, _), (second, _) in itertools.pairwise(symbols):
        yield f"root moves {(second - first) % 12}", _CHORD
    yield f"chords {len(symbols)}", _STEP


def _pitch(word: str) -> int | None:
    number = note_number(word)
    if number is None and (value := number_of(word)) is not None:
        number = round(value)
    return number
