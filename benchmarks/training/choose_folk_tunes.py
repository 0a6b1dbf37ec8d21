"""Write `evaluation/corpora/folk_tunes.json`: run `python -m benchmarks.training.choose_folk_tunes` (some minutes).

The tunes are chosen at random from the four collections of `evaluation.corpora.folk_tunes`. Two groups are left out:

- Tunes of a kind that generate_melody does not write (see `read_tune` and `is_eligible`).
- Near duplicates: of all tunes with the same title or the same first eight intervals, only one is kept. Otherwise the
  same tune could be both in the part for learning and in a part for comparison.

Few tunes are not in major. All such tunes that were not chosen are added to the part for learning. All tunes of the
unseen collections are taken that pass the same tests and are no near duplicates of a chosen tune.
"""

import json
import random
import re
from collections.abc import Iterable, Iterator

from evaluation.corpora.folk_tunes import LIST, UNSEEN_COLLECTIONS, FolkTune, corpus_texts, header, read_tune

CANDIDATES = 2600
"""Number of tunes considered for the random choice. Of the remaining tunes, only those not in major are considered."""
COMPARED = 200
"""Tunes in each of `reference` and `requests`."""
METRES = {"4/4", "2/2", "2/4", "3/4", "3/2", "3/8", "6/8", "9/8", "12/8", "6/4", "5/4", "5/8", "7/8"}


def is_eligible(tune: FolkTune) -> bool:
    pitches = [note.midi for note in tune.notes]
    return (
        tune.metre in METRES
        and 4 <= tune.measures <= 32
        and len(pitches) >= 16
        and 0.25 <= tune.density <= 2
        and max(pitches) - min(pitches) <= 24
    )


def main() -> None:
    texts = list(corpus_texts())
    random.Random("consort melody").shuffle(texts)
    considered = [
        (name, text) for position, (name, text) in enumerate(texts) if position < CANDIDATES or may_be_minor(text)
    ]
    in_random_choice = {name for name, _ in texts[:CANDIDATES]}
    distinct = DistinctTunes()
    kept = list(distinct.keep(considered))
    chosen = [name for name in kept if name in in_random_choice]
    not_major = [name for name in kept if name not in in_random_choice]
    parts = {
        "reference": sorted(chosen[:COMPARED]),
        "requests": sorted(chosen[COMPARED : 2 * COMPARED]),
        "learn": sorted(chosen[2 * COMPARED :] + not_major),
        "unseen": sorted(distinct.keep(corpus_texts(UNSEEN_COLLECTIONS))),
    }
    LIST.write_text(json.dumps(parts, indent=0) + "\n")
    print({part: len(names) for part, names in parts.items()})


def may_be_minor(text: str) -> bool:
    """Return whether the key is not a major key, bagpipes (HP) or no key."""
    return not re.fullmatch(r"[A-G][#b]?|.*H.*|", header(text, "K"))


class DistinctTunes:
    """Keeps eligible tunes whose title and first eight intervals have not occurred before."""

    def __init__(self) -> None:
        self._titles: set[str] = set()
        self._first_intervals: set[tuple[int, ...]] = set()

    def keep(self, texts: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Yield the names of the tunes to keep."""
        for name, text in texts:
            title = re.sub(r"\W", "", header(text, "T").lower())
            if title in self._titles:
                continue
            tune = read_tune(name, text)
            if tune is None or not is_eligible(tune):
                continue
            intervals = tuple(b.midi - a.midi for a, b in zip(tune.notes[:8], tune.notes[1:9], strict=True))
            if intervals in self._first_intervals:
                continue
            self._titles.add(title)
            self._first_intervals.add(intervals)
            yield name


if __name__ == "__main__":
    main()
