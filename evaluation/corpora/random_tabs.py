"""Random pieces for fretted instruments, made by a hand that walks along the neck, so that each can be played.

A piece is a melody, a row of chords or a fingerstyle texture (a bass below broken chords). The checker of
`evaluation.checkers.tabs` rejects a piece that breaks its rules, and another is made.
"""

import random
from dataclasses import dataclass

from evaluation.checkers.tabs import CheckedFretboard, CheckedTabNote, tab_faults

_GUITAR = (64, 59, 55, 50, 45, 40)
_HAND_MM = 100.0


@dataclass(frozen=True)
class RandomTab:
    """A piece with the places of the hand that made it. `instrument`, `tuning` and `capo` are those of the engine."""

    name: str
    instrument: str
    tuning: str
    capo: int
    board: CheckedFretboard
    notes: list[CheckedTabNote]


def _with_capo(pitches: tuple[int, ...], capo: int) -> tuple[int, ...]:
    return tuple(pitch + capo for pitch in pitches)


BOARDS: tuple[tuple[str, str, int, CheckedFretboard], ...] = (
    ("guitar", "standard", 0, CheckedFretboard(_GUITAR, 650, 24)),
    ("guitar", "drop D", 0, CheckedFretboard((64, 59, 55, 50, 45, 38), 650, 24)),
    ("guitar", "DADGAD", 3, CheckedFretboard(_with_capo((62, 57, 55, 50, 45, 38), 3), 650, 24, 3)),
    ("7-string guitar", "standard", 0, CheckedFretboard((*_GUITAR, 35), 650, 24)),
    ("8-string guitar", "standard", 0, CheckedFretboard((*_GUITAR, 35, 30), 686, 24)),
    ("bass", "standard", 0, CheckedFretboard((43, 38, 33, 28), 864, 24)),
    ("bass", "5-string", 0, CheckedFretboard((43, 38, 33, 28, 23), 864, 24)),
    ("6-string bass", "standard", 0, CheckedFretboard((48, 43, 38, 33, 28, 23), 864, 24)),
    ("ukulele", "standard", 0, CheckedFretboard((69, 64, 60, 67), 380, 18)),
    ("ukulele", "low G", 0, CheckedFretboard((69, 64, 60, 55), 380, 18)),
    ("banjo", "open G", 0, CheckedFretboard((62, 59, 55, 50, 67), 670, 22, 0, (0, 0, 0, 0, 5))),
    ("mandolin", "standard", 0, CheckedFretboard((76, 69, 62, 55), 350, 20)),
)
TEXTURES = ("melody", "chords", "fingerstyle")


def random_tabs(count: int, seed: int = 1) -> list[RandomTab]:
    """Return random pieces; instruments and textures take turns."""
    return [random_tab(number, seed) for number in range(count)]


def random_tab(number: int, seed: int = 1) -> RandomTab:
    rng = random.Random(1_000_003 * seed + number)
    instrument, tuning, capo, board = BOARDS[number % len(BOARDS)]
    texture = TEXTURES[number // len(BOARDS) % len(TEXTURES)]
    while True:
        notes = _Player(rng, board).play(texture, events=rng.randint(12, 40))
        if not tab_faults(board, notes):
            return RandomTab(f"{texture} for {instrument}, {tuning}", instrument, tuning, capo, board, notes)


class _Player:
    def __init__(self, rng: random.Random, board: CheckedFretboard) -> None:
        self._rng = rng
        self._board = board
        self._strings = len(board.open_pitches)
        self._position = rng.randint(1, 7)
        self._beat = 60 / rng.randint(60, 160)

    def play(self, texture: str, events: int) -> list[CheckedTabNote]:
        notes: list[CheckedTabNote] = []
        now = 0.0
        while len(notes) < events:
            length = self._beat * self._rng.choice((0.5, 0.5, 1.0, 2.0))
            if self._rng.random() < 0.2:
                self._position = max(1, min(9, self._position + self._rng.randint(-3, 3)))
            if texture == "melody":
                notes.append(self._note(now, length, self._rng.randint(1, self._strings)))
            elif texture == "chords":
                count = self._rng.randint(2, min(5, self._strings))
                strings = self._rng.sample(range(1, self._strings + 1), count)
                notes += [self._note(now, 2 * length, string) for string in strings]
                length *= 2
            else:
                length = 2 * self._beat
                strings = self._rng.sample(range(1, self._strings + 1), min(4, self._strings))
                bass = max(strings)
                notes.append(self._note(now, length, bass))
                upper = [string for string in strings if string != bass]
                # Each note rings until the end of the bar.
                notes += [
                    self._note(now + length * index / 4, length * (4 - index) / 4, string)
                    for index, string in enumerate(upper)
                ]
            now += length
        return notes

    def _note(self, start: float, duration: float, string: int) -> CheckedTabNote:
        """Return a note on a string, open or under the hand."""
        board = self._board
        frets = [
            fret
            for fret in range(self._position, board.frets - board.capo + 1)
            if board.distance(fret) - board.distance(self._position) <= _HAND_MM and fret - self._position <= 6
        ]
        frets = [fret for fret in frets if board.sounds(string, fret) is not None]
        fret = self._rng.choice(frets) if frets and self._rng.random() < 0.8 else 0
        pitch = board.sounds(string, fret)
        assert pitch is not None
        return CheckedTabNote(start, duration, pitch, string, fret)
