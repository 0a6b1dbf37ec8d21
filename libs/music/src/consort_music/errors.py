"""The one exception of this library.

`MusicError` is raised by every parser here for input that cannot be understood. It carries what the services'
error shape needs, so that a service passes it on without rewording:

    INVALID_PITCH        pitch.py        INVALID_EXPRESSION   beats.py
    INVALID_DURATION     duration.py     UNKNOWN_INSTRUMENT   instruments.py
    INVALID_MIDI         midi/           UNWRITABLE_MIDI      midi/writer.py
    INVALID_MIDI_TEXT    midi_text.py    INVALID_PICTURE      piano_roll/
    NEEDS_BEATS          midi/           TOO_MANY_INSTRUMENTS midi/build.py
    INVALID_GRID         quantize.py     TOO_LARGE            midi_text, note_list, notation/
    INVALID_INTERVAL     intervals.py    INVALID_KEY          keys.py
    INVALID_TIME_SIGNATURE  metre.py     INVALID_NOTE         note_list.py
    PARSE_ERROR          note_list, notation/
    EMPTY_INPUT          note_list, notation/
    INVALID_CHORD_SYMBOL chords/         INVALID_BARS         piano_roll/window.py

Engines of services that are built on it (midi-store's transforms) raise it with codes of their own.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class MusicError(ValueError):
    """Input that cannot be understood as music: `code` is for programs, the rest for whoever typed it.

    `field` is the path of the input that is wrong, where whoever raises it knows; `partial_result` the best that could
    be done, ready to be sent.
    """

    def __init__(
        self,
        code: str,
        message: str,
        suggestions: Iterable[str] = (),
        field: str | None = None,
        partial_result: object = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.suggestions = list(suggestions)
        self.field = field
        self.partial_result = partial_result

    def __str__(self) -> str:
        return self.message


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """What is refused inside is wrong in this field, unless the refusal names one itself."""
    try:
        yield
    except MusicError as refusal:
        refusal.field = refusal.field or name
        raise


@contextmanager
def below_field(name: str) -> Iterator[None]:
    """What is refused inside is wrong somewhere in this field: its own name is put behind this one."""
    try:
        yield
    except MusicError as refusal:
        refusal.field = f"{name}.{refusal.field}" if refusal.field else name
        raise


def quoted(text: str, limit: int = 40) -> str:
    """User input as it may appear in a message: escaped, and short however long the input was."""
    return repr(text if len(text) <= limit else text[:limit] + "…")
