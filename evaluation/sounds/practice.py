"""Takes of exercises and tunes with injected mistakes, and takes without any, at another tempo than the reference."""

import random

from evaluation.sounds.conditions import (
    FAULT_SIZES,
    FAULTS,
    INSTRUMENTS,
    PRACTICE_TEMPO_RATIOS,
    TOLERATED,
)
from evaluation.sounds.excerpts import SoundPlan, choose_tempo, excerpt, shift_into
from evaluation.sounds.pieces import pieces
from evaluation.sounds.playing import SoundingNote
from evaluation.sounds.truth import TrueFault, TrueNote, Truth

TAKE_INSTRUMENTS = (
    "flute", "clarinet", "trumpet", "horn", "violin", "cello", "oboe", "alto sax", "choir", "recorder", "piano",
    "nylon guitar",
)  # fmt: skip
PATTERNS = {
    "major scale": (0, 2, 4, 5, 7, 9, 11, 12, 11, 9, 7, 5, 4, 2, 0),
    "minor scale": (0, 2, 3, 5, 7, 8, 11, 12, 11, 8, 7, 5, 3, 2, 0),
    "major arpeggio": (0, 4, 7, 12, 16, 12, 7, 4, 0, 4, 7, 12, 7, 4, 0),
    "minor arpeggio": (0, 3, 7, 12, 15, 12, 7, 3, 0, 3, 7, 12, 7, 3, 0),
    "thirds": (0, 4, 2, 5, 4, 7, 5, 9, 7, 11, 9, 12, 11, 14, 12),
    "fifths": (0, 7, 2, 9, 4, 11, 5, 12, 7, 14, 5, 12, 4, 11, 0),
}
_START_S = (0.2, 2.0)
"""The silence before the take."""


class Take:
    """The notes of a take, one for each note of the reference, which faults then change."""

    def __init__(self, reference: list[TrueNote], ratio: float, start: float) -> None:
        self.ratio = ratio
        first = reference[0].start
        self.rows: list[TrueNote | None] = [
            TrueNote(
                start + (note.start - first) / ratio,
                start + (note.end - first) / ratio,
                note.pitch,
                note.velocity,
            )
            for note in reference
        ]
        self.planned = [note for note in self.rows if note is not None]
        self.extras: list[TrueNote] = []
        self.faults: list[TrueFault] = []

    def move_after(self, index: int, seconds: float) -> None:
        """Move all notes from `index` on, and what has been said about them."""
        limit = self.planned[index].start - 1e-6
        for place in range(index, len(self.rows)):
            row = self.rows[place]
            self.planned[place] = _moved(self.planned[place], seconds)
            self.rows[place] = None if row is None else _moved(row, seconds)
        self.extras = [_moved(note, seconds) if note.start > limit else note for note in self.extras]
        self.faults = [
            fault._replace(time=fault.time + seconds) if fault.time > limit - 0.05 else fault for fault in self.faults
        ]

    @property
    def notes(self) -> list[TrueNote]:
        return sorted([*(row for row in self.rows if row is not None), *self.extras])


def _moved(note: TrueNote, seconds: float) -> TrueNote:
    return note._replace(start=note.start + seconds, end=note.end + seconds)


def practice(rng: random.Random, split: str, number: int) -> SoundPlan:
    """A take with one to three faults; the first kind depends on the number, so that every kind is there as often."""
    return _take(rng, split, number)


def noisy(rng: random.Random, split: str, number: int) -> SoundPlan:
    """The take of `practice` with the same number, with noise and a room. `rng` must be that of `practice`."""
    plan = _take(rng, split, number)
    after = random.Random(f"noise {split} {number}")
    plan.snr_db, plan.room_s = after.choice([20.0, 25.0, 30.0]), after.choice([0.3, 0.5, 0.7])
    return plan


def flawless(rng: random.Random, split: str, number: int) -> SoundPlan:
    """The take of `practice` with the same number, without its faults. `rng` must be that of `practice`."""
    return _take(rng, split, number, faults=False)


def perfect(rng: random.Random, split: str, number: int) -> SoundPlan:
    """A take exactly as written, at another tempo."""
    return _take(rng, split, number, faults=False)


def humanised(rng: random.Random, split: str, number: int) -> SoundPlan:
    """A take with small deviations that are no faults."""
    plan = _take(rng, split, number, faults=False)
    notes = []
    for note in plan.notes:
        start = note.start + max(-1.0, min(1.0, rng.gauss(0, 0.5))) * TOLERATED["timing ms"] / 1000
        end = start + (note.end - note.start) * rng.uniform(TOLERATED["length share"], 1.0)
        pitch = note.pitch + max(-1.0, min(1.0, rng.gauss(0, 0.5))) * TOLERATED["cents"] / 100
        notes.append(note._replace(start=start, end=end, pitch=pitch, velocity=note.velocity + rng.randint(-8, 8)))
    plan.notes = [
        note._replace(end=min(note.end, after)) for note, after in zip(notes, _next_starts(notes), strict=True)
    ]
    plan.truth.notes = [TrueNote(note.start, note.end, note.pitch, note.velocity) for note in plan.notes]
    plan.truth.onsets = [note.start for note in plan.notes]
    return plan


def _next_starts(notes: list[SoundingNote]) -> list[float]:
    return [note.start for note in notes[1:]] + [float("inf")]


def _take(rng: random.Random, split: str, number: int, faults: bool = True) -> SoundPlan:
    name = TAKE_INSTRUMENTS[number % len(TAKE_INSTRUMENTS)]
    instrument = INSTRUMENTS[name]
    reference, bpm, label = _exercise(rng, name) if rng.random() < 0.5 else _tune(rng, split, name)
    fastest = min(note.end - note.start for note in reference) / 0.9 / 0.22
    ratio = min(rng.uniform(*PRACTICE_TEMPO_RATIOS), fastest)
    start = rng.uniform(*_START_S)
    kinds = [FAULTS[number % len(FAULTS)], *rng.sample(FAULTS, rng.choice([0, 1, 2]))] if faults else []
    take = make_take(rng, reference, ratio, start, list(dict.fromkeys(kinds)), name)
    cents = rng.choice([0.0, 0.0, rng.uniform(-20, 20)]) if faults else 0.0
    sounding = [
        SoundingNote(note.start, note.end, note.pitch + cents / 100, note.velocity, instrument.program)
        for note in take.notes
    ]
    sounding = [
        note._replace(end=min(note.end, after)) for note, after in zip(sounding, _next_starts(sounding), strict=True)
    ]
    truth = Truth(instrument=name, tuning_cents=cents, reference=reference, reference_bpm=bpm, bpm=bpm * ratio)
    truth.notes = [TrueNote(note.start, note.end, note.pitch, note.velocity) for note in sounding]
    truth.onsets = [note.start for note in sounding]
    truth.faults = sorted(take.faults, key=lambda fault: fault.time)
    truth.labels = {"reference": label, "ratio": ratio, "soft attack": instrument.has_soft_attack}
    return SoundPlan(sounding, truth, loudness=rng.uniform(-26, -16), in_tune=True)


def _exercise(rng: random.Random, name: str) -> tuple[list[TrueNote], float, str]:
    label = rng.choice(sorted(PATTERNS))
    pattern = PATTERNS[label]
    instrument = INSTRUMENTS[name]
    tonic = rng.randint(instrument.lowest, instrument.highest - max(pattern))
    bpm = rng.uniform(60, 140)
    step = 60 / bpm
    return [TrueNote(k * step, (k + 0.9) * step, tonic + tone) for k, tone in enumerate(pattern)], bpm, label


def _tune(rng: random.Random, split: str, name: str) -> tuple[list[TrueNote], float, str]:
    instrument = INSTRUMENTS[name]
    piece = rng.choice(pieces(split, "tunes"))
    bpm = choose_tempo(rng, piece)
    part = excerpt(rng, piece, bpm, shift_into(rng, piece, instrument), clip_s=12)
    quarter = 60 / bpm / piece.beat
    first = part.piece.notes[0].onset
    rows = sorted(part.piece.notes)
    after = [note.onset for note in rows[1:]] + [float("inf")]
    notes = [
        TrueNote(
            (note.onset - first) * quarter,
            (note.onset - first + 0.9 * min(note.duration, end - note.onset)) * quarter,
            note.midi,
        )
        for note, end in zip(rows, after, strict=True)
        if end > note.onset
    ]
    return notes, bpm, piece.name


def make_take(
    rng: random.Random, reference: list[TrueNote], ratio: float, start: float, kinds: list[str], name: str
) -> Take:
    """Return a take that begins at `start` seconds, is `ratio` times as fast as the reference, and has these faults."""
    take = Take(reference, ratio, start)
    _inject(rng, take, kinds, name)
    return take


def _inject(rng: random.Random, take: Take, kinds: list[str], name: str) -> None:
    """Change the take. Faults are at least three notes apart; the first and the last two notes stay right."""
    free = set(range(2, len(take.rows) - 2))
    for kind in sorted(kinds, key=lambda kind: kind == "restart"):  # a restart moves what follows it
        options = [place for place in sorted(free) if _is_possible(take, place, kind, name)]
        if not options:
            kind, options = "wrong", sorted(free)
        if not options:
            continue
        place = rng.choice(options)
        free -= set(range(place - 4 if kind == "restart" else place - 2, place + 3))
        _INJECTORS[kind](rng, take, place)


def _is_possible(take: Take, place: int, kind: str, name: str) -> bool:
    note, after = take.planned[place], take.planned[place + 1]
    if kind == "flat":
        return name not in ("piano", "nylon guitar")
    if kind == "extra":
        return after.start - note.start > 0.5
    if kind == "missing":
        return take.planned[place - 1].pitch != note.pitch != after.pitch
    if kind == "late":
        return after.start - note.start > 0.3 and note.start - take.planned[place - 1].start > 0.3
    if kind == "short":
        return note.end - note.start > 0.35
    if kind == "restart":
        return take.rows[max(place - 4, 0) : place] == take.planned[max(place - 4, 0) : place]
    return True


def _wrong(rng: random.Random, take: Take, place: int) -> None:
    note = take.planned[place]
    neighbours = {take.planned[place - 1].pitch, take.planned[place + 1].pitch}
    moves = [move for move in FAULT_SIZES["wrong semitones"] if note.pitch + move not in neighbours]
    played = note._replace(pitch=note.pitch + rng.choice(moves))
    take.rows[place] = played
    take.faults.append(TrueFault("wrong", note.start, note.pitch, played.pitch))


def _missing(rng: random.Random, take: Take, place: int) -> None:
    note = take.planned[place]
    take.rows[place] = None
    take.faults.append(TrueFault("missing", note.start, note.pitch, None))


def _extra(rng: random.Random, take: Take, place: int) -> None:
    """Put a note into the second half of a note."""
    note, after = take.planned[place], take.planned[place + 1]
    middle = (note.start + after.start) / 2
    pitch = note.pitch + rng.choice([move for move in (-2, -1, 1, 2, 3) if note.pitch + move != after.pitch])
    take.rows[place] = note._replace(end=min(note.end, middle))
    take.extras.append(TrueNote(middle, after.start - 0.04, pitch))
    take.faults.append(TrueFault("extra", middle, None, pitch))


def _late(rng: random.Random, take: Take, place: int) -> None:
    note, before = take.planned[place], take.planned[place - 1]
    low, high = FAULT_SIZES["late or early ms"]
    room = min(note.end - note.start, note.start - before.start) * 0.6
    seconds = min(rng.uniform(low, high) / 1000, max(room, low / 1000))
    if rng.random() < 0.5:
        seconds = -seconds
        row = take.rows[place - 1]
        if row is not None:
            take.rows[place - 1] = row._replace(end=min(row.end, note.start + seconds))
    take.rows[place] = note._replace(start=note.start + seconds)
    kind = "late" if seconds > 0 else "early"
    take.faults.append(TrueFault(kind, note.start + seconds, note.pitch, note.pitch))


def _flat(rng: random.Random, take: Take, place: int) -> None:
    note = take.planned[place]
    cents = rng.uniform(*FAULT_SIZES["flat or sharp cents"]) * rng.choice([-1, 1])
    take.rows[place] = note._replace(pitch=note.pitch + cents / 100)
    take.faults.append(TrueFault("flat" if cents < 0 else "sharp", note.start, note.pitch, note.pitch + cents / 100))


def _short(rng: random.Random, take: Take, place: int) -> None:
    note = take.planned[place]
    share = rng.uniform(*FAULT_SIZES["short share of the note"])
    take.rows[place] = note._replace(end=note.start + max(share * (note.end - note.start), 0.09))
    take.faults.append(TrueFault("short", note.start, note.pitch, note.pitch))


def _restart(rng: random.Random, take: Take, place: int) -> None:
    """Stop before `place`, go back one to four notes after a pause, and play on."""
    back = max(0, place - rng.randint(1, 4))
    pause = rng.uniform(0.4, 1.0)
    again = take.planned[place].start + pause
    repeated = [_moved(note, again - take.planned[back].start) for note in take.planned[back:place]]
    take.move_after(place, again - take.planned[back].start)
    take.extras += repeated
    take.faults.append(TrueFault("restart", again, None, None))


_INJECTORS = {
    "wrong": _wrong,
    "missing": _missing,
    "extra": _extra,
    "late": _late,
    "flat": _flat,
    "short": _short,
    "restart": _restart,
}
