"""The key of a score: the one that it states, if its notes do not speak against that, or the likeliest."""

from consort_music.instruments import DRUMS
from consort_music.key_finding import KeyGuess, contradicts, pitch_class_weights, rank_keys
from consort_music.keys import MODES, Key
from consort_music.score import Note, Part, Score

_CHURCH_MODES = ("major", "minor", "dorian", "mixolydian", "phrygian", "lydian")
_MOST_ACCIDENTALS = 7
_NEARLY_ALL = 0.9


def key_of(score: Score) -> Key:
    """Return the key that the score begins in; where it states none that can be believed, find it from its notes."""
    return believed_key(score) or _spelled(score, _guess(score))


def believed_key(score: Score) -> Key | None:
    """Return the key that the score states for its beginning, unless the notes up to the next key speak against it."""
    stated = score.key
    if stated is None:
        return None
    until = score.keys[1][0] if len(score.keys) > 1 else score.length
    weights = pitch_class_weights(
        [(note.midi, float(note.duration)) for part in _pitched(score) for note in part.notes if note.start < until]
    )
    return None if contradicts(weights, stated) else stated


def harmonic_key(score: Score) -> Key:
    """Return the key to harmonise in. A signature alone is read as major (MusicXML without a mode); where the music
    ends elsewhere and its notes say so too, it is the key it ends in."""
    stated = believed_key(score)
    if stated is not None and stated.mode != "major":
        return stated
    found = _guess(score)
    if stated is None:
        return _spelled(score, found)
    if found.tonic == stated.tonic or found.tonic != _last(score).midi % 12:
        return stated
    return _on(stated, found.tonic, found.mode)


def modal_key(score: Score) -> Key:
    """Return the key, as the mode that the signature makes on its tonic, or the one that has most of the notes."""
    base = harmonic_key(score)
    if base.mode not in ("major", "minor"):
        return base
    candidates = [_on(base, base.tonic, mode) for mode in dict.fromkeys((base.mode, *_CHURCH_MODES))]
    if stated := believed_key(score):
        alike = (key for key in candidates if key.sharps == stated.sharps and key.is_minor == base.is_minor)
        return next(alike, base)
    weights = _weights(score)
    return max(candidates, key=lambda key: round(sum(weights[tone] for tone in key.pitch_classes), 9))


def _pitched(score: Score) -> list[Part]:
    """Return the parts that are not drums, or all if there are no others."""
    return [part for part in score.parts if part.instrument != DRUMS.name and part.notes] or list(score.parts)


def _weights(score: Score) -> list[float]:
    return pitch_class_weights([(note.midi, float(note.duration)) for part in _pitched(score) for note in part.notes])


def _guess(score: Score) -> KeyGuess:
    sharps = None if score.key is None else score.key.sharps
    beginnings = [part.notes[0] for part in _pitched(score) if part.notes]
    first = min(beginnings, key=lambda note: (note.start, -note.midi))
    return rank_keys(_weights(score), first.midi % 12, _last(score).midi % 12, sharps)[0]


def _spelled(score: Score, found: KeyGuess) -> Key:
    """The key by the name that the notes give it: music written in flats is in E flat minor, not in D sharp minor.
    Seven accidentals where five would do are believed only if nearly all notes are written so."""
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


def _last(score: Score) -> Note:
    parts = _pitched(score)
    end = max(part.end for part in parts)
    ending = (note for part in parts if part.end == end for note in part.notes if note.end == end)
    return max(ending, key=lambda note: note.midi)


def _on(key: Key, tonic: int, mode: str) -> Key:
    """A key on another tonic, spelled as this one spells it."""
    assert mode in MODES
    pitch = key.spell(60 + tonic)
    return Key(pitch.step, pitch.alter, mode)
