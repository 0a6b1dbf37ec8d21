"""Find the chorales that share a tune, and split the tunes into training and test tunes for `consort bench harmony`.

Melodies are compared independently of key and rhythm: the soprano at each beat, without repeated notes, is divided into
overlapping runs of six intervals. Two chorales are near-duplicates if the number of runs that they share is at least
30% of the runs of the chorale with fewer runs. Chorales that are connected by near-duplicates, directly or through
other chorales, have the same tune (single-linkage clustering). Hardly any pair shares between 30% and 45%, so the
threshold hardly matters.

Tunes are sorted by the SHA-256 of the name of their first chorale. The first 30% are the test tunes. Only the first
chorale of a test tune is used for the measurement. Its other harmonizations are used to compare Bach with Bach.

`python -m evaluation.corpora.chorales.split` wrote `split.json` before the first model was trained. It must not change.
"""

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from evaluation.corpora.chorales.scores import Chorale, chorales

RUN = 6
"""Intervals in a run."""
SHARED = 0.3
"""Near-duplicates share at least this fraction of their runs."""
TEST_SHARE = 0.3
"""The fraction of tunes that are test tunes."""
SPLIT = Path(__file__).with_name("split.json")


@dataclass(frozen=True)
class Split:
    train: list[list[str]]
    """Tunes, each with the names of its chorales."""
    test: list[list[str]]


def split() -> Split:
    kept = json.loads(SPLIT.read_text())
    return Split(kept["train"], kept["test"])


def soprano_at_beats(chorale: Chorale) -> list[int | None]:
    """Return, for each beat, the soprano's first pitch that sounds in the beat, or None if it rests."""
    found: list[int | None] = []
    for start, end, _ in chorale.beats:
        notes = [
            pitch for onset, duration, pitch in chorale.voices["soprano"] if onset < end and start < onset + duration
        ]
        found.append(notes[0] if notes else None)
    return found


def group_by_tune(all_chorales: dict[str, Chorale]) -> list[list[str]]:
    """Return the names of the chorales of each tune, by single-linkage clustering."""
    runs = {name: _runs(chorale) for name, chorale in all_chorales.items()}
    names = list(runs)
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            name = parent[name]
        return name

    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            if len(runs[one] & runs[other]) >= SHARED * max(1, min(len(runs[one]), len(runs[other]))):
                parent[root(other)] = root(one)
    members: dict[str, list[str]] = defaultdict(list)
    for name in names:
        members[root(name)].append(name)
    return sorted(members.values())


def make_split() -> Split:
    by_hash = sorted(group_by_tune(chorales()), key=lambda tune: hashlib.sha256(tune[0].encode()).hexdigest())
    count = round(TEST_SHARE * len(by_hash))
    return Split(train=sorted(by_hash[count:]), test=sorted(by_hash[:count]))


def _runs(chorale: Chorale) -> set[tuple[int, ...]]:
    pitches = [pitch for pitch in soprano_at_beats(chorale) if pitch is not None]
    pitches = [pitch for index, pitch in enumerate(pitches) if index == 0 or pitch != pitches[index - 1]]
    steps = [after - before for before, after in pairwise(pitches)]
    return {tuple(steps[start : start + RUN]) for start in range(len(steps) - RUN + 1)}


if __name__ == "__main__":
    made = make_split()
    lines = [
        f'"{side}": [\n' + ",\n".join(f"  {json.dumps(tune)}" for tune in side_tunes) + "\n]"
        for side, side_tunes in (("train", made.train), ("test", made.test))
    ]
    SPLIT.write_text("{" + ",\n".join(lines) + "}\n")
