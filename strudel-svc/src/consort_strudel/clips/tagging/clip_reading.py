"""A clip, read once for all tags: what its code calls, and what each of its voices plays."""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from consort_strudel.clips.tagging.voice_reading import VoiceReading
from consort_strudel.engine import Evaluation, PlayedEvent, ScriptFacts
from consort_strudel.events.event_notes import is_silent
from consort_strudel.events.voices import ScriptVoice, VoiceFinder
from consort_strudel.structure import BEATS_PER_CYCLE, SongStructure, structure_of


@dataclass(frozen=True)
class ClipReading:
    facts: ScriptFacts
    evaluation: Evaluation
    cycles: int
    """How many cycles were evaluated, from 0."""
    is_fragment: bool = False
    """Whether the code begins with a dot, so that its notes are those of a neutral pattern."""

    @cached_property
    def structure(self) -> SongStructure:
        return structure_of(self.facts, BEATS_PER_CYCLE)

    @cached_property
    def calls(self) -> Counter[str]:
        """How often each function or method is called."""
        return Counter(call.name for call in self.facts.calls if call.name)

    def calls_any(self, *names: str) -> bool:
        return any(self.calls[name] for name in names)

    @cached_property
    def events(self) -> list[PlayedEvent]:
        """What can be heard, in the order of time."""
        found = [
            event for event in self.evaluation.events if isinstance(event.value, dict) and not is_silent(event.value)
        ]
        return sorted(found, key=lambda event: event.begin)

    @cached_property
    def voices(self) -> list[VoiceReading]:
        """The voices that play, from the top of the code to its end."""
        finder = VoiceFinder(self.facts)
        groups: dict[ScriptVoice, list[PlayedEvent]] = {}
        for event in self.events:
            groups.setdefault(finder.voice_of(event), []).append(event)
        return [
            VoiceReading(voice.name, self.facts.script[voice.start : voice.end], events, self.cycles, self.cps)
            for voice, events in sorted(groups.items(), key=lambda item: item[0].start)
        ]

    @property
    def whole(self) -> VoiceReading:
        """All voices as one."""
        return VoiceReading("", self.facts.script, self.events, self.cycles, self.cps)

    @property
    def cps(self) -> float:
        return self.evaluation.cps if self.evaluation.cps > 0 else 0.5

    @cached_property
    def mini_texts(self) -> list[str]:
        return [string.value for string in self.facts.strings if string.is_mini]

    def mini_has(self, pattern: str) -> bool:
        """Return whether a text in mini-notation matches a regular expression."""
        return any(re.search(pattern, text) for text in self.mini_texts)

    def drum_onsets(self, *drums: str) -> set[Fraction]:
        """Return when these drums play, in cycles."""
        return {
            event.begin
            for voice in self.voices
            for event, drum in zip(voice.events, voice.drums, strict=True)
            if drum in drums
        }
