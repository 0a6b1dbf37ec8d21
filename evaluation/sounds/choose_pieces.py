"""Choose the pieces of the truth set and write `pieces.json`. This ran once, before anything was tuned.

Do not run it again: a piece that moves from one part to the other makes the figures of the test part worthless.

- Tunes: folk tunes in a major or minor key, in 2/4, 3/4, 4/4 or 6/8, of 16 to 120 notes within two octaves. Tunes that
  begin with the same twelve intervals count as one. Half of each part is in minor.
- Chorales: one of each group of chorales that share a tune.
- Works: other pieces of music21's corpus with several voices. One, Beethoven's opus 132, was taken out before anything
  was rendered from it: music21 needs minutes to read it.
"""

import json
import random
from itertools import pairwise
from pathlib import Path

from evaluation.corpora.folk_tunes import FolkTune, folk_tunes

SEED = 20261117
PARTS = ("tune", "test")
TUNES_IN_MODE = 50
CHORALES = 30
_METRES = ("2/4", "3/4", "4/4", "6/8")
_WORKS = (
    "beethoven/opus18no1/movement1.mxl", "beethoven/opus132.mxl", "chopin/mazurka06-2.krn",
    "corelli/opus3no1/1grave.xml",
    "cpebach/h186.mxl", "handel/rinaldo/Lascia_chio_pianga.mxl", "haydn/opus1no1/movement1.mxl",
    "haydn/opus1no1/movement2.mxl", "joplin/maple_leaf_rag.mxl", "mozart/k155/movement1.mxl",
    "mozart/k156/movement1.mxl", "mozart/k545/movement1_exposition.mxl", "schumann_clara/polonaise_op1n1.mxl",
    "schumann_clara/polonaise_op1n3.mxl", "schumann_robert/opus41no1/movement1.mxl", "verdi/laDonnaEMobile.mxl",
    "weber/concertino_clarinet.mxl", "liliuokalani/aloha_oe.mxl",
)  # fmt: skip


def main() -> None:
    rng = random.Random(SEED)
    tunes = _distinct([tune for part in ("learn", "reference", "requests") for tune in folk_tunes(part)])
    chosen: dict[str, dict[str, list[str]]] = {part: {"tunes": [], "chorales": [], "works": []} for part in PARTS}
    for mode in ("major", "minor"):
        names = [tune.name for tune in tunes if tune.mode == mode]
        rng.shuffle(names)
        for place, part in enumerate(PARTS):
            chosen[part]["tunes"] += sorted(names[place * TUNES_IN_MODE : (place + 1) * TUNES_IN_MODE])
    split = json.loads((Path(__file__).parents[1] / "corpora" / "chorales" / "split.json").read_text())
    groups = [group for part in split.values() for group in part]
    rng.shuffle(groups)
    works = list(_WORKS)
    rng.shuffle(works)
    for place, part in enumerate(PARTS):
        chosen[part]["chorales"] = sorted(f"bach/{group[0]}" for group in groups[place::2][:CHORALES])
        chosen[part]["works"] = sorted(works[place::2])
    Path(__file__).with_name("pieces.json").write_text(json.dumps({"seed": SEED, **chosen}, indent=1) + "\n")


def _distinct(tunes: list[FolkTune]) -> list[FolkTune]:
    """Return the tunes that fit the rules; of those that begin alike, the first."""
    found: dict[tuple[int, ...], FolkTune] = {}
    for tune in tunes:
        pitches = [note.midi for note in tune.notes]
        fits = tune.metre in _METRES and tune.mode in ("major", "minor") and 16 <= len(pitches) <= 120
        if fits and max(pitches) - min(pitches) <= 24 and min(pitches) >= 52 and max(pitches) <= 88:
            start = tuple(after - before for before, after in pairwise(pitches[:13]))
            found.setdefault(start, tune)
    return list(found.values())


if __name__ == "__main__":
    main()
