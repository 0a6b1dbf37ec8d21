"""Pydantic field types for music. Such a field accepts text and contains the parsed value.

    class WriteMelody(BaseModel):
        key: KeyField                                                    # "F# dorian" becomes Key("F", 1, "dorian")
        time_signature: MetreField = Field("4/4", validate_default=True)

- The JSON schema is that of a string. A dumped model has the canonical name, such as "F# dorian".
- Text that cannot be parsed is reported by a `PydanticCustomError` with the code, message and suggestions of the
  parser's `MusicError`.
- Pydantic does not parse a default, so a default given as text needs `validate_default=True`.

This is the only module of the library that imports Pydantic: install it as `consort-music[fields]`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol
from consort_music.errors import MusicError, quoted
from consort_music.instruments import Instrument, find_instrument
from consort_music.intervals import Interval, parse_interval
from consort_music.keys import Key, parse_key
from consort_music.metre import Metre, parse_metre
from consort_music.pitch import Pitch

_HIGHEST_MIDI = 127


@dataclass(frozen=True)
class ParsedText:
    """The annotation of a field that accepts text and contains what `parse` returns.

    `parse` raises `MusicError` for text that it cannot read. If `code` is given, it replaces the code of that error.
    `write` returns the text of a value, for dumps. A value of the type `kind` is accepted unchanged.
    """

    kind: type
    parse: Callable[[str], Any]
    write: Callable[[Any], str]
    code: str | None = None

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.str_schema()
        return core_schema.no_info_wrap_validator_function(
            self._validate,
            text,
            serialization=core_schema.plain_serializer_function_ser_schema(self._text, return_schema=text),
        )

    def _text(self, value: object) -> str:
        """Return the text of a value. A default that was given as text is returned unchanged."""
        return value if isinstance(value, str) else self.write(value)

    def _validate(self, given: object, as_text: Callable[[object], str]) -> object:
        if isinstance(given, self.kind):
            return given
        try:
            return self.parse(as_text(given))
        except MusicError as error:
            context = {"message": error.message, "suggestions": error.suggestions}
            raise PydanticCustomError(self.code or error.code, "{message}", context) from None


def parse_note_name(text: str) -> Pitch:
    """Return the pitch of a name such as `F#4`. Raise MusicError for a MIDI number, other text, or a pitch above G9."""
    if text.strip().isdecimal() and int(text.strip()[:4]) <= _HIGHEST_MIDI:
        name = Pitch.from_midi(int(text)).name
        raise MusicError(
            "INVALID_NOTE", f"{quoted(text)} is a MIDI number. Write the name of the note: {name}.", [name]
        )
    pitch = Pitch.parse(text)
    pitch.midi  # noqa: B018  raises INVALID_PITCH above G9
    return pitch


def _name(value: Key | Pitch | Metre | Interval | ChordSymbol | Instrument) -> str:
    return value.name


KeyField = Annotated[Key, ParsedText(Key, parse_key, _name)]
"""Accepts `C major`, `Dm`, `F# dorian`; otherwise the error is INVALID_KEY."""
PitchField = Annotated[Pitch, ParsedText(Pitch, parse_note_name, _name, "INVALID_NOTE")]
"""Accepts `C4`, `F#3`; otherwise the error is INVALID_NOTE."""
MetreField = Annotated[Metre, ParsedText(Metre, parse_metre, _name)]
"""Accepts `4/4`, `6/8`, `C|`; otherwise the error is INVALID_TIME_SIGNATURE."""
IntervalField = Annotated[Interval, ParsedText(Interval, parse_interval, _name)]
"""Accepts ascending intervals, such as `P5` and `m3`; otherwise the error is INVALID_INTERVAL."""
ChordField = Annotated[ChordSymbol, ParsedText(ChordSymbol, parse_chord, _name)]
"""Accepts `Am7`, `Bb/D`, `N.C.`; otherwise the error is INVALID_CHORD_SYMBOL."""
InstrumentField = Annotated[Instrument, ParsedText(Instrument, find_instrument, _name)]
"""Accepts the names of General MIDI, `violin`, `e-piano`, `drums`; otherwise the error is UNKNOWN_INSTRUMENT."""
