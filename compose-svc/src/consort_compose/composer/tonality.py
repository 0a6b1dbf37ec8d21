"""Find the key of a score: the stated key, or the likeliest key if none is stated or the notes contradict it."""

from fractions import Fraction

from consort_music.key_finding.notes import pitched_parts, rank_keys_of_score
from consort_music.key_finding.pitch_classes import KeyGuess, contradicts, pitch_class_weights
from consort_music.keys import MODES, Key
from consort_music.score import Score

_CHURCH_MODES = ("major", "minor", "dorian", "mixolydian", "phrygian", "lydian")
_MOST_ACCIDENTALS = 7
_NEARLY_ALL = 0.9
"""The share of notes that must fit an unusual name of a key."""


def key_of(score: Score) -> Key:
    """Return the key at the start of a score: the stated key if the notes agree, otherwise the likeliest key."""
    return agreed_key(score) or _spelled(score, rank_keys_of_score(score)[0])


def agreed_key(score: Score) -> Key | None:
    """Return the key stated at the start of a score.

    Return None if none is stated, or if the notes up to the next key change contradict it.
    """
    stated = score.key
    if stated is None:
        return None
    until = score.keys[1][0] if len(score.keys) > 1 else score.length
    return None if contradicts(_weights(score, until), stated) else stated


def harmonic_key(score: Score) -> Key:
    """Return the key to harmonize in.

    A stated minor or modal key is believed unless the notes contradict it. A stated major key may be only a signature
    (MusicXML without a mode), so it is used only as a hint.
    """
    stated = agreed_key(score)
    if stated is not None and stated.mode != "major":
        return stated
    found = rank_keys_of_score(score)[0]
    if stated is None:
        return _spelled(score, found)
    return stated if found.tonic == stated.tonic else _key_on(stated, found.tonic, found.mode)


def modal_key(score: Score) -> Key:
    """Return the key as a church mode.

    The tonic is that of `harmonic_key`. The mode is the one that fits the stated signature; if no key is stated, it is
    the one whose scale has most of the notes.
    """
    base = harmonic_key(score)
    if base.mode not in ("major", "minor"):
        return base
    candidates = [_key_on(base, base.tonic, mode) for mode in dict.fromkeys((base.mode, *_CHURCH_MODES))]
    if stated := agreed_key(score):
        alike = (key for key in candidates if key.sharps == stated.sharps and key.is_minor == base.is_minor)
        return next(alike, base)
    weights = _weights(score, score.length)
    return max(candidates, key=lambda key: round(sum(weights[tone] for tone in key.pitch_classes), 9))


def _weights(score: Score, until: Fraction) -> list[float]:
    notes = [note for part in pitched_parts(score) for note in part.notes if note.start < until]
    return pitch_class_weights([(note.midi, float(note.duration)) for note in notes])


def _spelled(score: Score, found: KeyGuess) -> Key:
    """Return the key with the name that fits the spelling of the notes.

    For example, music in flats is in E flat minor, not in D sharp minor. A name with more accidentals than the usual
    name is used only if nearly all notes fit it.
    """
    usual = found.key
    other = next(
        (
            key
            for name in "CDEFGAB"
            for alter in (-1, 0, 1)
            if _is_other_name(key := Key(name, alter, found.mode), usual)
        ),
        None,
    )
    if other is None:
        return usual
    names = [(note.pitch.step, note.pitch.alter) for part in score.parts for note in part.notes]
    fits = {key: sum(name in key.scale for name in names) / len(names) for key in (usual, other)}
    is_sure = abs(other.sharps) == abs(usual.sharps) or fits[other] >= _NEARLY_ALL
    return other if fits[other] > fits[usual] and is_sure else usual


def _is_other_name(key: Key, usual: Key) -> bool:
    return key != usual and key.tonic == usual.tonic and abs(key.sharps) <= _MOST_ACCIDENTALS


def _key_on(key: Key, tonic: int, mode: str) -> Key:
    """Return a key with this tonic and mode. The tonic is spelled as in `key`."""
    assert mode in MODES
    pitch = key.spell(60 + tonic)
    return Key(pitch.step, pitch.alter, mode)
