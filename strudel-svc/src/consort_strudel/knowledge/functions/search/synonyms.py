"""Everyday words, and the words of the descriptions that mean the same."""

from consort_strudel.knowledge.functions.search.stemming import terms

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
_OTHERS: dict[str, set[str]] = {}
for _group in _GROUPS:
    _stems = terms(_group)
    for _stem in _stems:
        _OTHERS.setdefault(_stem, set()).update(set(_stems) - {_stem})


def synonyms(stem: str) -> frozenset[str]:
    """Return stems that mean nearly the same."""
    return frozenset(_OTHERS.get(stem, ()))
