"""Write steps and onsets as mini-notation: the shortest of several ways, repeats folded into `*` and `!`.

A sequence is written flat (`c4@3 d4`), or divided into equal parts that are written the same way (`c4 [d4 e4] f4@2`).
Times are exact fractions of any unit; only their ratios matter.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

REST = "~"
_WEIGHT = re.compile(r"(.)@([0-9]+)")
_DIVISIONS = (2, 3, 4, 5, 6, 7, 8, 9, 12, 16)
_FEWEST_REPEATS = 3
"""Equal words are written as `a!3` from this many on; two are as easy to read as `a a`."""

Step = tuple[str, Fraction]
"""A word of mini-notation and its length."""


@dataclass(frozen=True)
class MiniWriter:
    """Writes mini-notation. Without `folds` nothing is repeated by `*` or `!`, for comparison."""

    folds: bool = True
    _known: dict[tuple[Fraction, ...], str] = field(default_factory=dict)

    def steps(self, steps: Sequence[Step]) -> str:
        """Return steps, one after the other, as the content of a cycle (without brackets around it)."""
        merged: list[Step] = []
        for word, length in steps:
            if word == REST and merged and merged[-1][0] == REST:
                merged[-1] = REST, merged[-1][1] + length
            else:
                merged.append((word, length))
        return self._steps(merged)

    def _steps(self, steps: list[Step]) -> str:
        if len(steps) == 1:
            return steps[0][0]
        unit = _common_unit([length for _, length in steps])
        best = self._joined([(word, int(length / unit)) for word, length in steps])
        total = sum((length for _, length in steps), Fraction(0))
        for count in _DIVISIONS:
            parts = _divided(steps, total / count)
            if parts is None or len(parts) in (1, len(steps)):
                continue
            words = [(as_word(self._steps(part)) if len(part) > 1 else part[0][0], weight) for part, weight in parts]
            best = min(best, self._joined(words), key=reading_cost)
        return best

    def onsets(self, word: str, onsets: Sequence[Fraction]) -> str:
        """Return a word at onsets from 0 to 1, of any length, as the content of a cycle."""
        return self._onsets(tuple(sorted(set(onsets)))).replace("x", word)

    def _onsets(self, onsets: tuple[Fraction, ...]) -> str:
        if not onsets:
            return REST
        if onsets == (Fraction(0),):
            return "x"
        known = self._known.get(onsets)
        if known is not None:
            return known
        finest = math.lcm(*(onset.denominator for onset in onsets))
        best: str | None = None
        for count in _DIVISIONS:
            if finest % count and count != finest:
                continue
            parts: list[list[Fraction]] = [[] for _ in range(count)]
            for onset in onsets:
                parts[int(onset * count)].append(onset * count % 1)
            text = self._joined([(as_word(self._onsets(tuple(part))), 1) for part in parts])
            best = text if best is None else min(best, text, key=reading_cost)
        if best is None:  # the grid is finer than any division: write every point
            best = self._joined([("x" if Fraction(place, finest) in onsets else REST, 1) for place in range(finest)])
        self._known[onsets] = best
        return best

    def _joined(self, words: Sequence[tuple[str, int]]) -> str:
        """Join words with weights."""
        if not self.folds:
            return " ".join(_weighted(word, weight) for word, weight in words)
        if all(weight == words[0][1] for _, weight in words):
            words = [(word, 1) for word, _ in words]
            period = shortest_period(words)
            count = len(words) // period
            if count > 1:
                once = self._joined(words[:period])
                return f"{as_word(once)}*{count}" if once != REST else REST
        found: list[str] = []
        place = 0
        while place < len(words):
            word, weight = words[place]
            run = place
            while run < len(words) and words[run] == (word, weight):
                run += 1
            count = run - place
            if word == REST:
                found.append(_weighted(word, weight * count))
            elif weight == 1 and (count >= _FEWEST_REPEATS or (count > 1 and " " in word)):
                found.append(f"{word}!{count}")
            else:
                found += [_weighted(word, weight)] * count
            place = run
        return " ".join(found)


def reading_cost(text: str) -> int:
    """Return how hard text is to read: its length, and more for brackets in brackets and for long steps."""
    depth = deepest = 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        deepest = max(deepest, depth)
    weights = (2 if found[1] == REST else 2 + int(found[2]) for found in _WEIGHT.finditer(text))
    return len(text) + 2 * deepest**2 + sum(weights)


def shortest_period(words: Sequence[object]) -> int:
    """Return the length of the shortest sequence that gives these words when it is repeated."""
    count = len(words)
    for period in range(1, count // 2 + 1):
        if count % period == 0 and all(words[place] == words[place - period] for place in range(period, count)):
            return period
    return count


def as_word(text: str) -> str:
    """Return text as one word, in brackets if it has several, or several voices."""
    depth = 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if depth == 0 and letter in " ,":
            return f"[{text}]"
    return text


def _weighted(word: str, weight: int) -> str:
    return word if weight == 1 else f"{word}@{weight}"


def _common_unit(lengths: Sequence[Fraction]) -> Fraction:
    """Return the longest length of which all these are multiples."""
    below = math.lcm(*(length.denominator for length in lengths))
    return Fraction(math.gcd(*(int(length * below) for length in lengths)), below)


def _divided(steps: list[Step], part: Fraction) -> list[tuple[list[Step], int]] | None:
    """Return groups of steps with their length in parts, or None if a step crosses the border of a part.

    A group fills one part, or is a single step that fills one or more.
    """
    groups: list[tuple[list[Step], int]] = []
    current: list[Step] = []
    filled = Fraction(0)
    for word, length in steps:
        if not current and length >= part:
            if length % part:
                return None
            groups.append(([(word, length)], int(length / part)))
            continue
        current.append((word, length))
        filled += length
        if filled > part:
            return None
        if filled == part:
            groups.append((current, 1))
            current, filled = [], Fraction(0)
    return groups
