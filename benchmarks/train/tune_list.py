"""Makes `benchmarks/parts/folk_tunes.json`: `python -m benchmarks.train.tune_list` (some minutes of music21).

A random choice of the four collections, without tunes that are outside what generate_melody's document describes (one
key and metre, 4 to 32 bars, a quarter to two notes a quarter) and without near duplicates: of tunes with the same
title, or with the same first eight intervals, one is kept, so that no tune is learned and compared with.
Tunes that are not in major are few; those beyond the random choice are added to what may be learned from.
"""

import json
import random
import re

from benchmarks.parts.folk_tunes import LIST, Tune, corpus_texts, header, read

CANDIDATES = 2600
COMPARED = 200
"""Tunes in each of `reference` and `requests`."""
METRES = {"4/4", "2/2", "2/4", "3/4", "3/2", "3/8", "6/8", "9/8", "12/8", "6/4", "5/4", "5/8", "7/8"}


def is_eligible(tune: Tune) -> bool:
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
    incipits: set[tuple[int, ...]] = set()
    chosen: list[str] = []
    modal: list[str] = []
    for position, (name, text) in enumerate(texts):
        extra = position >= CANDIDATES
        if extra and re.fullmatch(r"[A-G][#b]?|.*H.*|", header(text, "K")):
            continue
        title = re.sub(r"\W", "", header(text, "T").lower())
        if title in titles:
            continue
        tune = read(name, text)
        if tune is None or not is_eligible(tune):
            continue
        incipit = tuple(b.midi - a.midi for a, b in zip(tune.notes[:8], tune.notes[1:9], strict=True))
        if incipit in incipits:
            continue
        titles.add(title)
        incipits.add(incipit)
        (modal if extra else chosen).append(name)
    parts = {
        "reference": sorted(chosen[:COMPARED]),
        "requests": sorted(chosen[COMPARED : 2 * COMPARED]),
        "learn": sorted(chosen[2 * COMPARED :] + modal),
    }
    LIST.write_text(json.dumps(parts, indent=0) + "\n")
    print({part: len(names) for part, names in parts.items()})


if __name__ == "__main__":
    main()
