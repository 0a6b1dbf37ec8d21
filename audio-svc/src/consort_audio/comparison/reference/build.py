"""Make the expected notes of a reference from its type and its checked parameters."""

from typing import Any

from consort_audio.comparison.reference.exercises import exercise_music, scale_music
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.reference.parameters import (
    REFERENCES,
    ExerciseReference,
    ReferenceType,
    ScaleReference,
)
from consort_audio.comparison.reference.stored_music import stored_music
from consort_music.errors import below_field


def build_reference(
    reference_type: ReferenceType,
    parameters: dict[str, Any],
    midi: bytes | None,
    max_midi_bytes: int,
    name: str = "the music",
) -> ExpectedMusic:
    """Return the expected music. Raise MusicError.

    `midi` is the content of a stored file, song or score, and `name` its title if the content has none.
    """
    reference = REFERENCES[reference_type].model_validate(parameters)
    match reference:
        case ScaleReference():
            with below_field("reference_params"):
                return scale_music(reference)
        case ExerciseReference():
            with below_field("reference_params"):
                return exercise_music(reference)
        case _:
            assert midi is not None
            return stored_music(midi, max_midi_bytes, reference, name)
