"""Turn an error about the input, raised by an engine, into the service's error."""

from consort_kit.errors import InvalidInput, TooLarge
from consort_music.errors import MusicError


def input_error(error: MusicError) -> InvalidInput | TooLarge:
    """Return InvalidInput or TooLarge with the code, text, field and suggestions of the engine's error."""
    kind = TooLarge if error.code == TooLarge.default_code else InvalidInput
    return kind(error.message, code=error.code, field=error.field, suggestions=error.suggestions)
