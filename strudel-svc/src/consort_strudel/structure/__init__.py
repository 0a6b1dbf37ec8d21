"""The structure of a script: `analyze_song_structure`.

models              what the tool answers
setup               tempo, beats per cycle, key, packs
instrument_names    what a musician calls a sound
voices              where each voice is, its type, instruments and effects
headings            what comment is a heading
sections            headings in comments, and parts of `arrange` and the like
analysis            all together: `structure_of`
"""

from consort_strudel.structure.analysis import structure_of
from consort_strudel.structure.models import SectionPart, SongStructure, VoicePart
from consort_strudel.structure.setup import (
    BEATS_PER_CYCLE,
    MAX_BEATS_PER_CYCLE,
    beats_in_script,
    beats_per_cycle,
    cycles_per_minute,
    key_of,
    packs_of,
)

__all__ = [
    "BEATS_PER_CYCLE",
    "MAX_BEATS_PER_CYCLE",
    "SectionPart",
    "SongStructure",
    "VoicePart",
    "beats_in_script",
    "beats_per_cycle",
    "cycles_per_minute",
    "key_of",
    "packs_of",
    "structure_of",
]
