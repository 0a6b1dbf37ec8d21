"""Take a script apart: setup, voices, sections."""

from consort_strudel.engine import ScriptFacts
from consort_strudel.structure.models import (
    Complexity,
    SetupPart,
    SongStructure,
    StructureParts,
    StructureSummary,
    VoicePart,
)
from consort_strudel.structure.sections import lines_of, sections_of
from consort_strudel.structure.setup import beats_per_cycle, cycles_per_minute, key_of, packs_of
from consort_strudel.structure.voices import VoicePlace, voice_part, voice_places


def structure_of(facts: ScriptFacts, given_beats: float | None = None) -> SongStructure:
    """Return the structure of a script. A script with a syntax error has none: all lists are empty.

    `given_beats` are the beats per cycle that its project sets.
    """
    places = voice_places(facts)
    voices = [voice_part(number, place, facts) for number, place in enumerate(places, 1)]
    sections = sections_of(facts, voices)
    return SongStructure(
        structure=StructureParts(setup=_setup(facts, places, given_beats), voices=voices, sections=sections),
        summary=StructureSummary(
            total_lines=len(lines_of(facts.script)),
            voice_count=len(voices),
            section_count=len(sections),
            complexity=_complexity(facts, voices),
            key=key_of(facts),
        ),
    )


def _setup(facts: ScriptFacts, places: list[VoicePlace], given_beats: float | None) -> SetupPart:
    """Return everything up to the last statement before the first one with a voice."""
    first = min((place.start for place in places), default=len(facts.script))
    ends = [statement.end for statement in facts.statements if statement.end <= first]
    content = lines_of(facts.script)[: facts.line_column(ends[-1] - 1)[0]] if ends else []
    tempo = cycles_per_minute(facts)
    return SetupPart(
        lines=[1, len(content)] if content else [],
        content=content,
        tempo=None if tempo is None else round(tempo * beats_per_cycle(facts, given_beats), 3),
        packs=packs_of(facts),
    )


def _complexity(facts: ScriptFacts, voices: list[VoicePart]) -> Complexity:
    """Count voices, calls and depth: up to 15 points is simple, over 60 complex."""
    deepest = max((call.depth for call in facts.calls), default=0)
    points = 3 * len(voices) + len(facts.calls) / 2 + 2 * deepest
    return "simple" if points <= 15 else "moderate" if points <= 60 else "complex"
