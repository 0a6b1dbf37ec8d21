"""Which bar of a melody repeats which: forms of folk tunes, cut or joined to any number of bars."""

import random
from dataclasses import dataclass
from typing import Literal

from consort_compose.composer.melody.tables import tables

Relation = Literal["new", "equal", "shifted", "head", "tail", "shifted head", "shifted tail", "rhythm"]
_RELATIONS: dict[str, Relation] = {
    ".": "new",
    "e": "equal",
    "s": "shifted",
    "h": "head",
    "t": "tail",
    "i": "shifted head",
    "j": "shifted tail",
    "r": "rhythm",
}
_LONGEST = 32


@dataclass(frozen=True, slots=True)
class Bar:
    relation: Relation
    source: int
    """The earlier bar that this one repeats; its own number where it is new."""


def choose_form(measures: int, rng: random.Random) -> list[Bar]:
    """A form of so many bars. Beyond 32 it goes on with a second form that may come back to the beginning."""
    if measures > _LONGEST:
        return _joined(measures, rng)
    lengths = [length for length in sorted(tables().forms) if length >= measures]
    form = read_form(rng.choice(tables().forms[lengths[0]]))
    return form[:measures]


def read_form(text: str) -> list[Bar]:
    bars: list[Bar] = []
    at = 0
    while at < len(text):
        relation = _RELATIONS[text[at]]
        if relation == "new":
            bars.append(Bar(relation, len(bars)))
            at += 1
        else:
            bars.append(Bar(relation, int(text[at + 1], 36)))
            at += 2
    return bars


def is_phrase_end(index: int, measures: int) -> bool:
    """Phrases have four bars; the last ends with the melody, however long it is."""
    return index == measures - 1 or (index % 4 == 3 and index < measures - 2)


def _joined(measures: int, rng: random.Random) -> list[Bar]:
    """Sections of at most 16 bars; every second one may begin as the first did."""
    bars: list[Bar] = []
    while len(bars) < measures:
        begin = len(bars)
        section = choose_form(min(16, measures - begin), rng)
        returns = begin > 0 and rng.random() < 0.5
        for index, bar in enumerate(section):
            if returns and index < 4 and bar.relation == "new":
                bars.append(Bar("equal", index))
            else:
                bars.append(Bar(bar.relation, begin + bar.source))
    return bars
