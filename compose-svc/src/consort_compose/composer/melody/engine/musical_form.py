"""Choose which bar of a melody repeats which. The forms come from folk tunes, cut or joined to the number of bars."""

import random
from dataclasses import dataclass
from typing import Literal

from consort_compose.composer.melody.engine.folk_statistics import TuneProfile, density_likeness, folk_statistics

Relation = Literal[
    "new", "equal", "shifted", "long head", "long tail", "head", "tail", "shifted head", "shifted tail", "rhythm"
]
"""What a bar copies from an earlier bar.

    new             nothing
    equal           rhythm and all pitches
    head, tail      rhythm and the pitches of the first half, or of the second half
    long …          rhythm and the pitches of the first or last three quarters
    shifted …       the same, transposed
    rhythm          only the rhythm
"""
_RELATIONS: dict[str, Relation] = {
    ".": "new",
    "e": "equal",
    "s": "shifted",
    "u": "long head",
    "w": "long tail",
    "h": "head",
    "t": "tail",
    "i": "shifted head",
    "j": "shifted tail",
    "r": "rhythm",
}
_EXACT_RIFF = 0.75
"""How often a riff returns with all its pitches. Otherwise its end is new."""
_ANSWERS: tuple[Relation, ...] = ("rhythm", "head", "tail", "rhythm")
"""How a later response is like the first one."""
_LEAST_WEIGHT = 1e-6
"""Every form has at least this weight."""
_LONGEST = 32
"""Number of bars of the longest forms in the statistics."""


@dataclass(frozen=True, slots=True)
class FormBar:
    relation: Relation
    source: int
    """Index of the earlier bar that this bar copies. A new bar has its own index."""
    answers: bool = False
    """Whether the bar is the response to a call. It ends a phrase."""


def choose_form(measures: int, profile: TuneProfile, rng: random.Random) -> list[FormBar]:
    """Draw a form with `measures` bars, most likely of a tune that has about as many notes per quarter as the profile.

    A form of more than 32 bars is joined from several forms.
    """
    if measures > _LONGEST:
        return _join_sections(measures, profile, rng)
    by_length = folk_statistics(profile.style).forms
    forms = by_length[min(length for length in by_length if length >= measures)]
    weights = [density_likeness(of_tune, profile.density) + _LEAST_WEIGHT for _, of_tune in forms]
    return parse_form(rng.choices(forms, weights)[0][0])[:measures]


def choose_riff_form(measures: int, rng: random.Random) -> list[FormBar]:
    """Draw a form of call and response, for a blues: a riff in every other bar, and answers to it between.

    The third phrase of twelve bars begins with the rhythm of the riff only, as its words and chords are new.
    """
    bars: list[FormBar] = []
    for index in range(measures):
        if index < 2:
            bars.append(FormBar("new", index, answers=index == 1))
        elif index % 2 == 0:
            relation: Relation = "rhythm" if index % 12 == 8 else "equal" if rng.random() < _EXACT_RIFF else "long head"
            bars.append(FormBar(relation, 0))
        else:
            bars.append(FormBar(rng.choice(_ANSWERS), 1, answers=True))
    return bars


def parse_form(text: str) -> list[FormBar]:
    """Read a form such as `..e0s1`.

    `.` is a new bar. Any other bar is a letter of `_RELATIONS` and the index of its source in base 36.
    """
    bars: list[FormBar] = []
    at = 0
    while at < len(text):
        relation = _RELATIONS[text[at]]
        if relation == "new":
            bars.append(FormBar(relation, len(bars)))
            at += 1
        else:
            bars.append(FormBar(relation, int(text[at + 1], 36)))
            at += 2
    return bars


def is_phrase_end(index: int, measures: int) -> bool:
    """Return whether the bar at `index` ends a phrase. Phrases have four bars; the last phrase may be longer."""
    return index == measures - 1 or (index % 4 == 3 and index < measures - 2)


def _join_sections(measures: int, profile: TuneProfile, rng: random.Random) -> list[FormBar]:
    """Join sections of at most 16 bars. A later section may begin with a repetition of the first four bars."""
    bars: list[FormBar] = []
    while len(bars) < measures:
        begin = len(bars)
        section = choose_form(min(16, measures - begin), profile, rng)
        returns = begin > 0 and rng.random() < 0.5
        for index, bar in enumerate(section):
            if returns and index < 4 and bar.relation == "new":
                bars.append(FormBar("equal", index))
            else:
                bars.append(FormBar(bar.relation, begin + bar.source))
    return bars
