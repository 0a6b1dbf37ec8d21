"""Everyday words, and the words of the descriptions that mean the same."""

from consort_strudel.text_search import SynonymGroups

_GROUPS = (
    "loud volume level gain",
    "quiet soft level gain",
    "fast speed quick rapid",
    "slow speed",
    "reverse backwards retrograde",
    "random chance randomly",
    "echo delay repeat",
    "reverb room hall space",
    "bpm tempo",
    "mute silence off",
    "stereo left right pan side",
    "dark dull muffled",
    "wobble movement lfo",
    "break breakbeat",
    "distort distortion overdrive dirty",
    "chord harmony",
    "arpeggio arp",
    "hat hihat",
    "lofi bitcrush",
    "visual draw picture visualize",
    "remove drop omit leave out",
    "simultaneous together parallel",
    "piece part slice",
    "transpose semitone key",
    "staccato short",
    "song section arrangement",
)
SYNONYMS = SynonymGroups(_GROUPS)
