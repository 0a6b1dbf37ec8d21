"""Break the chords of a chorale into figures, as in piano music. The analysis of the chorale stays true.

The notes that sound at the start of each beat are played one after another:

- `alberti`: the soprano as it is, and under it sixteenths on the other voices: low, high, middle, high.
- `arpeggio`: sixteenths on the four voices from the bass up.
- `slow alberti`, `slow arpeggio`: the same in eighths. Each beat of the chorale becomes two, so that at most beats
  only a few tones of the chord sound.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Literal, get_args

from consort_music.metre import Metre
from consort_music.score import Note, Part, Score
from evaluation.corpora.roman_numerals.analyses import AnalystChord, AnalyzedPiece

BrokenTexture = Literal["alberti", "arpeggio", "slow alberti", "slow arpeggio"]
TEXTURES: tuple[BrokenTexture, ...] = get_args(BrokenTexture)
_STEPS = 4


def broken(piece: AnalyzedPiece, texture: BrokenTexture) -> tuple[Score, AnalyzedPiece]:
    """Return the score of a chorale in this texture, and its analysis at the times of that score."""
    factor = _factor(texture)
    chords = tuple(AnalystChord(one.start * factor, one.root, one.quality, one.tonic, one.mode) for one in piece.chords)
    return broken_score(piece.score(), texture), replace(piece, chords=chords)


def broken_score(score: Score, texture: BrokenTexture) -> Score:
    """Return the score of a chorale in this texture."""
    factor = _factor(texture)
    voices = [part for part in score.parts if part.notes][:4]
    figures: list[Note] = []
    for bar in score.bars:
        beat = Fraction(4, bar.metre.denominator)
        for place in range(int(bar.length / beat)):
            start = bar.start + place * beat
            sounding = [note for part in voices for note in part.notes if note.start <= start < note.end]
            figures += _figure(sounding, start * factor, beat * factor, texture.endswith("alberti"))
    melody = Part.of("melody", [_slower(note, factor) for note in voices[0].notes])
    parts = [Part.of("piano", figures)]
    if texture.endswith("alberti"):
        parts.insert(0, melody)
    return replace(
        score,
        parts=tuple(parts),
        metres=tuple((start * factor, _slower_metre(metre, factor)) for start, metre in score.metres),
        keys=tuple((start * factor, key) for start, key in score.keys),
        tempos=(),
        chords=(),
        fermatas=tuple(moment * factor for moment in score.fermatas) if len(parts) > 1 else (),
        pickup=score.pickup * factor,
        rest_to=score.rest_to * factor,
    )


def _factor(texture: BrokenTexture) -> int:
    return 2 if texture.startswith("slow") else 1


def _figure(sounding: list[Note], start: Fraction, length: Fraction, is_alberti: bool) -> list[Note]:
    pitches = sorted({note.pitch for note in sounding}, key=lambda pitch: pitch.midi)
    if is_alberti and len(pitches) > 1:
        low, *others = pitches[:-1] if len(pitches) > 2 else pitches
        pitches = [low, others[-1] if others else low, others[0] if others else low, others[-1] if others else low]
    if not pitches:
        return []
    step = length / _STEPS
    return [Note(start + place * step, step, pitches[place % len(pitches)]) for place in range(_STEPS)]


def _slower(note: Note, factor: int) -> Note:
    return note._replace(start=note.start * factor, duration=note.duration * factor)


def _slower_metre(metre: Metre, factor: int) -> Metre:
    return metre if factor == 1 else Metre(metre.numerator, metre.denominator // 2)
