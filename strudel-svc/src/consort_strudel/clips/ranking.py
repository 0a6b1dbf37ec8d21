"""Rank candidates by a request in words: the similarity of meaning, and the words that they share.

The words count by their rarity among the candidates (BM25's inverse document frequency), those of the name and the
tags fully, others by half. Without a sentence model the words alone decide.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from consort_strudel.clips.storage.rows import ClipRow, RankedClip

SHARE_OF_WORDS = 0.35
_OTHER_WORDS = 0.5


@dataclass(frozen=True)
class ScoredClip:
    row: ClipRow
    score: float
    """From 0 to 1."""


def rank_clips(
    candidates: Sequence[RankedClip], stems: Sequence[str], text_scale: float, *, has_meaning: bool
) -> list[ScoredClip]:
    """Return the candidates, best first. `stems` are those of the request's words; see `Embedder.text_scale`."""
    unique = {candidate.row.id: candidate for candidate in candidates}
    wanted = set(stems)
    found = list(unique.values())
    counts = Counter(stem for clip in found for stem in wanted & (clip.name_words | clip.other_words))
    rarity = {stem: math.log(1 + (len(found) - counts[stem] + 0.5) / (counts[stem] + 0.5)) for stem in wanted}
    most = sum(rarity.values()) or 1.0

    def score(clip: RankedClip) -> float:
        by_name = sum(rarity[stem] for stem in wanted & clip.name_words)
        by_rest = sum(rarity[stem] for stem in wanted & clip.other_words)
        by_words = (by_name + _OTHER_WORDS * by_rest) / most
        if not has_meaning:
            return by_words
        return SHARE_OF_WORDS * by_words + (1 - SHARE_OF_WORDS) * max(clip.similarity * text_scale, 0.0)

    scored = [ScoredClip(clip.row, min(score(clip), 1.0)) for clip in found]
    return sorted(scored, key=lambda clip: (-clip.score, clip.row.name, clip.row.id))
