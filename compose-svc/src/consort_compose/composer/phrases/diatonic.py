"""Move pitches by letters inside a key, for tonal sequences and diatonic inversions.

A pitch is a place on the staff plus an offset: its semitones above the key's note at this place. Moving a melody keeps
the offsets; inverting it negates them.
"""

from functools import lru_cache

from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.pitch import STEPS, Pitch


def shift_in_key(pitch: Pitch, letters: int, key: Key) -> Pitch:
    """Return the pitch that is `letters` letters higher in the key (lower if negative), with the same offset."""
    return _pitch_in_key(pitch.staff + letters, pitch.alter - _key_alterations(key)[pitch.step], key)


def mirror_in_key(pitch: Pitch, axis: Pitch, key: Key) -> Pitch:
    """Return the mirror image of a pitch: as many letters on the other side of `axis`, with the offset negated.

    The axis itself stays, even if it has an offset.
    """
    if pitch == axis:
        return axis
    return _pitch_in_key(2 * axis.staff - pitch.staff, _key_alterations(key)[pitch.step] - pitch.alter, key)


def check_midi_range(pitch_midi: int, what: str) -> None:
    """Raise INVALID_RANGE if `pitch_midi` is not from 0 to 127. `what` is the subject of the message."""
    if not 0 <= pitch_midi <= 127:
        raise MusicError(
            "INVALID_RANGE",
            f"{what} leaves the range of MIDI notes (0 to 127). Give a smaller interval, fewer repetitions or the "
            "other direction.",
            field="repetitions",
        )


def _pitch_in_key(place: int, offset: int, key: Key) -> Pitch:
    if not 0 <= place <= 69:
        check_midi_range(-1, "The result")
    step = STEPS[place % 7]
    alter = _key_alterations(key)[step] + offset
    if abs(alter) > 2:  # three accidentals cannot be written, so use another letter
        midi = Pitch.from_staff(place, 0).midi + alter
        check_midi_range(midi, "The result")
        return key.spell(midi)
    pitch = Pitch.from_staff(place, alter)
    pitch.midi  # noqa: B018  raises INVALID_PITCH if it is no MIDI note
    return pitch


@lru_cache(maxsize=256)
def _key_alterations(key: Key) -> dict[str, int]:
    """Return the alteration of each letter in the key.

    It comes from the scale if the scale has exactly one tone on this letter, otherwise from the key signature.
    """
    alters = {step: key.signature_alter(step) for step in STEPS}
    for step, alter in key.scale:
        if sum(1 for each, _ in key.scale if each == step) == 1:
            alters[step] = alter
    return alters
