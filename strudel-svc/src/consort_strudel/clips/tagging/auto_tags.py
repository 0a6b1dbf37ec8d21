"""All tags of a clip."""

from consort_music.key_finding.pitch_classes import rank_keys
from consort_strudel.clips.tagging.clip_reading import ClipReading
from consort_strudel.clips.tagging.clip_tags import AutoTags
from consort_strudel.clips.tagging.elements import element_of
from consort_strudel.clips.tagging.feelings import feelings_of
from consort_strudel.clips.tagging.instruments import instrument_tag
from consort_strudel.clips.tagging.techniques import techniques_of
from consort_strudel.clips.tagging.vocabularies import ClipComplexity, ClipElement
from consort_strudel.engine import Evaluation, ScriptFacts
from consort_strudel.events.event_notes import sound_of
from consort_strudel.music_words import pitch_of
from consort_strudel.structure import key_of, packs_of

TAGGED_CYCLES = 8
"""So many cycles, from 0, are to be evaluated for tags."""
_MOST_INSTRUMENTS = 6
_CLEAR_KEY = 0.08
"""How much better than the second a key must fit the notes."""
_FEWEST_PITCHES = 5


def auto_tags(facts: ScriptFacts, evaluation: Evaluation, is_fragment: bool = False) -> AutoTags:
    """Return the tags of a clip from its facts and its events in the first TAGGED_CYCLES cycles.

    Both are of the code as it was evaluated: a fragment (`is_fragment`) behind a neutral pattern.
    """
    reading = ClipReading(facts, evaluation, TAGGED_CYCLES, is_fragment)
    element = element_of(reading)
    techniques = techniques_of(reading)
    key = None if is_fragment else _key(reading)
    return AutoTags(
        element=element,
        complexity=_complexity(reading),
        instrument=[] if is_fragment else _instruments(reading, element),
        technique=techniques,
        feeling=feelings_of(reading, element, techniques, key),
        tempo=reading.structure.structure.setup.tempo,
        key=key,
        requires_packs=packs_of(facts),
    )


def _instruments(reading: ClipReading, element: ClipElement) -> list[str]:
    """Return the words for the sounds, those that play most first."""
    only_element = element if len(reading.voices) == 1 else None
    counts: dict[str, int] = {}
    for event in reading.events:
        name = event.value.get("s") or sound_of(event.value)
        instrument = instrument_tag(str(name), only_element)
        counts[instrument] = counts.get(instrument, 0) + 1
    return sorted(counts, key=lambda name: -counts[name])[:_MOST_INSTRUMENTS]


def _complexity(reading: ClipReading) -> ClipComplexity:
    calls = len(reading.facts.calls)
    deepest = max((call.depth for call in reading.facts.calls), default=0)
    points = calls + 3 * deepest + 2 * max(len(reading.voices) - 1, 0)
    return "beginner" if points <= 5 else "intermediate" if points <= 14 else "advanced"


def _key(reading: ClipReading) -> str | None:
    """Return the scale that the code names, or the key that its notes fit clearly better than any other."""
    named = key_of(reading.facts)
    if named is not None:
        return named
    weights = [0.0] * 12
    for event in reading.events:
        pitch = pitch_of(event.value)
        if pitch is not None:
            weights[round(pitch) % 12] += float(event.duration)
    if sum(weight > 0 for weight in weights) < _FEWEST_PITCHES:
        return None
    best, second, *_ = rank_keys(weights)
    return best.key.name if best.score - second.score >= _CLEAR_KEY else None
