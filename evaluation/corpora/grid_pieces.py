"""Pieces on a grid for conversions to code and back: drum loops, chords, tunes and pieces of several tracks.

They are made from a seed, so they need no files and are the same everywhere. Forms such as AABA give them the repeats
that songs have; fills, pickups, triplets, ties over bar lines, and changes of tempo and metre give them exceptions.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from consort_music.instruments import DRUMS, INSTRUMENTS
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack

KICK, SNARE, CLAP, HAT, OPEN_HAT, CRASH, RIDE, RIM, LOW_TOM, CONGA = 36, 38, 39, 42, 46, 49, 51, 37, 45, 63
LEAST_REPEATS = 0.6
_MAJOR, _MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)
_RHYTHMS = {
    Fraction(4): ("1 1 1 1", "1 1/2 1/2 2", "3/2 1/2 1 1", "1/2 1/2 1 1/2 1/2 1", "1/3 1/3 1/3 1 2", "3/4 1/4 1 2"),
    Fraction(3): ("1 1 1", "2 1", "1 1/2 1/2 1", "3/2 1/2 1", "1/2 1/2 1/2 1/2 1/2 1/2", "3/2 3/2"),
    Fraction(7, 2): ("1 1 3/2", "1/2 1/2 1 1/2 1/2 1/2", "2 3/2"),
    Fraction(5): ("1 1 1 1 1", "3/2 3/2 2", "2 1/2 1/2 2"),
}
_METRES = {Fraction(4): (4, 4), Fraction(3): (3, 4), Fraction(7, 2): (7, 8), Fraction(5): (5, 4)}

NotesOfBar = list[tuple[Fraction, Fraction, int, int]]
"""Notes: start in the bar, duration, pitch, velocity."""


@dataclass(frozen=True)
class GridPiece:
    name: str
    kind: str
    music: NoteSequence
    has_repeats: bool
    """Whether at least 60 % of its bars repeat earlier ones."""


def tunes(count: int) -> list[GridPiece]:
    return [_piece(f"melody {seed}", "melody", _tune(random.Random(f"melody {seed}"))) for seed in range(count)]


def drum_loops(count: int) -> list[GridPiece]:
    return [_piece(f"drums {seed}", "drums", _drums(random.Random(f"drums {seed}"))) for seed in range(count)]


def chord_pieces(count: int) -> list[GridPiece]:
    return [_piece(f"chords {seed}", "chords", _chords(random.Random(f"chords {seed}"))) for seed in range(count)]


def band_pieces(count: int) -> list[GridPiece]:
    return [_piece(f"band {seed}", "tracks", _band(random.Random(f"band {seed}"))) for seed in range(count)]


def bars_repeat(music: NoteSequence) -> bool:
    """Return whether at least 60 % of the bars of all tracks together repeat an earlier bar of their track."""
    bar = Fraction(4 * music.time_signatures[0][1], music.time_signatures[0][2])
    repeats = total = 0
    for track in music.tracks:
        bars: dict[int, list[tuple[Fraction, Fraction, int]]] = {}
        for note in track.notes:
            bars.setdefault(int(note.start // bar), []).append((note.start % bar, note.duration, note.pitch))
        contents = [tuple(sorted(notes)) for notes in bars.values()]
        repeats += len(contents) - len(set(contents))
        total += len(contents)
    return repeats >= LEAST_REPEATS * total


def _piece(name: str, kind: str, music: NoteSequence) -> GridPiece:
    music.title = name
    return GridPiece(name, kind, music, bars_repeat(music))


def _empty(rng: random.Random, bar: Fraction = Fraction(4)) -> NoteSequence:
    return NoteSequence(
        tempos=[(Fraction(0), Fraction(rng.randint(60, 180)))], time_signatures=[(Fraction(0), *_METRES[bar])]
    )


def _scale(rng: random.Random) -> Callable[[int], int]:
    tonic, steps = 60 + rng.randint(-5, 6), rng.choice((_MAJOR, _MINOR))
    return lambda degree: tonic + 12 * (degree // 7) + steps[degree % 7]


def _melody_bar(rng: random.Random, bar: Fraction, pitch: Callable[[int], int], about: int = 4) -> NotesOfBar:
    at = Fraction(0)
    notes: NotesOfBar = []
    degree = about
    loudness = rng.choice(((80,), (64, 80, 96)))
    for text in rng.choice(_RHYTHMS[bar]).split():
        length = Fraction(text)
        degree += rng.choice((-2, -1, -1, 0, 1, 1, 2))
        if rng.random() > 0.12:
            sharp = rng.random() < 0.03
            notes.append((at, length, pitch(degree) + sharp, rng.choice(loudness)))
        at += length
    return notes


def _form(rng: random.Random, make: Callable[[], NotesOfBar]) -> list[NotesOfBar]:
    """Return bars in a form of phrases, most of which return."""
    phrases = {letter: [make() for _ in range(rng.choice((2, 4)))] for letter in "ABC"}
    return [
        bar
        for letter in rng.choice(("AABAAABA", "ABABAB", "AABBAABB", "ABACABAC", "AAAAAAAA", "ABC"))
        for bar in phrases[letter]
    ]


def _placed(bars: list[NotesOfBar], length: Fraction) -> list[SequenceNote]:
    return [
        SequenceNote(pitch, velocity, place * length + start, duration)
        for place, bar in enumerate(bars)
        for start, duration, pitch, velocity in bar
    ]


def _tune(rng: random.Random) -> NoteSequence:
    bar = rng.choice(list(_METRES))
    music = _empty(rng, bar)
    pitch = _scale(rng)
    notes = _placed(_form(rng, lambda: _melody_bar(rng, bar, pitch)), bar)
    if rng.random() < 0.4:  # a tie over a bar line
        longest = max(notes, key=lambda note: note.start)
        notes[notes.index(longest)] = SequenceNote(longest.pitch, longest.velocity, longest.start, longest.duration + 1)
    music.tracks = [SequenceTrack("Melody", INSTRUMENTS[rng.choice((0, 40, 56, 73, 81))], notes)]
    return music


def _drum_bar(rng: random.Random, bar: Fraction, parts: int) -> NotesOfBar:
    """Return a bar of a groove: `parts` points in a quarter note."""
    step = Fraction(1, parts)
    count = int(bar / step)
    notes: NotesOfBar = []
    for place in range(count):
        at = place * step
        is_beat = at.denominator == 1
        if (is_beat and int(at) % 2 == 0) or rng.random() < 0.1:
            notes.append((at, Fraction(1, 4), KICK, 110))
        if is_beat and int(at) % 2 == 1:
            notes.append((at, Fraction(1, 4), rng.choice((SNARE, SNARE, CLAP)), 100))
        if rng.random() < (0.9 if (2 * at).denominator == 1 else 0.35):
            notes.append((at, Fraction(1, 4), HAT, 90 if is_beat else 60))
        elif rng.random() < 0.3:
            notes.append((at, Fraction(1, 2), rng.choice((OPEN_HAT, RIDE, RIM, CONGA)), 70))
    return notes


def _fill(rng: random.Random, bar: Fraction) -> NotesOfBar:
    count = int(bar * 4)
    return [(Fraction(place, 4), Fraction(1, 4), rng.choice((SNARE, LOW_TOM)), 70 + place) for place in range(count)]


def _drums(rng: random.Random) -> NoteSequence:
    bar = rng.choice((Fraction(4), Fraction(4), Fraction(3), Fraction(7, 2)))
    music = _empty(rng, bar)
    parts = rng.choice((2, 4, 4, 3))
    groove, other = _drum_bar(rng, bar, parts), _drum_bar(rng, bar, parts)
    bars = [groove, groove, groove, rng.choice((groove, other)), groove, groove, groove, _fill(rng, bar)]
    bars = bars * rng.choice((1, 2))
    if rng.random() < 0.5:
        bars[0] = [*bars[0], (Fraction(0), Fraction(1), CRASH, 120)]
    music.tracks = [SequenceTrack("Drums", DRUMS, _placed(bars, bar))]
    return music


def _chord_bar(rng: random.Random, style: str, root: int, pitch: Callable[[int], int]) -> NotesOfBar:
    tones = [pitch(root + step) for step in rng.choice(((0, 2, 4), (0, 2, 4, 6), (-3, 0, 2)))]
    if style == "block":
        return [(Fraction(0), Fraction(4), tone, 76) for tone in tones]
    if style == "offbeat":
        return [(Fraction(beat) + Fraction(1, 2), Fraction(1, 2), tone, 70) for beat in range(4) for tone in tones]
    if style == "arpeggio":
        return [(Fraction(place, 2), Fraction(1, 2), tones[place % len(tones)], 72) for place in range(8)]
    if style == "pedal":  # each tone sounds to the end of the bar
        return [(Fraction(place), Fraction(4 - place), tone, 72) for place, tone in enumerate(tones)]
    if style == "bass and chord":
        low = [(Fraction(0), Fraction(4), pitch(root) - 24, 84)]
        return [*low, *((Fraction(beat), Fraction(1), tone, 60) for beat in (1, 3) for tone in tones)]
    return [  # an anticipation that rings over the bar line
        *((Fraction(0), Fraction(3), tone, 76) for tone in tones),
        *((Fraction(7, 2), Fraction(1), tone, 80) for tone in tones),
    ]


def _chords(rng: random.Random) -> NoteSequence:
    music = _empty(rng)
    pitch = _scale(rng)
    style = rng.choice(("block", "offbeat", "arpeggio", "pedal", "bass and chord", "anticipation"))
    roots = iter(rng.choices((0, 3, 4, 5, 1), k=64))
    bars = _form(rng, lambda: _chord_bar(rng, style, next(roots), pitch))
    music.tracks = [
        SequenceTrack("Piano", INSTRUMENTS[rng.choice((0, 4, 24, 48))], _without_collisions(_placed(bars, Fraction(4))))
    ]
    return music


def _band(rng: random.Random) -> NoteSequence:
    """A melody, chords, a bass and drums, with changes of tempo, and in some pieces of metre."""
    bar = rng.choice((Fraction(4), Fraction(4), Fraction(3)))
    music = _empty(rng, bar)
    pitch = _scale(rng)
    melody = _form(rng, lambda: _melody_bar(rng, bar, pitch, 7))
    count = len(melody)
    roots = rng.choices((0, 3, 4, 5), k=4)
    chords: list[NotesOfBar] = [
        [(Fraction(0), bar, pitch(roots[place % 4] + step), 64) for step in (0, 2, 4)] for place in range(count)
    ]
    bass: list[NotesOfBar] = [
        [(Fraction(beat), Fraction(1, 2), pitch(roots[place % 4]) - 24, 90) for beat in range(int(bar))]
        for place in range(count)
    ]
    groove = _drum_bar(rng, bar, rng.choice((2, 4)))
    drums = [groove if (place + 1) % 8 else _fill(rng, bar) for place in range(count)]
    music.tracks = [
        SequenceTrack("Lead", INSTRUMENTS[81], _placed(melody, bar)),
        SequenceTrack("Chords", INSTRUMENTS[4], _placed(chords, bar)),
        SequenceTrack("Bass", INSTRUMENTS[33], _placed(bass, bar)),
        SequenceTrack("Drums", DRUMS, _placed(drums, bar)),
    ]
    if rng.random() < 0.6:
        half = count // 2 * bar
        music.tempos.append((half, music.tempos[0][1] + 20))
        music.tempos.append(((count - 1) * bar + 1, music.tempos[0][1] - 15))
    if rng.random() < 0.5:  # two bars of another metre at the end
        other = rng.choice((Fraction(3), Fraction(5), Fraction(7, 2)))
        end = count * bar
        music.time_signatures.append((end, *_METRES[other]))
        extra = [_melody_bar(rng, other, pitch, 7), _melody_bar(rng, other, pitch, 7)]
        music.tracks[0].notes += [
            SequenceNote(note.pitch, note.velocity, note.start + end, note.duration) for note in _placed(extra, other)
        ]
    return music


def _without_collisions(notes: list[SequenceNote]) -> list[SequenceNote]:
    """End each note where the next one of its pitch starts, as in a MIDI file."""
    found: list[SequenceNote] = []
    following: dict[int, Fraction] = {}
    for note in sorted(notes, key=lambda note: -note.start):
        limit = following.get(note.pitch)
        if limit is not None and note.start < limit < note.start + note.duration:
            note = SequenceNote(note.pitch, note.velocity, note.start, limit - note.start)
        following[note.pitch] = note.start
        found.append(note)
    return found[::-1]
