"""Write a harmonized melody as four voices, melody and keyboard, or a lead sheet, always with chord symbols.

Four voices get a voicing at every note of the melody, not only where chords change. Otherwise there could be parallels
between a passing note and the next chord. Within a chord, repeated notes of a lower voice are tied.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.harmonize.writing.left_hand import left_hand
from consort_compose.composer.harmony.score_chord_symbols import with_chord_symbols
from consort_compose.composer.voice_ranges import VOICES
from consort_compose.composer.voicings.engine.satb import Realization, realize_satb
from consort_compose.composer.voicings.engine.satb_voicings import RANGES
from consort_music.chords.grammar import parse_chord
from consort_music.chords.symbol import ChordSymbol, note_text
from consort_music.chords.timed_chords import ChordSpan
from consort_music.keys import Key
from consort_music.score import Note, Part, Score

Texture = Literal["satb", "keyboard", "lead_sheet"]

_WORST = ("parallel_fifths", "parallel_octaves", "crossing")
"""Faults for which extended chords are replaced by triads."""
_RETRIES = 3
_TRIADS: dict[tuple[tuple[int, int], ...], str] = {
    ((3, 0), (5, 0)): "",
    ((3, -1), (5, 0)): "m",
    ((3, -1), (5, -1)): "dim",
}
"""The suffix of a triad, by its third and fifth as (degree, alteration)."""


def with_texture(
    score: Score,
    melody: Sequence[Note],
    chords: Sequence[ChordSpan],
    texture: Texture,
    voices: Sequence[Part],
    key: Key,
    style: HarmonyStyle,
) -> Score:
    """Return the melody with the chords in a texture. `voices` is the result of `four_voices`."""
    if texture == "satb":
        parts = list(voices)
    elif texture == "keyboard":
        keyboard = left_hand(melody, chords, key, quartal=style == "modal")
        parts = [Part.of("melody", melody), Part.of("keyboard", keyboard, "Acoustic Grand Piano")]
    else:
        parts = [Part.of("melody", melody)]
    return replace(with_chord_symbols(score, chords), parts=tuple(parts))


def four_voices(melody: Sequence[Note], chords: Sequence[ChordSpan]) -> list[Part]:
    """Return four parts: the melody as soprano, and alto, tenor and bass below it.

    The melody is moved to the octave in which most of its notes are in the soprano's range.
    """
    octave = best_octave([note.midi for note in melody])
    events = _events(melody, chords)
    soprano = [None if note is None else note.midi + octave for *_, note in events]
    result = _voice_chords([chord for _, _, chord, _ in events], soprano)
    lower: dict[str, list[Note]] = {voice: [] for voice in VOICES[1:]}
    starts = {start for start, _, _ in chords}
    for (start, end, _, _), voices in zip(events, result.chords, strict=True):
        for voice in lower:
            pitch = getattr(voices, voice)
            held = lower[voice][-1] if lower[voice] else None
            if held is not None and start not in starts and held.pitch.midi == pitch.midi and held.end == start:
                lower[voice][-1] = held._replace(duration=end - held.start)
            else:
                lower[voice].append(Note(start, end - start, pitch))
    sung = [
        note._replace(pitch=replace(note.pitch, octave=note.pitch.octave + octave // 12)) if octave else note
        for note in melody
    ]
    return [Part.of("soprano", sung), *(Part.of(voice, notes) for voice, notes in lower.items())]


def _voice_chords(chords: list[ChordSymbol], soprano: Sequence[int | None]) -> Realization:
    """Return a voicing for four voices of each chord.

    Extended chords with parallels or crossings are replaced by their triads if that gives fewer faults or a lower cost.
    """
    result = realize_satb(chords, soprano)
    for _ in range(_RETRIES):
        faulty = {fault.position - back for fault in result.faults if fault.kind in _WORST for back in (0, 1)}
        simpler = [_triad(chord) if index in faulty else chord for index, chord in enumerate(chords)]
        if simpler == chords:
            break
        chords = simpler
        again = realize_satb(chords, soprano)
        if again.cost < result.cost or len(again.faults) < len(result.faults):
            result = again
    return result


def _triad(chord: ChordSymbol) -> ChordSymbol:
    tones = tuple(degree for degree in chord.degrees if degree[0] in (3, 5))
    suffix = _TRIADS.get(tones)
    if suffix is None or chord.root is None or len(chord.degrees) == 3:
        return chord
    bass = "" if chord.bass is None else f"/{note_text(chord.bass)}"
    return parse_chord(note_text(chord.root) + suffix + bass)


def best_octave(notes: Sequence[int]) -> int:
    """Return by how many semitones (a multiple of 12) to move a melody into the soprano's range."""
    low, high = RANGES[0]

    def outside(shift: int) -> tuple[int, int]:
        return sum(not low <= note + shift <= high for note in notes), abs(shift)

    return min((shift for shift in range(-60, 61, 12) if all(0 <= note + shift <= 115 for note in notes)), key=outside)


def _events(
    melody: Sequence[Note], chords: Sequence[ChordSpan]
) -> list[tuple[Fraction, Fraction, ChordSymbol, Note | None]]:
    """Split the chords where the melody has a new note. Return (start, end, chord, note) of each piece.

    A rest belongs to the note before it. The note is None if the melody rests for the whole chord.
    """
    found: list[tuple[Fraction, Fraction, ChordSymbol, Note | None]] = []
    at = 0
    for start, end, chord in chords:
        while at < len(melody) and melody[at].end <= start:
            at += 1
        inside = []
        while at < len(melody) and melody[at].start < end:
            inside.append(melody[at])
            if melody[at].end > end:
                break
            at += 1
        if not inside:
            found.append((start, end, chord, None))
        cuts = [start, *(note.start for note in inside[1:]), end]
        found += [(cuts[place], cuts[place + 1], chord, note) for place, note in enumerate(inside)]
    return found
