"""Choose an excerpt of a piece and a tempo, and put it into the range of an instrument."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

from evaluation.sounds.conditions import CLIP_S, LOUDNESS, ROOM_S, SNR_DB, TEMPOS, SoundInstrument
from evaluation.sounds.pieces import TONIC_NAMES, Piece
from evaluation.sounds.playing import SoundingNote
from evaluation.sounds.tempo_clock import TempoClock
from evaluation.sounds.truth import Truth

LEAD_S = (0.1, 0.8)
"""The silence before the music."""
_SHORTEST_NOTE_S = 0.12


@dataclass
class SoundPlan:
    """What to play, what is true of it, and what is done to the sound afterwards."""

    notes: list[SoundingNote]
    truth: Truth
    snr_db: float | None = None
    room_s: float | None = None
    loudness: float | None = -20.0
    """In LUFS. None: the level stays as it is."""
    in_tune: bool = False
    """Whether the soundfont's own tuning is corrected, so that the pitches are true to the cent."""
    timbre: str | None = None
    """One of `partials.TIMBRES`, which plays the notes instead of the soundfont."""
    levels_db: list[tuple[float, float]] = field(default_factory=list)
    """From this time on, the level is changed by so many dB."""


@dataclass(frozen=True)
class Excerpt:
    piece: Piece
    """The notes of the excerpt, transposed; bar 1 may begin later than 0."""
    bpm: float
    start: float
    """In quarters: the first note or the first whole bar, whichever is earlier."""
    end: float

    @property
    def bar_lines(self) -> list[float]:
        first = -(-self.start // self.piece.bar) * self.piece.bar
        return _steps(first, self.end, self.piece.bar)

    @property
    def beats(self) -> list[float]:
        first = -(-self.start // self.piece.beat) * self.piece.beat
        return _steps(first, self.end, self.piece.beat)


def _steps(first: float, end: float, step: float) -> list[float]:
    return [first + number * step for number in range(int((end - first - 1e-6) / step) + 1)] if end > first else []


def choose_tempo(rng: random.Random, piece: Piece, given: float | None = None) -> float:
    """Return beats per minute at which the short notes of the piece last at least 120 ms."""
    fastest = 60 * piece.shortest / piece.beat / _SHORTEST_NOTE_S
    wanted = given if given is not None else TEMPOS[0] * (TEMPOS[1] / TEMPOS[0]) ** rng.random()
    return max(TEMPOS[0], min(wanted, fastest))


def excerpt(
    rng: random.Random, piece: Piece, bpm: float, shift: int, from_end: bool = False, clip_s: float | None = None
) -> Excerpt:
    """Return whole bars from the start of the piece, or up to its end, transposed by `shift` semitones."""
    seconds = clip_s if clip_s is not None else rng.uniform(*CLIP_S)
    bar_s = piece.bar / piece.beat * 60 / bpm
    bars = max(2, round(seconds / bar_s))
    if from_end:
        end = piece.end
        start = max(-(-end // piece.bar) * piece.bar - bars * piece.bar, min(note.onset for note in piece.notes))
    else:
        start = min(note.onset for note in piece.notes)
        end = min(bars * piece.bar, piece.end)
    inside = tuple(
        note._replace(midi=note.midi + shift, duration=min(note.duration, end - note.onset))
        for note in piece.notes
        if start - 1e-6 <= note.onset < end - 1e-6
    )
    tonic = None if piece.tonic is None else (piece.tonic + shift) % 12
    first = min(0.0, start) if not from_end else start
    return Excerpt(replace(piece, notes=inside, tonic=tonic), bpm, first, end)


def shift_into(rng: random.Random, piece: Piece, instrument: SoundInstrument) -> int:
    """Return a transposition that puts the piece into the range of an instrument."""
    low, high = min(note.midi for note in piece.notes), max(note.midi for note in piece.notes)
    least, most = instrument.lowest - low, instrument.highest - high
    return rng.randint(least, most) if least <= most else (least + most) // 2


def key_name(piece: Piece) -> str | None:
    return None if piece.tonic is None else f"{TONIC_NAMES[piece.tonic]} {piece.mode}"


def grid_truth(part: Excerpt, clock: TempoClock) -> Truth:
    """Return the beats, bars, tempo and key of an excerpt."""
    truth = Truth(bpm=part.bpm, is_steady=True, key=key_name(part.piece))
    truth.beats = [clock.seconds(place) for place in part.beats]
    truth.downbeats = [clock.seconds(place) for place in part.bar_lines]
    truth.bar_s = part.piece.bar / part.piece.beat * 60 / part.bpm
    truth.labels = {"piece": part.piece.name, "metre": part.piece.metre}
    return truth


def conditions(rng: random.Random) -> dict[str, Any]:
    """Return noise, room and level of a plan."""
    return {"snr_db": rng.choice(SNR_DB), "room_s": rng.choice(ROOM_S), "loudness": rng.uniform(*LOUDNESS)}
