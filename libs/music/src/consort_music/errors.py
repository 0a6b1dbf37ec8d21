"""The one exception of this library.

`MusicError` is raised by every parser here for input that cannot be understood. It carries what the services'
error shape needs, so that a service passes it on without rewording:

    INVALID_PITCH        pitch.py        INVALID_EXPRESSION   beats.py
    INVALID_DURATION     duration.py     UNKNOWN_INSTRUMENT   instruments.py
    INVALID_MIDI         midi/           UNWRITABLE_MIDI      midi/writer.py
    INVALID_MIDI_TEXT    midi_text.py    INVALID_PICTURE      piano_roll/
    NEEDS_BEATS          midi/           TOO_MANY_INSTRUMENTS midi/build.py
    INVALID_GRID         quantize.py     TOO_LARGE            midi_text.py

Engines of services that are built on it (midi-store's transforms) raise it with codes of their own.
"""

from collections.abc import Iterable


class MusicError(ValueError):
    """Input that cannot be understood as music: `code` is for programs, the rest for whoever typed it."""

    def __init__(self, code: str, message: str, suggestions: Iterable[str] = ()) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.suggestions = list(suggestions)

    def __str__(self) -> str:
        return self.message


def quoted(text: str, limit: int = 40) -> str:
    """User input as it may appear in a message: escaped, and short however long the input was."""
    return repr(text if len(text) <= limit else text[:limit] + "…")
