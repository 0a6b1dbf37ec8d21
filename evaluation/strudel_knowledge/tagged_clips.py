"""Clips that are not in the library, tagged by hand by what the music is, as a careful teacher would.

The author had the closed lists of words for elements, techniques and complexity, and nothing else of the tagger.
Instruments are free words. A technique is named when a listener or a learner would notice it, even if no single
function stands for it: `sidechain` also for a gain pattern that pumps, `tremolo` also for a string tremolo. `layering`
is not named for the parts of one drum kit, nor `variation` for a chord progression.
"""

from functools import cache
from typing import NamedTuple

from evaluation.strudel_knowledge.toml_rows import rows_of


class TaggedClip(NamedTuple):
    code: str
    genre: str
    element: str
    complexity: str
    instrument: tuple[str, ...]
    technique: tuple[str, ...]


@cache
def tagged_clips() -> tuple[TaggedClip, ...]:
    """Return all clips."""
    return tuple(
        TaggedClip(
            row["code"].strip(),
            row["genre"],
            row["element"],
            row["complexity"],
            tuple(row["instrument"]),
            tuple(row["technique"]),
        )
        for row in rows_of("tagged_clips", "clip")
    )
