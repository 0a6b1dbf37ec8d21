"""Moving pitches by letters inside a key: what tonal sequence and diatonic inversion are made of.

A pitch is its place on the staff and how far it is from what the key makes of that letter. Places move; the distance
is kept when a melody moves, and turned round when it is inverted.
"""

from functools import lru_cache

from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.pitch import STEPS, Pitch


def shifted(pitch: Pitch, letters: int, key: Key) -> Pitch:
    """The pitch so many letters up (or down) in the key, as far from the scale as before."""
    return _in_key(pitch.staff + letters, pitch.alter - _alters(key)[pitch.step], key)


def mirrored(pitch: Pitch, axis: Pitch, key: Key) -> Pitch:
    """The pitch as many letters on the other side of the axis, which stays; what was raised is lowered."""
    if pitch == axis:
        return axis
    return _in_key(2 * axis.staff - pitch.staff, _alters(key)[pitch.step] - pitch.alter, key)


def in_range(pitch_midi: int, what: str) -> None:
    if not 0 <= pitch_midi <= 127:
        raise MusicError(
            "INVALID_RANGE",
            f"{what} leaves the range of MIDI notes (0 to 127). Give a smaller interval, fewer repetitions or the "
            "other "
            "direction.",
            field="repetitions",
        )


def _in_key(place: int, away: int, key: Key) -> Pitch:
    if not 0 <= place <= 69:
        in_range(-1, "The result")
    step = STEPS[place % 7]
    alter = _alters(key)[step] + away
    if abs(alter) > 2:  # no such accidental: the same sound, spelled as usual in the key
        midi = Pitch.from_staff(place, 0).midi + alter
        in_range(midi, "The result")
        return key.spell(midi)
    pitch = Pitch.from_staff(place, alter)
    pitch.midi  # noqa: B018  raises where there is no such note
    return pitch


@lru_cache(maxsize=256)
def _alters(key: Key) -> dict[str, int]:
    """What the key makes of each letter: its scale's tone if it has just one there, else its signature."""
    alters = {step: key.signature_alter(step) for step in STEPS}
    for step, alter in key.scale:
        if sum(1 for each, _ in key.scale if each == step) == 1:
            alters[step] = alter
    return alters
