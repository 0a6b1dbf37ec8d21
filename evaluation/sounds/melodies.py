"""One voice: tunes on one instrument, with detuning, vibrato, articulation, dynamics and phrases."""

import random
from collections.abc import Mapping

from evaluation.sounds.conditions import (
    DETUNING_CENTS,
    JITTER_MS,
    LOUDNESS,
    MIX,
    PLUCKED,
    SUSTAINED,
    SoundInstrument,
)
from evaluation.sounds.excerpts import (
    LEAD_S,
    Excerpt,
    SoundPlan,
    choose_tempo,
    conditions,
    excerpt,
    grid_truth,
    shift_into,
)
from evaluation.sounds.partials import TIMBRES
from evaluation.sounds.pieces import Piece, PieceNote, pieces
from evaluation.sounds.playing import SoundingNote
from evaluation.sounds.tempo_clock import TempoClock
from evaluation.sounds.truth import TrueNote

LEGATO_SHARE, NORMAL_SHARE, STACCATO_SHARE = (0.98, 1.03), (0.82, 0.93), (0.3, 0.42)
"""The part of the time to the next note during which a note is held."""


def melody(rng: random.Random, split: str) -> SoundPlan:
    return tune(rng, split, SUSTAINED)


def plucked(rng: random.Random, split: str) -> SoundPlan:
    return tune(rng, split, PLUCKED)


def tuning(rng: random.Random, split: str) -> SoundPlan:
    """A tune that is out of tune by a known number of cents, without noise; half of them with vibrato.

    The notes are sums of partials: the samples of a soundfont change their pitch by ten cents within a note.
    """
    cents = rng.choice([-20.0, 20.0, round(rng.uniform(*DETUNING_CENTS), 1)])
    plan = tune(rng, split, SUSTAINED | {"nylon guitar": PLUCKED["nylon guitar"]}, cents, rng.random() < 0.5)
    plan.snr_db, plan.room_s = None, None
    timbre = rng.choice(sorted(TIMBRES))
    plan.timbre, plan.truth.instrument = timbre, f"partials like a {timbre}"
    return plan


def tune(
    rng: random.Random,
    split: str,
    instruments: Mapping[str, SoundInstrument],
    cents: float | None = None,
    has_vibrato: bool | None = None,
) -> SoundPlan:
    """Return a tune on one of these instruments. If `has_vibrato` is None, some instruments of `SUSTAINED` have it."""
    name = rng.choice(sorted(instruments))
    instrument = instruments[name]
    part = _tune_excerpt(rng, split, instrument)
    clock = TempoClock(part.bpm, part.piece.beat, part.start, part.end, lead_s=rng.uniform(*LEAD_S))
    share = STACCATO_SHARE if rng.random() < MIX["staccato"] else rng.choice([LEGATO_SHARE, NORMAL_SHARE])
    if has_vibrato is None:
        has_vibrato = name in SUSTAINED and rng.random() < MIX["vibrato"]
    plan = one_voice(
        rng,
        part,
        clock,
        name,
        instrument,
        cents=round(rng.uniform(*DETUNING_CENTS), 1) if cents is None else cents,
        has_vibrato=has_vibrato,
        shares=[rng.uniform(*share) for _ in part.piece.notes],
        jitter_ms=rng.uniform(*JITTER_MS),
        has_dynamics=rng.random() < MIX["dynamics"],
    )
    for label, value in conditions(rng).items():
        setattr(plan, label, value)
    return plan


def _tune_excerpt(rng: random.Random, split: str, instrument: SoundInstrument) -> Excerpt:
    piece = rng.choice(pieces(split, "tunes"))
    return excerpt(rng, piece, choose_tempo(rng, piece), shift_into(rng, piece, instrument))


def one_voice(
    rng: random.Random,
    part: Excerpt,
    clock: TempoClock,
    name: str,
    instrument: SoundInstrument,
    cents: float = 0.0,
    has_vibrato: bool = False,
    shares: list[float] | None = None,
    jitter_ms: float = 0.0,
    has_dynamics: bool = False,
) -> SoundPlan:
    """Return a plan in which one instrument plays the excerpt. `shares` are the held parts of the notes."""
    written = _without_overlap(part.piece.notes)
    starts = [clock.seconds(note.onset) + _jitter(rng, jitter_ms) for note in written]
    starts = [max(start, 0.02) for start in starts]
    notes, labels = [], []
    for index, note in enumerate(written):
        share = shares[index] if shares is not None else 0.9
        written_end = clock.seconds(note.onset + note.duration, before_pause=True)
        held = (written_end - starts[index]) * share
        end = starts[index] + max(held, 0.05)
        if index + 1 < len(written):
            end = min(end, starts[index + 1] + 0.02) if share > 0.97 else min(end, starts[index + 1])
        velocity = _velocity(rng, note.onset, part, has_dynamics)
        notes.append(
            SoundingNote(starts[index], end, note.midi + cents / 100, velocity, instrument.program, has_vibrato)
        )
        labels.append("staccato" if share < 0.5 else "legato")
    truth = grid_truth(part, clock)
    truth.instrument = name
    truth.notes = [TrueNote(note.start, note.end, note.pitch, note.velocity) for note in notes]
    truth.onsets = sorted(note.start for note in notes)
    truth.tuning_cents = cents
    truth.has_vibrato = has_vibrato
    truth.articulations = labels
    truth.labels |= {"jitter_ms": jitter_ms, "soft attack": instrument.has_soft_attack}
    return SoundPlan(notes, truth)


def _without_overlap(notes: tuple[PieceNote, ...]) -> list[PieceNote]:
    """Return one note at a time: the highest of those that begin together, cut where the next one begins."""
    tops: dict[float, PieceNote] = {}
    for note in notes:
        if note.onset not in tops or note.midi > tops[note.onset].midi:
            tops[note.onset] = note
    row = [tops[onset] for onset in sorted(tops)]
    after = [note.onset for note in row[1:]] + [float("inf")]
    return [note._replace(duration=min(note.duration, end - note.onset)) for note, end in zip(row, after, strict=True)]


def _jitter(rng: random.Random, jitter_ms: float) -> float:
    return max(-2.0, min(2.0, rng.gauss(0, 1))) * jitter_ms / 1000


def _velocity(rng: random.Random, place: float, part: Excerpt, has_dynamics: bool) -> int:
    level = 82.0 + rng.uniform(-6, 6)
    if has_dynamics:
        middle = (part.start + part.end) / 2
        level += 25 * (1 - abs(place - middle) / max(middle - part.start, 1)) - 15
    if abs(place % part.piece.bar) < 1e-6:
        level += 6
    return round(max(30, min(120, level)))


def phrases(rng: random.Random, split: str) -> SoundPlan:
    """A tune with a breath after each phrase: two or four bars, played softer towards the end."""
    name = rng.choice(sorted(SUSTAINED | PLUCKED))
    instrument = (SUSTAINED | PLUCKED)[name]
    while True:
        part = _tune_excerpt(rng, split, instrument)
        bar_s = part.piece.bar / part.piece.beat * 60 / part.bpm
        bars = next((bars for bars in (2, 4, 8) if bars * bar_s >= 2.5), 8)
        starts = _phrase_starts(part.piece, part.bar_lines, bars)
        if len(starts) >= 3 and starts[1] - starts[0] >= part.piece.beat * 2:
            break
    pauses = [(place, rng.uniform(0.15, 0.6)) for place in starts[1:]]
    clock = TempoClock(part.bpm, part.piece.beat, part.start, part.end, pauses=pauses, lead_s=rng.uniform(*LEAD_S))
    plan = one_voice(rng, part, clock, name, instrument, shares=[rng.uniform(0.85, 0.97) for _ in part.piece.notes],
                     jitter_ms=rng.uniform(*JITTER_MS))  # fmt: skip
    times = [clock.seconds(place) for place in starts]
    ends = [max(note.end for note in plan.notes if note.start < end - 0.05) for end in [*times[1:], float("inf")]]
    plan.truth.phrases = list(zip(times, ends, strict=True))
    plan.truth.is_steady = None
    for label, value in conditions(rng).items():
        setattr(plan, label, value)
    return plan


def _phrase_starts(piece: Piece, bar_lines: list[float], bars: int) -> list[float]:
    """Return the onset of the first note of each phrase: a phrase has the same pickup as the piece."""
    onsets = sorted(note.onset for note in piece.notes)
    pickup = max(0.0, bar_lines[0] - onsets[0]) if bar_lines else 0.0
    found = [onsets[0]]
    for line in bar_lines[bars::bars]:
        place = next((onset for onset in onsets if onset >= line - pickup - 1e-6), None)
        if place is not None and place - found[-1] > piece.bar and piece.end - place > piece.bar:
            found.append(place)
    return found


def articulation(rng: random.Random, split: str) -> SoundPlan:
    """A tune that is legato, staccato, or legato in one half and staccato in the other."""
    name = rng.choice(sorted(SUSTAINED | {"piano": PLUCKED["piano"]}))
    instrument = (SUSTAINED | PLUCKED)[name]
    part = _tune_excerpt(rng, split, instrument)
    kind = rng.choice(["legato", "staccato", "both"])
    clock = TempoClock(part.bpm, part.piece.beat, part.start, part.end, lead_s=rng.uniform(*LEAD_S))
    middle = (part.start + part.end) / 2
    shares = []
    for note in _without_overlap(part.piece.notes):
        is_short = kind == "staccato" or (kind == "both" and note.onset >= middle)
        shares.append(rng.uniform(*(STACCATO_SHARE if is_short else LEGATO_SHARE)))
    plan = one_voice(rng, part, clock, name, instrument, shares=shares, jitter_ms=rng.uniform(0, 8))
    plan.truth.labels["articulation"] = kind
    plan.snr_db, plan.room_s = rng.choice([None, 40]), rng.choice([None, None, 0.3])
    return plan


def dynamics(rng: random.Random, split: str) -> SoundPlan:
    """A tune at a known loudness, with a change of level in half of the clips."""
    name = rng.choice(sorted(SUSTAINED | PLUCKED))
    instrument = (SUSTAINED | PLUCKED)[name]
    part = _tune_excerpt(rng, split, instrument)
    clock = TempoClock(part.bpm, part.piece.beat, part.start, part.end, lead_s=rng.uniform(*LEAD_S))
    plan = one_voice(rng, part, clock, name, instrument, has_dynamics=rng.random() < 0.5)
    if rng.random() < 0.5:
        plan.levels_db = [(clock.seconds((part.start + part.end) / 2), rng.choice([-12.0, -6.0, 6.0]))]
    plan.loudness = rng.uniform(*LOUDNESS)
    return plan
