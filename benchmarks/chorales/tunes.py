"""Which chorales share a tune, and which of them no model may see: the split of `consort bench harmony`.

Melodies are compared after transposition and without regard to rhythm: the soprano at each beat, repeated notes once,
as runs of six intervals. Two chorales are near-duplicates if they share three tenths of the runs of the one that has
fewer; chorales that are linked by near-duplicates, however many steps apart, are one tune. Hardly any pair lies between
0.3 and 0.45, so the tunes hardly depend on the threshold. The three tenths of the tunes whose first chorale's name has
the lowest SHA-256 are for the test; each is represented by its first chorale, and the other settings serve only to
measure Bach against Bach.

`split.json` was written by `python -m benchmarks.chorales.tunes` before the first model was trained, and stays.
"""

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.chorales.corpus import Chorale, chorales

RUN = 6
SHARED = 0.3
TEST_SHARE = 0.3
SPLIT = Path(__file__).with_name("split.json")


@dataclass(frozen=True)
class Split:
    train: list[list[str]]
    """Tunes, each with the names of its chorales."""
    test: list[list[str]]


def split() -> Split:
    kept = json.loads(SPLIT.read_text())
    return Split(kept["train"], kept["test"])


def melody(chorale: Chorale) -> list[int | None]:
    """The soprano's pitch at each beat, or its first within the beat."""
    found: list[int | None] = []
    for start, end, _ in chorale.beats:
        notes = [
            pitch for onset, duration, pitch in chorale.voices["soprano"] if onset < end and start < onset + duration
        ]
        found.append(notes[0] if notes else None)
    return found


def tunes(all_chorales: dict[str, Chorale]) -> list[list[str]]:
    runs = {name: _runs(chorale) for name, chorale in all_chorales.items()}
    names = list(runs)
    leader = {name: name for name in names}

    def led_by(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            if len(runs[one] & runs[other]) >= SHARED * max(1, min(len(runs[one]), len(runs[other]))):
                leader[led_by(other)] = led_by(one)
    members: dict[str, list[str]] = defaultdict(list)
    for name in names:
        members[led_by(name)].append(name)
    return sorted(members.values())


def make_split() -> Split:
    by_hash = sorted(tunes(chorales()), key=lambda tune: hashlib.sha256(tune[0].encode()).hexdigest())
    count = round(TEST_SHARE * len(by_hash))
    return Split(train=sorted(by_hash[count:]), test=sorted(by_hash[:count]))


def _runs(chorale: Chorale) -> set[tuple[int, ...]]:
    pitches = [pitch for pitch in melody(chorale) if pitch is not None]
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
