"""A harmonised melody as music: four voices, melody and keyboard, or a lead sheet; always with the chord symbols.

Four voices are set at every note of the melody, not only where chords change, so that no parallel is hidden between
a passing note and the next chord; voices that stay are held.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from consort_compose.composer.voice_ranges import VOICES
from consort_compose.composer.voicings.progression import realize_progression
from consort_compose.composer.voicings.satb import RANGES, Realization, realize_satb
from consort_music.chords import ChordSymbol, note_text, parse_chord
from consort_music.chords.layout import ChordMark, ChordSpan
from consort_music.errors import MusicError
from consort_music.score import Note, Part, Score

Texture = Literal["satb", "keyboard", "lead_sheet"]

_WORST = ("parallel_fifths", "parallel_octaves", "crossing")
_RETRIES = 3
_TRIADS: dict[tuple[tuple[int, int], ...], str] = {
    ((3, 0), (5, 0)): "",
    ((3, -1), (5, 0)): "m",
    ((3, -1), (5, -1)): "dim",
}
_LEFT_HAND = (40, 67)
_LOWEST_TOP = 55
"""The left hand's range; it stays below the melody as long as that is not lower than this."""


def realize(
    score: Score, melody: Sequence[Note], chords: Sequence[ChordSpan], texture: Texture, voices: Sequence[Part]
) -> Score:
    """The melody of a score over chords; `voices` is what `four_voices` made of them."""
    if texture == "satb":
        parts = list(voices)
    elif texture == "keyboard":
        parts = [Part.of("melody", melody), keyboard(melody, chords)]
    else:
        parts = [Part.of("melody", melody)]
    return replace(with_chords(score, chords), parts=tuple(parts))


def with_chords(score: Score, chords: Sequence[ChordSpan]) -> Score:
    marks: list[ChordMark] = []
    for start, _, chord in chords:
        if not marks or marks[-1].symbol != chord.name:
            marks.append(ChordMark(start, chord.name))
    return replace(score, chords=tuple(marks))


def four_voices(melody: Sequence[Note], chords: Sequence[ChordSpan]) -> list[Part]:
    """The melody as soprano, over alto, tenor and bass. One that lies outside of the soprano's range is sung in
    the octave in which most of it is inside."""
    octave = best_octave([note.midi for note in melody])
    events = _events(melody, chords)
    soprano = [None if note is None else note.midi + octave for *_, note in events]
    result = _set([chord for _, _, chord, _ in events], soprano)
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


def _set(chords: list[ChordSymbol], soprano: Sequence[int | None]) -> Realization:
    """Four voices. Where an extended chord leaves no way without parallels, its triad is set instead."""
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
    """The semitones, whole octaves, by which a melody is moved to lie in the soprano's range."""
    low, high = RANGES[0]

    def outside(shift: int) -> tuple[int, int]:
        return sum(not low <= note + shift <= high for note in notes), abs(shift)

    return min((shift for shift in range(-60, 61, 12) if all(0 <= note + shift <= 115 for note in notes)), key=outside)


def keyboard(melody: Sequence[Note], chords: Sequence[ChordSpan]) -> Part:
    """The chords for the left hand, below the melody where there is room."""
    low, high = _LEFT_HAND
    high = max(min([high, *(note.midi for note in melody)]), _LOWEST_TOP)
    symbols = [chord for _, _, chord in chords]
    try:
        steps = realize_progression(symbols, "piano", inversions=False, low=low, high=high).steps
    except MusicError:  # an extended chord may need more room than the melody leaves
        steps = realize_progression(symbols, "piano", inversions=False).steps
    return Part.of(
        "keyboard",
        [
            Note(start, end - start, pitch)
            for (start, end, _), step in zip(chords, steps, strict=True)
            for pitch in step.pitches
        ],
        "Acoustic Grand Piano",
    )


def _events(
    melody: Sequence[Note], chords: Sequence[ChordSpan]
) -> list[tuple[Fraction, Fraction, ChordSymbol, Note | None]]:
    """The chords cut where the melody has a new note. A short rest is counted to the note before it: the ear connects
    what is around it; where a whole chord is silent there is no note."""
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
