"""Write bars, one after the other, as code, with repeats folded and phrases that return as constants.

A voice has one or more rows of bars, such as notes and velocities. Several ways are tried, and the shortest is taken:

- Each row is one string. A row that repeats a shorter one is that shorter one, because patterns loop. Equal neighbours
  are `a!3`, groups of bars that are repeated at once `[a b]*2@4`; dynamic programming finds the shortest such text.
- A phrase of a row that returns is declared once (`const lead_a = "<…>"`), and `arrange([4, lead_a], …)` refers to it.
- The same with phrases that have all rows: `const lead_a = note("<…>").velocity("<…>")`.

Phrases are chosen greedily: in each round the one whose declaration saves most characters (as in Re-Pair compression).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import groupby
from string import ascii_lowercase
from typing import NamedTuple

from consort_strudel.transcribing.mini_text import REST, as_word, shortest_period

_LONGEST_PHRASES = (32, 8, 4, 2)
"""Limits that are tried: short phrases can return more often than long ones."""
_MOST_PHRASES = 24
_LEAST_SAVING = 4
_LONGEST_GROUP = 16
_LINE = 100
_BARS_A_LINE = 4

Render = Callable[[Sequence[str]], str]
"""Makes code of the expressions of the rows: `note(…).velocity(…)`."""

_Way = Callable[["Declarations"], str]
"""A way to write the rows, which may add declarations."""


class BarWord(NamedTuple):
    """The texts of a bar, one for each row, and its length in cycles."""

    texts: tuple[str, ...]
    cycles: Fraction


class PhraseName(NamedTuple):
    """A phrase that is declared elsewhere, and its length in cycles."""

    name: str
    cycles: Fraction


class Run(NamedTuple):
    """Equal bars or phrases, one after the other."""

    word: BarWord | PhraseName
    times: int

    @property
    def cycles(self) -> Fraction:
        return self.word.cycles * self.times


@dataclass
class Declarations:
    """The constants of a script. Equal phrases of different voices are declared once."""

    values: dict[str, str] = field(default_factory=dict)
    """By expression: the name."""

    def declare(self, expression: str, voice: str) -> str:
        """Return the name of a constant with this value."""
        known = self.values.get(expression)
        if known is None:
            taken = set(self.values.values())
            known = self.values[expression] = next(name for name in _candidates(voice) if name not in taken)
        return known

    @property
    def lines(self) -> list[str]:
        return [f"const {name} = {expression}" for expression, name in self.values.items()]

    @property
    def size(self) -> int:
        return sum(len(line) + 1 for line in self.lines)


def _candidates(voice: str) -> Sequence[str]:
    letters = list(ascii_lowercase)
    return [f"{voice}_{first}{second}" for first in ["", *letters] for second in letters]


def rows_code(
    rows: Sequence[Sequence[str]],
    cycles: Sequence[Fraction],
    voice: str,
    declarations: Declarations,
    render: Render,
    *,
    folds: bool = True,
) -> str:
    """Return the code of rows of bars with these lengths. Constants that it needs are added to the declarations."""
    bars = [BarWord(texts, length) for texts, length in zip(zip(*rows, strict=True), cycles, strict=True)]
    if not folds:
        return render(
            [_line([_run_text(run) for run in _row([Run(bar, 1) for bar in bars], row)]) for row in range(len(rows))]
        )
    ways: list[_Way] = [
        lambda _: render([_mini(_runs(_period(_row_bars(bars, row)))) for row in range(len(rows))]),
    ]
    for longest in _LONGEST_PHRASES:
        ways.append(_phrases_by_row(bars, len(rows), voice, render, longest))
        if len(rows) > 1:
            ways.append(partial(_with_phrases, bars, voice, render, longest))
    results: list[tuple[int, int, str, Declarations]] = []
    for way in ways:
        known = Declarations(dict(declarations.values))
        code = way(known)
        results.append((len(code) + known.size, len(results), code, known))
    _, _, code, known = min(results, key=lambda result: result[:2])
    declarations.values = known.values
    return code


def _phrases_by_row(bars: Sequence[BarWord], count: int, voice: str, render: Render, longest: int) -> _Way:
    def way(known: Declarations) -> str:
        return render([_with_phrases(_row_bars(bars, row), voice, _first, longest, known) for row in range(count)])

    return way


def _first(expressions: Sequence[str]) -> str:
    return expressions[0]


def _row_bars(bars: Sequence[BarWord], row: int) -> list[BarWord]:
    return [BarWord((bar.texts[row],), bar.cycles) for bar in bars]


def _period(bars: Sequence[BarWord]) -> Sequence[BarWord]:
    return bars[: shortest_period(bars)]


def _with_phrases(bars: Sequence[BarWord], voice: str, render: Render, longest: int, declarations: Declarations) -> str:
    runs = _runs(_period(bars))
    for _ in range(_MOST_PHRASES):
        phrase = _best_phrase(runs, voice, longest)
        if phrase is None:
            break
        name = declarations.declare(_expression(phrase, render), voice)
        replacement = Run(PhraseName(name, _total(phrase)), 1)
        runs = _joined(_replaced(runs, phrase, replacement))
    return _expression(runs, render)


def _runs(bars: Sequence[BarWord]) -> list[Run]:
    return _joined([Run(bar, 1) for bar in bars])


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Join equal neighbours."""
    return [Run(word, sum(run.times for run in group)) for word, group in groupby(runs, key=lambda run: run.word)]


def _total(runs: Sequence[Run]) -> Fraction:
    return sum((run.cycles for run in runs), Fraction(0))


def _best_phrase(runs: list[Run], voice: str, longest: int) -> tuple[Run, ...] | None:
    """Return the phrase whose declaration saves most characters, or None."""
    sizes = [_size(run) for run in runs]
    reference = len(voice) + 8  # `[4, lead_a], `
    best: tuple[Run, ...] | None = None
    most = _LEAST_SAVING
    for length in range(1, min(longest, len(runs) // 2) + 1):
        places: dict[tuple[Run, ...], list[int]] = {}
        for start in range(len(runs) - length + 1):
            found = places.setdefault(tuple(runs[start : start + length]), [])
            if not found or start >= found[-1] + length:
                found.append(start)
        for phrase, found in places.items():
            if len(found) < 2 or (length == 1 and isinstance(phrase[0].word, PhraseName)):
                continue
            size = sum(sizes[found[0] : found[0] + length])
            saving = (len(found) - 1) * size - len(found) * reference - len(voice) - 14
            if saving > most:
                best, most = phrase, saving
    return best


def _size(run: Run) -> int:
    if isinstance(run.word, PhraseName):
        return len(run.word.name) + 6
    return sum(len(_run_text(each)) + 1 for row in range(len(run.word.texts)) for each in _row([run], row))


def _replaced(runs: list[Run], phrase: tuple[Run, ...], replacement: Run) -> list[Run]:
    found: list[Run] = []
    place = 0
    while place < len(runs):
        if tuple(runs[place : place + len(phrase)]) == phrase:
            found.append(replacement)
            place += len(phrase)
        else:
            found.append(runs[place])
            place += 1
    return found


def _expression(runs: Sequence[Run], render: Render) -> str:
    """Return runs as code, with a call of `arrange` if phrases are among them."""
    if len(runs) == 1 and isinstance(runs[0].word, PhraseName):
        return runs[0].word.name
    sections: list[str] = []
    for is_phrase, group in groupby(runs, key=lambda run: isinstance(run.word, PhraseName)):
        part = list(group)
        if is_phrase:
            sections += [
                f"[{_number(run.cycles)}, {run.word.name}]" for run in part if isinstance(run.word, PhraseName)
            ]
            continue
        first = part[0].word
        rows = len(first.texts) if isinstance(first, BarWord) else 0
        code = render([_mini(_joined(_row(part, row))) for row in range(rows)])
        if len(part) == len(runs):
            return code
        sections.append(f"[{_number(_total(part))}, {code}]")
    return f"arrange({_wrapped(sections)})"


def _row(runs: Sequence[Run], row: int) -> list[Run]:
    """Return one row of bars."""
    return [
        Run(BarWord((run.word.texts[row],), run.word.cycles), run.times)
        for run in runs
        if isinstance(run.word, BarWord)
    ]


def _mini(runs: Sequence[Run]) -> str:
    """Return the bars of a row as a string in mini-notation, groups of bars that are repeated at once folded."""
    if len(runs) == 1 and runs[0].word.cycles == 1 and isinstance(runs[0].word, BarWord):
        return f'"{runs[0].word.texts[0]}"'
    count = len(runs)
    words = [_run_text(run) for run in runs]
    costs = [0] * (count + 1)  # of the shortest text from each place on
    choices: list[tuple[str, int]] = [("", 0)] * count  # its first word, and where it goes on
    for start in range(count - 1, -1, -1):
        costs[start], choices[start] = len(words[start]) + 1 + costs[start + 1], (words[start], start + 1)
        for length in range(1, min(_LONGEST_GROUP, (count - start) // 2) + 1):
            end = start + length
            while runs[end : end + length] == runs[start : start + length]:
                end += length
            if end == start + length:
                continue
            group = as_word(_broken(words[start : start + length]))
            word = f"{group}*{(end - start) // length}@{_number(_total(runs[start:end]))}"
            if len(word) + 1 + costs[end] < costs[start]:
                costs[start], choices[start] = len(word) + 1 + costs[end], (word, end)
    found: list[str] = []
    place = 0
    while place < count:
        word, place = choices[place]
        found.append(word)
    return _line(found)


def _line(words: Sequence[str]) -> str:
    """Return words as a string that plays one after the other, on several lines if it is long."""
    text = f"<{_broken(words)}>"
    return f"`{text}`" if "\n" in text else f'"{text}"'


def _broken(words: Sequence[str]) -> str:
    """Return words with blanks between them, and with line breaks if that would be long."""
    text = " ".join(words)
    if len(text) <= _LINE or len(words) == 1:
        return text
    return "\n  ".join(" ".join(words[place : place + _BARS_A_LINE]) for place in range(0, len(words), _BARS_A_LINE))


def _run_text(run: Run) -> str:
    """Return the word of a run in one row."""
    assert isinstance(run.word, BarWord)
    text, cycles = run.word.texts[0], run.word.cycles
    if text == REST:
        return REST if run.cycles == 1 else f"{REST}@{_number(run.cycles)}"
    word = as_word(text)
    if cycles == 1:
        return word if run.times == 1 else f"{word}!{run.times}"
    repeats = "" if run.times == 1 else f"*{run.times}"
    return f"{word}{repeats}@{_number(run.cycles)}"


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6f}".rstrip("0")


def _wrapped(sections: Sequence[str]) -> str:
    text = ", ".join(sections)
    if len(text) <= _LINE and "\n" not in text:
        return text
    return "\n  " + ",\n  ".join(sections) + ",\n"
