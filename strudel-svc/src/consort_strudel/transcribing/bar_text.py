"""Write the notes of one bar as mini-notation.

Notes that start and end together are a chord: `[c4,e4,g4]`. Two ways are tried, and the shorter one is taken:
- voices: each is a sequence of notes and rests, and they are separated by commas: `e4 f4 g4 a4, c3`;
- one sequence, in which each note is followed by how many times as long as its step it rings: `c4:4 e4:3 g4:2 c5`.
A note that rings over the bar line has such a number in both.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from consort_strudel.transcribing.mini_text import REST, MiniWriter, Step

SpellPitch = Callable[[int], str]
_VOICES_PREFERRED = 1.15
"""Voices are preferred if their text is at most this many times as long."""


class BarNote(NamedTuple):
    """A note of a bar: start in the bar, and length, which may reach over the end of the bar."""

    start: Fraction
    length: Fraction
    pitch: int


class _Chord(NamedTuple):
    start: Fraction
    end: Fraction
    """Of its step."""
    words: tuple[str, ...]
    middle: float


def bar_text(notes: Sequence[BarNote], length: Fraction, pitch_text: SpellPitch, writer: MiniWriter) -> str:
    """Return the notes of a bar of this length."""
    if not notes:
        return REST
    voices = ", ".join(writer.steps(_steps(voice, length)) for voice in _voices(_chords(notes, length, pitch_text)))
    ringing = writer.steps(_steps(_ringing(notes, length, pitch_text), length))
    return voices if len(voices) <= _VOICES_PREFERRED * len(ringing) else ringing


def decimal(value: Fraction) -> str:
    """Return a number with at most four decimals and without a leading zero: `.5`."""
    text = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return text.removeprefix("0") if text.startswith("0.") else text


def _chords(notes: Sequence[BarNote], length: Fraction, pitch_text: SpellPitch) -> list[_Chord]:
    """Return the notes that start and end together as chords. Steps end with the bar."""
    groups: dict[tuple[Fraction, Fraction], list[BarNote]] = {}
    for note in notes:
        groups.setdefault((note.start, note.length), []).append(note)
    found = []
    for (start, rings), group in groups.items():
        end = min(start + rings, length)
        ratio = rings / (end - start)
        found.append(_chord(start, end, [(note.pitch, ratio) for note in group], pitch_text))
    return sorted(found, key=lambda chord: (chord.start, -chord.middle))


def _ringing(notes: Sequence[BarNote], length: Fraction, pitch_text: SpellPitch) -> list[_Chord]:
    """Return the notes that start together as chords whose steps end before the next one."""
    groups: dict[Fraction, list[BarNote]] = {}
    for note in notes:
        groups.setdefault(note.start, []).append(note)
    starts = sorted(groups)
    found = []
    for start, following in zip(starts, [*starts[1:], length], strict=True):
        group = groups[start]
        end = min(following, max(start + note.length for note in group))
        found.append(_chord(start, end, [(note.pitch, note.length / (end - start)) for note in group], pitch_text))
    return found


def _chord(start: Fraction, end: Fraction, tones: list[tuple[int, Fraction]], pitch_text: SpellPitch) -> _Chord:
    tones = sorted(set(tones))
    words = tuple(pitch_text(pitch) + ("" if ratio == 1 else f":{decimal(ratio)}") for pitch, ratio in tones)
    return _Chord(start, end, words, sum(pitch for pitch, _ in tones) / len(tones))


def _voices(chords: list[_Chord]) -> list[list[_Chord]]:
    """Distribute chords over as few voices as possible, each to the free voice that is nearest in pitch."""
    voices: list[list[_Chord]] = []
    for chord in chords:
        free = [voice for voice in voices if voice[-1].end <= chord.start]
        if free:
            min(free, key=lambda voice: abs(voice[-1].middle - chord.middle)).append(chord)
        else:
            voices.append([chord])
    return sorted(voices, key=lambda voice: -sum(chord.middle for chord in voice) / len(voice))


def _steps(voice: Sequence[_Chord], length: Fraction) -> list[Step]:
    """Return a voice as steps, with rests between them."""
    steps: list[Step] = []
    at = Fraction(0)
    for chord in voice:
        if chord.start > at:
            steps.append((REST, chord.start - at))
        steps.append((_word(chord.words), chord.end - chord.start))
        at = chord.end
    if at < length:
        steps.append((REST, length - at))
    return steps


def _word(words: tuple[str, ...]) -> str:
    if len(words) == 1:
        return words[0]
    ends = {word.partition(":")[2] for word in words}
    if len(ends) == 1 and (ratio := ends.pop()):
        return f"[{','.join(word.partition(':')[0] for word in words)}]:{ratio}"
    return f"[{','.join(words)}]"
