"""Tags of a clip, derived from its code and from what the real engine plays.

vocabularies    the words that tags may have
clip_tags       the tags of a clip
voice_reading   what one voice plays: sounds, register, density, chords, lengths
clip_reading    a clip read once: its calls and its voices
elements        rhythm, melody, bass, harmony, texture or fx
techniques      a rule for each technique
feelings        what the clip probably feels like
instruments     the words for its sounds
auto_tags       all together: `auto_tags`
"""

from consort_strudel.clips.tagging.auto_tags import TAGGED_CYCLES, auto_tags
from consort_strudel.clips.tagging.clip_tags import AutoTags
from consort_strudel.clips.tagging.vocabularies import COMPLEXITIES, ELEMENTS, FEELINGS, INSTRUMENTS, TECHNIQUES

__all__ = [
    "COMPLEXITIES",
    "ELEMENTS",
    "FEELINGS",
    "INSTRUMENTS",
    "TAGGED_CYCLES",
    "TECHNIQUES",
    "AutoTags",
    "auto_tags",
]
