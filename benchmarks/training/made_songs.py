"""Make songs with known beats at all tempos, to check the choice of the beat's level.

Few songs with true beats can be had, and those have similar tempos. A made song has a tempo of one of `STYLES` and a
texture that fits it: what a listener takes for the beat depends on how long things last in seconds. The smallest
usual note lasts about 0.23 s and a chord about 2 s (`_fitting` chooses the fraction or the number of beats that comes
near), so a slow song has sixteenths where a fast one has eighths. Chords change after whole bars more often than
within. Bass and drums mark the bar, hats and broken chords the subdivision, and the tune is syncopated at the level of
its smallest notes. `MadeSong(number).load()` returns the sound and the truth.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from consort_audio.signals.recording import Mono
from evaluation.sounds.degrading import at_loudness
from evaluation.sounds.playing import DRUMS, SoundingNote, play
from evaluation.sounds.truth import TrueNote, Truth

SECONDS = 30.0
_LEAD_S = 0.2
_KICK, _SNARE, _STICK, _HAT, _OPEN_HAT, _RIDE = 36, 38, 37, 42, 46, 51
_SCALE = (0, 2, 4, 5, 7, 9, 11)
_LOOPS = ("0453", "0534", "5304", "3451", "0304", "5345", "0435", "3425", "1405", "0153", "5034", "0000", "5353")
"""Chords by degree of the major scale, counted from 0; a loop that begins with 5 is heard as minor."""


class SongStyle(NamedTuple):
    share: float
    bpm: float
    octaves: float
    """The usual tempo, and its standard deviation in octaves."""
    drums: float
    """The share of songs with drums."""
    programs: tuple[int, ...]
    """Of the accompaniment."""


STYLES = {
    "ballad": SongStyle(0.4, 72, 0.17, 0.3, (0, 0, 0, 4, 24, 25)),
    "pop": SongStyle(0.35, 108, 0.22, 0.6, (0, 0, 4, 25, 27)),
    "dance": SongStyle(0.15, 125, 0.08, 1.0, (0, 4, 81, 89)),
    "rock": SongStyle(0.1, 138, 0.2, 1.0, (27, 29, 30, 0)),
}
_LEADS = (0, 0, 73, 65, 40, 52, 80, 26)


class SongGrid(NamedTuple):
    """How the beats of a song divide."""

    beat_s: float
    beats_per_bar: int
    is_ternary: bool
    """The beat has three parts, as in 6/8 and 12/8."""

    def fractions(self) -> tuple[float, ...]:
        return (1.0, 1 / 3, 1 / 6) if self.is_ternary else (1.0, 0.5, 0.25)

    def strength(self, place: float) -> float:
        """Return how strong a place in beats after a bar line is in the metre, 0..1."""
        inside = place % self.beats_per_bar
        if abs(inside) < 1e-6:
            return 1.0
        if self.beats_per_bar == 4 and abs(inside - 2) < 1e-6:
            return 0.8
        if abs(inside - round(inside)) < 1e-6:
            return 0.6
        half = self.fractions()[1]
        return 0.35 if abs(inside / half - round(inside / half)) < 1e-6 else 0.1


@dataclass(frozen=True)
class MadeSong:
    number: int

    def load(self) -> tuple[Mono, Truth]:
        notes, truth = made_song(self.number)
        return at_loudness(play(notes, SECONDS + 1), -18), truth


def made_song(number: int) -> tuple[list[SoundingNote], Truth]:
    """Return the notes of the song with this number, and its beats, downbeats and tempo."""
    rng = random.Random(f"made song {number}")
    style = rng.choices(list(STYLES.values()), [each.share for each in STYLES.values()])[0]
    bpm = min(185.0, max(56.0, style.bpm * 2 ** rng.gauss(0, style.octaves)))
    metre = rng.choices([(4, False), (3, False), (2, True), (4, True)], [0.86, 0.05, 0.05, 0.04])[0]
    if metre[1]:
        bpm = min(bpm, rng.uniform(50, 90))
    grid = SongGrid(60 / bpm, *metre)
    offset = rng.uniform(0, grid.beats_per_bar)
    song = _Song(rng, grid, rng.randrange(12), offset, rng.uniform(0.002, 0.014))
    has_drums = rng.random() < style.drums
    chords = _chords(song)
    _accompany(song, chords, rng.choice(style.programs), has_bass=has_drums or rng.random() < 0.4)
    if rng.random() < 0.9:
        _sing(song, chords, rng.choice(_LEADS))
    if has_drums:
        _drum(song)
    return song.notes, _truth(song)


class _Song:
    def __init__(self, rng: random.Random, grid: SongGrid, tonic: int, offset: float, jitter: float) -> None:
        self.rng, self.grid, self.tonic, self.offset, self.jitter = rng, grid, tonic, offset, jitter
        self.notes: list[SoundingNote] = []
        self.beats = math.floor((SECONDS - 2 * _LEAD_S) / grid.beat_s + offset) + 1

    def seconds(self, place: float) -> float:
        """Return when a place in beats after the first bar line is. The clip begins within the first bar."""
        return _LEAD_S + (place - self.offset) * self.grid.beat_s

    def add(self, place: float, length: float, pitch: float, loudness: float, program: int) -> None:
        start = self.seconds(place) + self.rng.gauss(0, self.jitter)
        if start < 0.02 or start > SECONDS - _LEAD_S:
            return
        velocity = round(loudness + self.rng.gauss(0, 5))
        end = start + max(0.06, length * self.grid.beat_s - 0.02)
        self.notes.append(SoundingNote(start, end, pitch, max(25, min(120, velocity)), program))


def _truth(song: _Song) -> Truth:
    places = [place for place in range(song.beats) if song.seconds(place) >= _LEAD_S - 0.01]
    truth = Truth(instrument="song", bpm=60 / song.grid.beat_s, is_steady=True)
    truth.beats = [song.seconds(place) for place in places]
    truth.downbeats = [song.seconds(place) for place in places if place % song.grid.beats_per_bar == 0]
    pitched = sorted(note for note in song.notes if note.program != DRUMS)
    truth.notes = [TrueNote(note.start, note.end, note.pitch, note.velocity) for note in pitched]
    return truth


def _fitting(
    song: _Song, choices: Sequence[float], usual_s: float, octaves: float, shares: Sequence[float] = ()
) -> float:
    """Return one of the lengths in beats; those that last about `usual_s` are more probable."""
    weights = [
        share * math.exp(-0.5 * (math.log2(length * song.grid.beat_s / usual_s) / octaves) ** 2)
        for length, share in zip(choices, shares or [1.0] * len(choices), strict=True)
    ]
    return song.rng.choices(choices, weights)[0]


class _SongChord(NamedTuple):
    place: float
    length: float
    root: int
    tones: tuple[int, ...]
    """Pitch classes."""


def _chords(song: _Song) -> list[_SongChord]:
    bar = song.grid.beats_per_bar
    usual = _fitting(song, [bar / 2, bar, 2 * bar], 2.1, 0.6, [0.35, 1.0, 0.15])
    loop = song.rng.choice(_LOOPS)
    found: list[_SongChord] = []
    place = 0.0
    while place < song.beats:
        degree = int(loop[len(found) % len(loop)])
        tones = tuple((song.tonic + _SCALE[(degree + step) % 7]) % 12 for step in (0, 2, 4))
        length = usual
        if song.rng.random() < 0.1 and usual >= bar:
            length = usual / 2
            found.append(_SongChord(place, length, tones[0], tones))
            place += length
            tones = tuple((song.tonic + _SCALE[(degree + 4 + step) % 7]) % 12 for step in (0, 2, 4))
        found.append(_SongChord(place, length, tones[0], tones))
        place += length
    return found


def _above(pitch_class: int, lowest: int) -> int:
    return lowest + (pitch_class - lowest) % 12


def _accompany(song: _Song, chords: list[_SongChord], program: int, has_bass: bool) -> None:
    """Add chords in one of some patterns, and a bass that marks chords, bars or halves of bars."""
    rng, grid = song.rng, song.grid
    step = _fitting(song, grid.fractions(), 0.28, 0.5)
    pattern = rng.choices(["broken", "held", "repeated", "off the beat"], [0.5, 0.2, 0.2, 0.1])[0]
    bass_every = _fitting(song, [grid.beats_per_bar, 2.0, 1.0, 0.5], 1.1, 0.7, [0.6, 1.0, 0.5, 0.15])
    shape = rng.choice([(0, 1, 2, 1), (0, 1, 2, 3), (0, 2, 1, 2), (0, 2, 3, 2), (0, 1, 2, 3, 2, 1)])
    loudness = rng.uniform(52, 75)
    for chord in chords:
        pitches = sorted(_above(tone, 52) for tone in chord.tones)
        spread = [_above(chord.root, 43), *pitches]
        places = [chord.place + step * number for number in range(round(chord.length / step))]
        for number, place in enumerate(places):
            level = loudness + 16 * (grid.strength(place) - 0.5)
            if pattern == "broken":
                song.add(place, 2 * step, spread[shape[number % len(shape)]], level, program)
            elif pattern == "held" and number == 0:
                for pitch in pitches:
                    song.add(place, chord.length, pitch, level, program)
            elif pattern == "repeated" and rng.random() < 0.92:
                for pitch in pitches:
                    song.add(place, 0.9 * step, pitch, level, program)
            elif pattern == "off the beat" and number % 2:
                for pitch in pitches:
                    song.add(place, 0.6 * step, pitch, level, program)
        place = chord.place
        while place < chord.place + chord.length - 1e-6:
            length = min(bass_every, chord.place + chord.length - place)
            low = _above(chord.root, 36 if has_bass else 40)
            is_fifth = rng.random() < 0.25 and place > chord.place
            song.add(place, length, low + (7 if is_fifth else 0), loudness + 12, 33 if has_bass else program)
            place += length


def _sing(song: _Song, chords: list[_SongChord], program: int) -> None:
    """Add a tune: phrases of two or four bars with a rest at the end, whose rhythm returns in the next phrase."""
    rng, grid = song.rng, song.grid
    unit = _fitting(song, grid.fractions()[1:], 0.23, 0.4)
    bars = _fitting(song, [2.0 * grid.beats_per_bar, 4.0 * grid.beats_per_bar], 6.0, 0.7)
    fullness, syncopation = rng.uniform(0.35, 0.75), rng.uniform(0.0, 0.6)
    rhythm: list[float] = []
    pitch, place = _above(song.tonic, 64), 0.0
    while place < song.beats:
        if not rhythm or rng.random() < 0.4:
            rhythm = _phrase_rhythm(song, bars, unit, fullness, syncopation)
        ends = [*rhythm[1:], rhythm[-1] + 1.5]
        for start, end in zip(rhythm, ends, strict=True):
            chord = [each for each in chords if each.place <= place + start + 1e-6][-1]
            pitch = _next_pitch(song, pitch, chord, is_strong=grid.strength(place + start) >= 0.6)
            level = 88 + 10 * (grid.strength(place + start) - 0.5)
            song.add(place + start, min(end - start, 2.0), pitch, level, program)
        place += bars


def _phrase_rhythm(song: _Song, length: float, unit: float, fullness: float, syncopation: float) -> list[float]:
    """Return the places of notes. A syncopated phrase has notes before strong places instead of on them."""
    rng = song.rng
    sung = length * rng.uniform(0.6, 0.9)
    found = []
    for number in range(round(sung / unit)):
        place = number * unit
        strength = song.grid.strength(place)
        if rng.random() < min(0.97, fullness * (0.55 + 0.75 * strength)):
            is_early = strength >= 0.6 and number > 0 and rng.random() < syncopation
            found.append(place - unit if is_early else place)
    return sorted(set(found)) or [0.0]


def _next_pitch(song: _Song, pitch: int, chord: _SongChord, is_strong: bool) -> int:
    notes = chord.tones if is_strong else tuple((song.tonic + step) % 12 for step in _SCALE)
    near = [each for each in range(57, 82) if each % 12 in notes and abs(each - pitch) <= 7]
    return song.rng.choices(near, [math.exp(-abs(each - pitch) / 2.5) for each in near])[0] if near else 67


def _drum(song: _Song) -> None:
    """Add kick and snare that mark the beats, and hats that divide them."""
    rng, grid = song.rng, song.grid
    hat_step = _fitting(song, grid.fractions(), 0.25, 0.45)
    hat = rng.choice([_HAT, _HAT, _RIDE, 70])
    snare = _STICK if grid.beat_s > 0.7 and rng.random() < 0.5 else _SNARE
    on_four = rng.random() < (0.7 if 0.44 < grid.beat_s < 0.52 else 0.1)
    half = grid.fractions()[1]
    bar = grid.beats_per_bar
    kicks = {0.0} | {place for place in (2 - half, 2.0, 2 + half, 3 + half) if place < bar and rng.random() < 0.4}
    if on_four:
        kicks = {float(beat) for beat in range(bar)}
    snares = {1.0, 3.0} if bar == 4 else {1.0, 2.0} if bar == 3 else {1.0}
    for line in range(0, song.beats, bar):
        for place in kicks:
            song.add(line + place, 0.3, _KICK, 95, DRUMS)
        for place in snares:
            song.add(line + place, 0.3, snare, 92, DRUMS)
        for number in range(round(bar / hat_step)):
            place = line + number * hat_step
            kind = _OPEN_HAT if on_four and abs(place % 1 - half) < 1e-6 and hat == _HAT else hat
            song.add(place, 0.15, kind, 58 + 22 * grid.strength(place), DRUMS)
