"""Find packs by filters and by a wish in words.

The wish is compared with names, tags, types, characters, descriptions and the names of sounds (BM25F); packs that share
no word with it are left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from consort_kit.errors import InvalidInput
from consort_strudel.linear_patterns import compile_pattern
from consort_strudel.packs.known_packs import PACK_CHARACTERS, PACK_TYPES, KnownPack, known_packs
from consort_strudel.text_search import SearchedText, SynonymGroups, TextRanking
from consort_strudel.validation.spelling import nearest

_NAME, _TAGS, _DESCRIPTION, _SOUNDS = 2.0, 3.0, 1.0, 1.0
_LENGTH_SHARE = 0.1
"""A pack with many sounds is not less wanted."""
_SHARE_OF_BEST = 0.25
_SEPARATORS = re.compile(r"[|,/]")
_OTHER_WORDS = {
    "drum": "drums", "kit": "drums", "kits": "drums", "drum machine": "drums", "drum machines": "drums",
    "break": "breaks", "breakbeat": "breaks", "breakbeats": "breaks", "loop": "loops", "basses": "bass",
    "synth": "synths", "lead": "synths", "leads": "synths", "wavetable": "wavetables", "key": "keys",
    "keyboard": "keys", "keyboards": "keys", "piano": "keys", "instrument": "instruments", "acoustic": "acoustic",
    "orchestra": "orchestral", "vocal": "vocals", "voice": "vocals", "voices": "vocals", "pad": "pads",
    "effect": "fx", "effects": "fx", "sfx": "fx", "texture": "textures", "ambience": "textures",
    "analogue": "analog", "lofi": "lo-fi", "lo fi": "lo-fi", "dusty": "lo-fi", "vintage": "retro", "8bit": "retro",
    "8-bit": "retro", "8 bit": "retro", "chiptune": "retro", "glitchy": "glitch", "field": "found sound",
    "found": "found sound", "ethnic": "world", "natural": "acoustic",
}  # fmt: skip
"""By another word: a type or a character."""
_SYNONYMS = SynonymGroups(
    (
        "dusty vinyl lofi",
        "lofi lo fi",
        "dusty lo fi",
        "drum kit",
        "hip hop boom bap hiphop",
        "dnb drum bass jungle",
        "voice vocal singing sung speech word",
        "choir singing polyphonic",
        "analog analogue warm",
        "game arcade chiptune bit retro",
        "strings cello violin orchestra orchestral",
        "ambient pad texture atmosphere",
        "noise foley field recording",
        "latin brazil andean cumbia",
        "acid 303",
        "break breakbeat amen",
        "piano key keyboard",
        "effect fx",
        "synth synthesizer wavetable",
        "free cc0 public domain",
    )
)


@dataclass(frozen=True)
class PackFilters:
    name_pattern: str | None = None
    tags: str | None = None
    type: str | None = None
    character: str | None = None
    licensed: bool | None = None
    text: str | None = None


def find_packs(filters: PackFilters, field: str) -> list[KnownPack]:
    """Return the packs that meet all filters, best first if there is a wish. Raise INVALID_PATTERN or INVALID_INPUT.

    `field` is the parameter that has the filters.
    """
    found: Iterable[KnownPack] = known_packs()
    if filters.name_pattern is not None:
        named = compile_pattern(filters.name_pattern, f"{field}.name_pattern", any_case=True)
        found = [pack for pack in found if named.search(pack.name) or named.search(pack.repository)]
    if filters.tags is not None:
        tagged = compile_pattern(filters.tags, f"{field}.tags", any_case=True)
        found = [pack for pack in found if any(tagged.search(tag) for tag in _all_tags(pack))]
    if filters.type is not None:
        types = _known_words(filters.type, PACK_TYPES, f"{field}.type")
        found = [pack for pack in found if types.intersection(pack.types)]
    if filters.character is not None:
        characters = _known_words(filters.character, PACK_CHARACTERS, f"{field}.character")
        found = [pack for pack in found if characters.intersection(pack.character)]
    if filters.licensed is not None:
        found = [pack for pack in found if (pack.licence is not None) == filters.licensed]
    wish = (filters.text or "").strip()
    return _ranked(list(found), wish) if wish else list(found)


def _ranked(packs: list[KnownPack], wish: str) -> list[KnownPack]:
    scores = dict(zip((pack.name for pack in known_packs()), _ranking().scores(wish), strict=True))
    best = max((scores[pack.name] for pack in packs), default=0.0)
    enough = [pack for pack in packs if scores[pack.name] > best * _SHARE_OF_BEST]
    return sorted(enough, key=lambda pack: -scores[pack.name])


@cache
def _ranking() -> TextRanking:
    return TextRanking([_texts(pack) for pack in known_packs()], _SYNONYMS, _LENGTH_SHARE)


def _texts(pack: KnownPack) -> list[SearchedText]:
    sounds = {word for sound in pack.sounds for word in re.split(r"[_\W]+|(?<=[a-z])(?=[A-Z])", sound)}
    return [
        SearchedText(_NAME, f"{pack.name} {pack.repository}"),
        SearchedText(_TAGS, " ".join(_all_tags(pack)) + (" cc0" if pack.licence == "CC0-1.0" else "")),
        SearchedText(_DESCRIPTION, pack.description),
        SearchedText(_SOUNDS, " ".join(sorted(sounds))),
    ]


def _all_tags(pack: KnownPack) -> tuple[str, ...]:
    return (*pack.tags, *pack.types, *pack.character)


def _known_words(text: str, known: tuple[str, ...], field: str) -> set[str]:
    """Return the words of `drums|bass` in their known spelling. Raise INVALID_INPUT for another word."""
    found = set()
    for word in map(str.strip, _SEPARATORS.split(text.lower())):
        plain = word if word in known else _OTHER_WORDS.get(word, word)
        if plain not in known:
            near = nearest(plain, known)
            name = field.rpartition(".")[2]
            raise InvalidInput(
                f"'{word[:40]}' is not a {name} of packs. Use one of: {', '.join(known)}; or put other words into"
                " 'text'.",
                field=field,
                suggestions=near or list(known),
            )
        found.add(plain)
    return found
