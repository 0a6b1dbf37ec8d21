"""Write `evaluation/corpora/folk_tunes.json`: run `python -m benchmarks.training.choose_folk_tunes` (some minutes).

The tunes are chosen at random from the four collections of `evaluation.corpora.folk_tunes`. Two groups are left out:

- Tunes of a kind that generate_melody does not write (see `read_tune` and `is_eligible`).
- Near duplicates: of all tunes with the same title or the same first eight intervals, only one is kept. Otherwise the
  same tune could be both in the part for learning and in a part for comparison.

Few tunes are not in major. All such tunes that were not chosen are added to the part for learning.
"""

import json
import random
import re

from evaluation.corpora.folk_tunes import LIST, FolkTune, corpus_texts, header, read_tune

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
    titles: set[str] = set()
    first_intervals: set[tuple[int, ...]] = set()
    chosen: list[str] = []
    not_major: list[str] = []
    for position, (name, text) in enumerate(texts):
        beyond_choice = position >= CANDIDATES
        # a major key, bagpipes (HP) or no key
        if beyond_choice and re.fullmatch(r"[A-G][#b]?|.*H.*|", header(text, "K")):
            continue
        title = re.sub(r"\W", "", header(text, "T").lower())
        if title in titles:
            continue
        tune = read_tune(name, text)
        if tune is None or not is_eligible(tune):
            continue
        intervals = tuple(b.midi - a.midi for a, b in zip(tune.notes[:8], tune.notes[1:9], strict=True))
        if intervals in first_intervals:
            continue
        titles.add(title)
        first_intervals.add(intervals)
        (not_major if beyond_choice else chosen).append(name)
    parts = {
        "reference": sorted(chosen[:COMPARED]),
        "requests": sorted(chosen[COMPARED : 2 * COMPARED]),
        "learn": sorted(chosen[2 * COMPARED :] + not_major),
    }
    LIST.write_text(json.dumps(parts, indent=0) + "\n")
    print({part: len(names) for part, names in parts.items()})


if __name__ == "__main__":
    main()
