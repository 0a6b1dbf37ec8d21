"""Which voice of a script plays an event: a labelled statement, or an argument of its outermost `stack`.

An event knows the words of the script that made it. The voice is the statement that most of them are in. If all are in
a declaration (`const riff = "c e g"`), it is the only statement that uses the declared name. An event without words
is played by the only statement without mini-notation.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from consort_strudel.engine import PlayedEvent, ScriptFacts
from consort_strudel.structure.voices import VoicePlace, voice_id, voice_places

_DECLARATION = re.compile(r"(?:const|let|var)\s+([A-Za-z_$][\w$]*)")
_REGISTERS = re.compile(r"(p|[pd][1-9])$")
"""The methods that make an unlabelled pattern a voice."""
_STACKS = ("stack", "polyrhythm", "pr")
_OTHER = "other"
"""The name of the voice of all events whose voice is unknown."""


@dataclass(frozen=True)
class ScriptVoice:
    name: str
    """Its label, or the id that analyze_song_structure gives it (`voice_2`)."""
    start: int
    """The offset of its text in the script."""
    end: int
    line: int | None


@dataclass(frozen=True)
class VoiceFinder:
    facts: ScriptFacts

    @cached_property
    def voices(self) -> list[ScriptVoice]:
        """The voices of the script, from top to bottom."""
        found: list[tuple[str, int, int]] = []
        for index, statement in enumerate(self.facts.statements):
            if statement.is_muted or not self._plays(index):
                continue
            spans = [(statement.start, statement.end)]
            if not statement.label:
                spans = self._stacked(index) or spans
            label = (statement.label or "").strip("$")
            found += [(label or self._variable(start, end), start, end) for start, end in spans]
        labels = Counter(label for label, _, _ in found)
        return [
            ScriptVoice(
                label if labels[label] == 1 and label else self.id_at(start, end),
                start,
                end,
                self.facts.line_column(start)[0],
            )
            for label, start, end in found
        ]

    def _variable(self, start: int, end: int) -> str:
        """Return the name of a voice that is only the name of a variable, as in `stack(drums, bass)`."""
        text = self.facts.script[start:end].strip()
        return text if text.isidentifier() else ""

    def id_at(self, start: int, end: int) -> str:
        """Return the id that analyze_song_structure gives to the first voice in this part of the script."""
        numbers = (number for number, place in enumerate(self._places, 1) if start <= place.start < end)
        return voice_id(next(numbers, len(self._places) + 1))

    @cached_property
    def _places(self) -> list[VoicePlace]:
        return voice_places(self.facts)

    def _plays(self, index: int) -> bool:
        """Return whether a statement is played: one with a label or `p`, or the last one of a script without these."""
        statements = self.facts.statements
        registered = {
            call.statement for call in self.facts.calls if call.is_method and _REGISTERS.match(call.name or "")
        }
        if registered or any(statement.label for statement in statements):
            return index in registered or statements[index].label is not None
        return index == len(statements) - 1 and statements[index].kind != "VariableDeclaration"

    def voice_of(self, event: PlayedEvent) -> ScriptVoice:
        """Return the voice that plays an event, or a voice `other` at the end of the script if that is unknown."""
        places = Counter(
            voice for start, _ in event.locations for voice in self.voices if voice.start <= start < voice.end
        )
        if places:
            return places.most_common(1)[0][0]
        if len(self.voices) == 1:
            return self.voices[0]
        if not event.locations:
            return self._wordless[0] if len(self._wordless) == 1 else self._other
        users = {voice for start, _ in event.locations for voice in self._users(start)}
        return users.pop() if len(users) == 1 else self._other

    @cached_property
    def _other(self) -> ScriptVoice:
        end = len(self.facts.script)
        return ScriptVoice(_OTHER, end, end, None)

    @cached_property
    def _wordless(self) -> list[ScriptVoice]:
        """The voices without mini-notation, whose events name no words: `note(irand(12))`."""
        starts = [string.start for string in self.facts.strings if string.is_mini]
        return [voice for voice in self.voices if not any(voice.start <= start < voice.end for start in starts)]

    def _stacked(self, statement: int) -> list[tuple[int, int]]:
        """Return the arguments of a statement's outermost stack."""
        for call in self.facts.calls:
            if call.statement == statement and call.depth == 0 and call.name in _STACKS and not call.is_method:
                return [(argument.start, argument.end) for argument in call.args]
        return []

    def _users(self, offset: int) -> Sequence[ScriptVoice]:
        """Return the voices that use the name declared by the statement at an offset."""
        script = self.facts.script
        for statement in self.facts.statements:
            if statement.start <= offset < statement.end:
                declared = _DECLARATION.match(script, statement.start)
                if declared:
                    name = re.compile(rf"(?<![\w$.]){re.escape(declared[1])}(?![\w$])")
                    return [voice for voice in self.voices if name.search(script, voice.start, voice.end)]
        return []
