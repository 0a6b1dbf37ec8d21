"""Headings in comments: `// --- Intro ---`, `// 2. Verse (quiet)`, `/* Drop! */`, `// Hi-hats, busy`.

A heading is short and names a part of a song or an instrument: words that describe it may come before (`Rolling bass`),
but not after. What stands in brackets, or after a comma, a colon or a dash, is a description. A sentence, a remark
(`before bass`, `add drums`) and code that is commented out are not headings.
"""

import re
from typing import NamedTuple

from consort_music.instruments import known_instrument
from consort_strudel.words import words

_PARTS = frozenset(
    words(
        "intro introduction verse chorus refrain hook bridge break breakdown drop build buildup build-up outro coda "
        "ending interlude solo prechorus pre-chorus postchorus post-chorus theme main part section movement opening "
        "climax finale reprise transition middle"
    )
)
"""Names of parts of a song."""
_ROLES = frozenset(
    words(
        "drums percussion perc beat beats rhythm groove kick kicks snare snares clap claps hat hats hihat hihats "
        "hi-hat hi-hats cymbal cymbals tom toms rim rims shaker shakers sub basses bassline basslines bass-line "
        "melody melodies topline lead leads arp arps arpeggio arpeggios arpeggiator chord chords harmony harmonies "
        "pads keys epiano rhodes vox vocals voices bells pluck plucks stab stabs fx sfx effects noise texture "
        "textures ambience atmosphere atmos drone drones riff riffs motif motifs counterpoint countermelody riser "
        "risers sweep sweeps fill fills setup"
    )
)
"""Names of roles that are no instruments of General MIDI."""
_TAILS = frozenset(
    words("line lines loop loops pattern patterns layer layers track tracks group kit hit hits roll rolls up eight")
)
"""Words that may follow a name."""
_PROSE = frozenset(
    words(
        "a an before after with without under over in on at of to for from by into onto like as than then when while "
        "if until is are was were be been has have had do does don't dont not no this that these those it its it's we "
        "you i my your here there more less also only just too very so but or because let let's lets every each all "
        "some any same where which who what how why add adds make makes use uses try play plays set sets keep keeps "
        "mute muted unmute remove delete change changes fix turn turns need needs want wants put start starts stop "
        "stops come comes enter enters repeat repeats copy test todo fixme note see check load loads raise lower swap "
        "replace move uncomment comment create define hear listen sounds gives goes get gets bring brings give tune "
        "adjust increase reduce double halve drops kills old new disabled should could must can will would"
    )
)
"""Words of sentences and remarks."""
_NUMBERED = re.compile(r"^(?:\(?\d{1,2}[.):]|\(?[A-Z][.)]|\d{1,2})\s+(?=\S)")
_DESCRIPTION = re.compile(r"\s*[(\[,:;|]\s*|\s+[-\u2013\u2014/]+\s+")
_AND = re.compile(r"\s+(?:and|&|\+|n)\s+|\s*[&+/]\s*", re.IGNORECASE)
_CODE = re.compile(r"[\"'`]|\w\(|=>|;\s*$|\.\w+\(")
_LETTER = re.compile(r"[A-H]\d?'*")
_MOST_LETTERS, _MOST_WORDS, _MOST_WORDS_AFTER_COMMA = 100, 4, 4


class Heading(NamedTuple):
    name: str
    """In lower case."""
    description: str | None
    is_part: bool
    """Whether it names a part of the song, not only an instrument."""


def parse_heading(comment: str) -> Heading | None:
    """Return the heading that a comment is, or None."""
    lines = [text for line in comment.split("\n") if (text := _undecorated(line))]
    if len(lines) != 1 or len(lines[0]) > _MOST_LETTERS or _CODE.search(lines[0]):
        return None
    text = _NUMBERED.sub("", lines[0])
    found = _DESCRIPTION.search(text)
    name, rest = (text[: found.start()], text[found.end() :]) if found and found.start() else (text, "")
    name = re.sub(r"^the\s+", "", _undecorated(name), flags=re.IGNORECASE)
    if found and found[0].strip() == "," and len(rest.split()) > _MOST_WORDS_AFTER_COMMA:
        return None
    kinds = [_kind(each.split()) for each in _AND.split(name)]
    if None in kinds or not name:
        return None
    description = _undecorated(re.sub(r"[()\[\]]", "", rest)) or None
    return Heading(" ".join(name.lower().split()), description, "part" in kinds)


def _undecorated(text: str) -> str:
    """Return a text without what frames it: `=== Intro ===`, `* Intro *`, `(Intro)`."""
    bare = re.sub(r"^[^\w(]+|[^\w)'?]+$", "", text)
    return bare[1:-1].strip() if re.fullmatch(r"\([^()]*\)", bare) else bare


def _kind(name: list[str]) -> str | None:
    """Return whether words name a `part` or a `role`, or None if they are no name."""
    if len(name) == 1 and _LETTER.fullmatch(name[0]):
        return "part"
    if len(name) == 2 and _LETTER.fullmatch(name[0]) and name[1].lower() in ("part", "section"):
        return "part"
    rest = [word.lower() for word in name]
    while len(rest) > 1 and (re.fullmatch(r"x?\d{1,3}x?|[ivx]{1,4}|[a-h]\d?'*", rest[-1]) or rest[-1] in _TAILS):
        rest.pop()
    if not rest or len(rest) > _MOST_WORDS or _PROSE.intersection(rest) or rest[-1].endswith("?"):
        return None
    last = rest[-1]
    if last in _PARTS:
        return "part"
    pair = " ".join(rest[-2:])
    return "role" if last in _ROLES or known_instrument(last) or known_instrument(pair) else None
