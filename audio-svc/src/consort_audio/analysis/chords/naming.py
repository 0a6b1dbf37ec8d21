"""Name chords as text: the root follows the key (Bb in F major), the suffix is that of `Cmaj`, `Amin`, `G7`."""

from consort_audio.analysis.chords.vocabulary import ChordState
from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import NoteName, join_symbol
from consort_music.keys import Key

_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII")
_NUMERAL_SUFFIX = {
    "maj": "", "min": "", "dim": "°", "dim7": "°7", "min7b5": "ø7", "aug": "+", "min7": "7", "min6": "6", "maj6": "6",
}  # fmt: skip


def chord_name(chord: ChordState, key: Key | None) -> str:
    """Return a name that `parse_chord` reads. Without a key, the root has the usual spelling."""
    root = _spelled(chord.root, key)
    bass = None
    if chord.bass != chord.root:
        bass = parse_chord(join_symbol(root, chord.kind.suffix)).note_name(chord.bass).simplified()
    return join_symbol(root, chord.kind.suffix, bass)


def roman_numeral(chord: ChordState, key: Key) -> str:
    """Return the degree in the key: `V7` for G7 in C major, `bVII` for Bb major, `vi` for A minor. Basses are left out.

    In minor, the degrees are those of the natural minor scale, so `VII` is G major and `#vii°` G# diminished in A
    minor.
    """
    from_tonic = (chord.root - key.tonic) % 12
    scale = [(tone - key.tonic) % 12 for tone in key.pitch_classes]
    name = _spelled(chord.root, key)
    degree = (ord(name.step) - ord(key.step)) % 7
    shift = (from_tonic - scale[degree] + 6) % 12 - 6
    numeral = _NUMERALS[degree].lower() if chord.kind.is_minor else _NUMERALS[degree]
    accidental = "b" * -shift if shift < 0 else "#" * shift
    return accidental + numeral + _NUMERAL_SUFFIX.get(chord.kind.suffix, chord.kind.suffix)


def _spelled(pitch_class: int, key: Key | None) -> NoteName:
    pitch = (key or Key("C", 0, "major")).spell(60 + pitch_class)
    return NoteName(pitch.step, pitch.alter).simplified()
