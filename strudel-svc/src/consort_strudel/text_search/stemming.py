"""Words of a text, without their endings, so that "reversing", "reversed" and "reverse" are one word."""

import re
from functools import lru_cache

from consort_strudel.words import words

_WORD = re.compile(r"[a-z]+|[0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = words(
    "ations ation ingly edly iness ings ness ments ment ies ied ers ing ors ed er or ly es est al ic s e y"
)
_SHORTEST = 3
"""Letters that must be left."""
_IRREGULAR = {
    **dict.fromkeys(words("louder loudest loudness"), "loud"),
    **dict.fromkeys(words("quieter quietly"), "quiet"),
    **dict.fromkeys(words("darker darkness"), "dark"),
    **dict.fromkeys(words("brighter brightness"), "bright"),
    **dict.fromkeys(words("faster quicker"), "fast"),
    **dict.fromkeys(words("slower slowly"), "slow"),
    **dict.fromkeys(words("bigger larger"), "big"),
    **dict.fromkeys(words("wider width widen"), "wide"),
    **dict.fromkeys(words("random randomly randomness"), "random"),
    **dict.fromkeys(words("chosen chose chooses choosing"), "choos"),
    **dict.fromkeys(words("heard hears hearing"), "hear"),
    **dict.fromkeys(words("left"), "left"),
    **dict.fromkeys(words("cut cuts cutting"), "cut"),
    **dict.fromkeys(words("beat beats"), "beat"),
    **dict.fromkeys(words("backward backwards"), "backward"),
}
IGNORED = frozenset(
    words(
        "a an the of to in on at by for with from and or is are be it its this that these as so my me i you your "
        "make makes making made do does sound sounds like want get gets set sets let lets use uses used way how "
        "can could should would will each into than then them they there what which when only also more some any "
        "one no not pattern patterns function functions please strudel something give gives put thing things same"
    )
)
"""Words that say nothing about a function, or are in every description."""


def terms(text: str) -> list[str]:
    """Return the stems of the words of a text that mean something, in order."""
    found = _WORD.findall(_HUMP.sub(" ", text).lower())
    return [stem(word) for word in found if word not in IGNORED]


@lru_cache(8192)
def stem(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word  # stopped, cutting
