"""`MusicError`, the one exception of this library.

Every parser raises it for input that it cannot understand. It contains everything that a service needs for its error
response. The codes, and the modules that raise them:

    INVALID_PITCH           pitch, drum_names       INVALID_EXPRESSION    beats
    INVALID_DURATION        duration                UNKNOWN_INSTRUMENT    instruments, frets/
    INVALID_INTERVAL        intervals               INVALID_KEY           keys
    INVALID_TIME_SIGNATURE  metre                   INVALID_CHORD_SYMBOL  chords/
    INVALID_GRID            timing/                 INVALID_NOTE          notation/note_list
    PARSE_ERROR             notation/               EMPTY_INPUT           notation/
    INVALID_MIDI            midi/reader             UNWRITABLE_MIDI       midi/writer
    UNKNOWN_TRACK           midi/track_names        INVALID_BARS          midi/bar_window
    NEEDS_BEATS             midi/, note_sequence/   INVALID_MIDI_TEXT     note_sequence/midi_text
    TOO_MANY_INSTRUMENTS    note_sequence/channels  INVALID_PICTURE       piano_roll/
    TOO_LARGE               notation/, note_sequence/midi_text, chords/progression
    INVALID_TUNING, INVALID_CAPO, INVALID_FRET_HINT, NO_CHORD_SHAPE       frets/

Services raise it with their own codes too, such as the transforms of midi-store.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class MusicError(ValueError):
    """An error in input that should be music.

    `code` is for programs. `message` and `suggestions` are for the person or assistant who sent the input. `field` is
    the path of the invalid field, if known. `partial_result` is the best result that was possible, as JSON data.
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

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes: a subclass may have other arguments, and child processes send errors back."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[MusicError], args: tuple[object, ...], attributes: dict[str, object]) -> MusicError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """Set the `field` of a `MusicError` that is raised in this context, unless it already has one."""
    try:
        yield
    except MusicError as error:
        error.field = error.field or name
        raise


@contextmanager
def below_field(name: str) -> Iterator[None]:
    """Add a prefix to the `field` of a `MusicError` that is raised in this context: `pitch` becomes `notes.pitch`.

    If the error has no field, its field becomes `name`.
    """
    try:
        yield
    except MusicError as error:
        error.field = f"{name}.{error.field}" if error.field else name
        raise


def quoted(text: str, limit: int = 40) -> str:
    """Return user input for use in a message: in quotes, escaped, and cut after `limit` characters."""
    return repr(text if len(text) <= limit else text[:limit] + "…")
