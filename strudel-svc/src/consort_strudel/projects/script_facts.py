"""What a script says about its song: tempo, key and sample packs."""

import re
from collections import Counter

from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_strudel.engine import Call, ScriptFacts
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.structure import SongStructure

BEATS_PER_CYCLE = 4
"""The structure counts its tempo with so many beats per cycle."""

_SCALE = re.compile(r"([A-Ga-g])([#b]?)-?\d*:([A-Za-z:]+)")
"""A scale as the engine writes it: C:minor, F#4:harmonic:minor."""


def detect(facts: ScriptFacts, structure: SongStructure) -> DetectedFacts:
    """Return what a script says. A script that cannot be parsed says nothing."""
    if facts.error:
        return DetectedFacts()
    tempo = structure.setup.tempo
    cpm = None if tempo is None else tempo / BEATS_PER_CYCLE
    return DetectedFacts(cpm, _key_of(facts), tuple(dict.fromkeys(structure.setup.packs)))


def _key_of(facts: ScriptFacts) -> str | None:
    """Return the key of most calls of `scale`, of the first of them if there are as many of others.

    If a scale changes in the course of the song, the first one counts.
    """
    named = [
        _scale_in(facts, call)
        for call in facts.calls
        if call.name == "scale" and not facts.statements[call.statement].is_muted
    ]
    counts = Counter(name for name in named if name)
    return counts.most_common(1)[0][0] if counts else None


def _scale_in(facts: ScriptFacts, call: Call) -> str | None:
    if not call.args:
        return None
    argument = call.args[0]
    text = argument.value if isinstance(argument.value, str) else None
    if text is None and argument.kind in ("mini", "string") and argument.index is not None:
        text = facts.strings[argument.index].value
    match = _SCALE.search(text or "")
    if match is None:
        return None
    name = f"{match[1].upper()}{match[2]} {match[3].replace(':', ' ').strip()}"
    try:
        return parse_key(name).name
    except MusicError:
        return name
