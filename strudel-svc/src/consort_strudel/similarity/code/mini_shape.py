"""What the signs of mini-notation do: `bd*4 [~ cp]` repeats a step, divides one and leaves one out."""

import re
from collections import Counter

SIGNS = {
    "repeat": re.compile(r"\*"),
    "stretch": re.compile(r"(?<![/\w])/|(?<=[\w\])>])/"),
    "alternate": re.compile(r"<"),
    "divide": re.compile(r"\["),
    "euclid": re.compile(r"\([^,()]+,"),
    "rest": re.compile(r"(?<![\w.])[~-](?![\w.])"),
    "together": re.compile(r",(?![^(]{0,200}\))"),
    "maybe": re.compile(r"\?"),
    "again": re.compile(r"!"),
    "longer": re.compile(r"@|(?<=\s)_(?=\s|$)"),
    "choose": re.compile(r"\|"),
    "number": re.compile(r"(?<=\w):(?=\d)"),
    "run": re.compile(r"\.\."),
    "polymetre": re.compile(r"\{"),
}
"""By the name of a sign's effect: how it is found."""

WORDS = {
    "repeat": "repeated",
    "stretch": "slowed down over several cycles",
    "alternate": "alternating every cycle",
    "divide": "subdivided",
    "euclid": "euclidean rhythm",
    "rest": "with rests",
    "together": "layered at the same time",
    "maybe": "randomly left out",
    "again": "repeated steps",
    "longer": "held longer",
    "choose": "random choice",
    "run": "running numbers",
    "polymetre": "polymetre",
}
"""By the name of a sign's effect: what a musician would say."""


def signs_of(text: str) -> Counter[str]:
    """Return how often each sign is used in a text of mini-notation."""
    found = {name: len(pattern.findall(text)) for name, pattern in SIGNS.items()}
    return Counter({name: count for name, count in found.items() if count})
