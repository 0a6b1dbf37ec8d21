"""When the words of mini-notation sound in a cycle, without the engine: enough of the notation to tell rhythms apart.

Understood are sequences, `[ ]`, `< >` (its parts are cycles), commas, rests, `*n`, `/n`, `!n`, `@n`, `_`, `?`, and
Euclidean rhythms with plain numbers. Patterns inside numbers, `{ }`, `|` and `..` are read as if they were sequences.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

_TOKEN = re.compile(r"[\[\]<>{},|]|[~_-](?=[\s\]>},]|$)|\([^()]*\)|[*/!@?%:]+[\d.]*|[^\s\[\]<>{},|()*/!@?%]+")
_MOST_EVENTS = 64
_MOST_REPEATS = 32
_MOST_PLACED = 20_000
"""How often an event may be placed while a text is read. A text of a song needs some hundreds."""
_RESTS = ("~", "-")


class MiniEvent(NamedTuple):
    start: Fraction
    """In cycles."""
    length: Fraction
    word: str


class _Step(NamedTuple):
    events: tuple[MiniEvent, ...]
    """In the time of the step, from 0 to 1."""
    weight: Fraction = Fraction(1)


def mini_events(text: str) -> list[MiniEvent]:
    """Return the events of the first cycles, in the order of time: `<a b>` lasts two cycles."""
    tokens = _TOKEN.findall(text)[:400]
    return list(_first(_EventReader().sequence(iter(tokens), "")))


def _first(events: Iterable[MiniEvent]) -> tuple[MiniEvent, ...]:
    """Return the first events in time. Later ones of a part can never be among the first of the whole."""
    return tuple(sorted(events, key=lambda event: event.start)[:_MOST_EVENTS])


class _EventReader:
    """Reads one text. `bd*9*9*9*9` would have thousands of events, so their number is limited everywhere."""

    def __init__(self) -> None:
        self._left = _MOST_PLACED

    def sequence(self, tokens: Iterator[str], closing: str) -> tuple[MiniEvent, ...]:
        """Return the events of everything up to a closing bracket. A comma begins another sequence at the same time."""
        layers: list[list[_Step]] = [[]]
        for token in tokens:
            if token == closing:
                break
            if token in (",", "|"):
                layers.append([])
            elif token in ("[", "{"):
                layers[-1].append(_Step(self.sequence(tokens, "]" if token == "[" else "}")))
            elif token == "<":
                layers[-1].append(_Step(self.sequence(tokens, ">")))
            elif token in _RESTS:
                layers[-1].append(_Step(()))
            elif token == "_" and layers[-1]:
                layers[-1][-1] = layers[-1][-1]._replace(weight=layers[-1][-1].weight + 1)
            elif token[0] in "*/!@?%(" and layers[-1]:
                layers[-1][-1:] = self._changed(layers[-1][-1], token)
            else:
                layers[-1].append(_Step((MiniEvent(Fraction(0), Fraction(1), token),)))
        # Alternatives take a cycle each; everything else shares one.
        return _first(event for layer in layers for event in self._placed(layer, one_each=closing == ">"))

    def _placed(self, steps: list[_Step], *, one_each: bool) -> Iterator[MiniEvent]:
        total = sum((step.weight for step in steps), Fraction(0)) or Fraction(1)
        scale = Fraction(1) if one_each else 1 / total
        start = Fraction(0)
        for step in steps:
            size = step.weight * scale
            for event in step.events:
                if self._left <= 0:
                    return
                self._left -= 1
                yield MiniEvent(start + event.start * size, event.length * size, event.word)
            start += size

    def _changed(self, step: _Step, token: str) -> list[_Step]:
        """Return a step after a sign that follows it."""
        if token[0] == "(":
            return [self._euclidean(step, token)]
        number = _number(token[1:])
        if token[0] == "@":
            return [step._replace(weight=max(number, Fraction(1, 16)))]
        if token[0] == "!":
            return [step] * max(min(int(number) if token[1:] else 2, _MOST_REPEATS), 1)
        if token[0] == "*" and number > 0:
            times = max(min(int(number), _MOST_REPEATS), 1)
            repeated = self._placed([step._replace(weight=Fraction(1))] * times, one_each=False)
            return [step._replace(events=_first(repeated))]
        if token[0] == "/" and number > 0:
            slower = [MiniEvent(event.start * number, event.length * number, event.word) for event in step.events]
            return [step._replace(events=tuple(slower))]
        return [step]

    def _euclidean(self, step: _Step, token: str) -> _Step:
        numbers = [int(part) for part in re.findall(r"-?\d+", token)]
        if len(numbers) < 2 or not 0 < numbers[0] <= numbers[1] <= _MOST_REPEATS:
            return step
        hits, steps, shift = numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 0
        pattern = _bjorklund(hits, steps)
        row = [
            step._replace(weight=Fraction(1)) if pattern[(place - shift) % steps] else _Step(())
            for place in range(steps)
        ]
        return step._replace(events=_first(self._placed(row, one_each=False)))


def _bjorklund(hits: int, steps: int) -> list[bool]:
    """Return which of the steps are hits, spread as evenly as possible (Bjorklund; Toussaint 2005)."""
    groups, rest = [[True]] * hits, [[False]] * (steps - hits)
    while len(rest) > 1:
        paired = min(len(groups), len(rest))
        joined = [one + other for one, other in zip(groups, rest, strict=False)]
        groups, rest = joined, groups[paired:] or rest[paired:]
    return [hit for group in (*groups, *rest) for hit in group]


def _number(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return Fraction(1)
