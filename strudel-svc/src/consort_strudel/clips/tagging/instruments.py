"""The words of the vocabulary for the sounds of a clip."""

import re

from consort_strudel.clips.tagging.vocabularies import INSTRUMENTS, ClipElement
from consort_strudel.structure.instrument_names import NOISES, SYNTHS, drum_of, instrument_of

_ANY_DRUM = "percussion"
_NAMES = {
    "choir": r"choir",
    "brass": r"brass",
    "double bass": r"acoustic bass|contrabass(?!oon)|upright bass",
    "bass guitar": r"(electric|fretless|slap) bass",
    "synth bass": r"bass(?!oon)",
    "electric guitar": r"guitar (clean|jazz|muted|harmonics)|(overdriven|distortion) guitar",
    "electric piano": r"epiano|rhodes|wurli",
    "saxophone": r"\bsax\b",
    "strings": r"\bstring",
    "synth pad": r"\bpad\b",
    "synth lead": r"\blead\b",
    "voice": r"\bvox|\bvocal",
    "accordion": r"bandoneon",
    "bell": r"celesta",
    "flute": r"ocarina|piccolo|recorder",
    "tom": r"taiko",
}
"""By word: what the name of such a sound contains. The first that fits counts."""
_SYNTHS_OF_ELEMENTS = {"bass": "synth bass", "melody": "synth lead", "texture": "synth pad"}


def instrument_tag(sound: str, element: ClipElement | None) -> str:
    """Return the word for a sound, or the name of the sound if there is none.

    What a synth is called depends on the element that it plays; None: not known.
    """
    name = instrument_of(sound)
    if name in SYNTHS.values():
        return _SYNTHS_OF_ELEMENTS.get(element or "", "synth")
    if name in NOISES.values():
        return "noise"
    drum = drum_of(sound)
    if drum is not None and drum != _ANY_DRUM:
        return drum
    return _word_in(sound.split(":")[0].lower().replace("_", " ")) or name


def _word_in(name: str) -> str | None:
    by_pattern = (word for word, pattern in _NAMES.items() if re.search(pattern, name))
    longest_first = sorted(INSTRUMENTS, key=lambda word: (-len(word), word))
    by_word = (word for word in longest_first if re.search(rf"\b{re.escape(word)}s?\b", name))
    return next(by_pattern, None) or next(by_word, None)
