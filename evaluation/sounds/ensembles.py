"""Several voices: piano, bands with drums, chamber music; for piano notes, tempo, beats, steadiness and key."""

import random

from evaluation.sounds.conditions import BANDS, BASS_PROGRAM, INSTRUMENTS, MIX
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
from evaluation.sounds.melodies import one_voice, plucked
from evaluation.sounds.pieces import Piece, pieces
from evaluation.sounds.playing import DRUMS, SoundingNote
from evaluation.sounds.tempo_clock import TempoClock
from evaluation.sounds.truth import TrueNote

_KICK, _SNARE, _HAT = 36, 38, 42
_PIANO = 0
_LOWEST_CHORD_TONE = 53
_SCALES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}
_DEGREES = (0, 3, 4, 5, 1)
"""The chords of an accompaniment, the preferred ones first: I, IV, V, VI, II."""


def piano(rng: random.Random, split: str) -> SoundPlan:
    """A chorale or another piece of several voices on the piano, with human timing and touch."""
    piece = rng.choice(pieces(split, rng.choice(["chorales", "works"])))
    part = excerpt(rng, piece, choose_tempo(rng, piece, rng.uniform(55, 130)), rng.randint(-3, 3))
    clock = TempoClock(part.bpm, piece.beat, part.start, part.end, lead_s=rng.uniform(*LEAD_S))
    jitter = rng.uniform(0, 0.012)
    sounding: dict[int, list[SoundingNote]] = {}
    for note in part.piece.notes:
        start = max(clock.seconds(note.onset) + rng.gauss(0, jitter), 0.02)
        end = start + max((clock.seconds(note.onset + note.duration) - start) * rng.uniform(0.85, 1.0), 0.06)
        velocity = round(rng.gauss(72 if note.voice else 84, 8))
        played = SoundingNote(start, end, note.midi, max(30, min(120, velocity)), _PIANO)
        sounding.setdefault(note.midi, []).append(played)
    plan = SoundPlan([note for row in sounding.values() for note in _one_at_a_time(row)], grid_truth(part, clock))
    plan.truth.instrument = "piano"
    _add_notes(plan)
    for label, value in conditions(rng).items():
        setattr(plan, label, value)
    return plan


def _one_at_a_time(notes: list[SoundingNote]) -> list[SoundingNote]:
    """Return the notes of one key: doubled notes become one, and a key is released before it is struck again."""
    found: list[SoundingNote] = []
    for note in sorted(notes):
        if found and note.start - found[-1].start < 0.06:
            found[-1] = found[-1]._replace(end=max(found[-1].end, note.end))
            continue
        if found and found[-1].end > note.start - 0.02:
            found[-1] = found[-1]._replace(end=note.start - 0.02)
        found.append(note)
    return found


def _add_notes(plan: SoundPlan) -> None:
    plan.truth.notes = [
        TrueNote(note.start, note.end, note.pitch, note.velocity)
        for note in sorted(plan.notes)
        if note.program != DRUMS
    ]
    plan.truth.onsets = _apart(sorted(note.start for note in plan.notes))


def _apart(times: list[float]) -> list[float]:
    """Return the times without those that follow another one within 30 ms."""
    found: list[float] = []
    for time in times:
        if not found or time - found[-1] > 0.03:
            found.append(time)
    return found


def tempo(rng: random.Random, split: str) -> SoundPlan:
    """Music with a steady tempo: two thirds bands, the others a plucked tune or a chorale on the piano."""
    kind = rng.choices(["band", "plucked", "chorale"], [13, 4, 3])[0]
    if kind == "plucked":
        return plucked(rng, split)
    return _band(rng, split) if kind == "band" else _chorale(rng, rng.choice(pieces(split, "chorales")), "piano")


def steadiness(rng: random.Random, split: str) -> SoundPlan:
    """Music whose tempo is steady, changes by 10% at a bar line, or falls towards the end."""
    return _band(rng, split, may_change=True)


def key(rng: random.Random, split: str) -> SoundPlan:
    """A chorale, a tune with accompaniment or a tune alone, up to its last note."""
    kind = rng.choices(["chorale", "band", "alone"], [5, 3, 2])[0]
    if kind == "band":
        return _band(rng, split, from_end=True)
    if kind == "alone":
        piece = rng.choice(pieces(split, "tunes"))
        name = rng.choice(sorted(INSTRUMENTS))
        part = excerpt(
            rng, piece, choose_tempo(rng, piece), shift_into(rng, piece, INSTRUMENTS[name]), from_end=True, clip_s=22
        )
        clock = TempoClock(part.bpm, piece.beat, part.start, part.end, lead_s=rng.uniform(*LEAD_S))
        plan = one_voice(rng, part, clock, name, INSTRUMENTS[name], cents=rng.uniform(-25, 25))
        plan.snr_db, plan.room_s = conditions(rng)["snr_db"], conditions(rng)["room_s"]
        return plan
    certain = [piece for piece in pieces(split, "chorales") if piece.tonic is not None]
    return _chorale(rng, rng.choice(certain), rng.choice(["piano", "organ", "choir", "violin", "nylon guitar"]))


def _chorale(rng: random.Random, piece: Piece, name: str) -> SoundPlan:
    part = excerpt(rng, piece, rng.uniform(60, 110), rng.randint(-5, 6), from_end=True, clip_s=22)
    clock = TempoClock(part.bpm, piece.beat, part.start, part.end, lead_s=rng.uniform(*LEAD_S))
    program = INSTRUMENTS[name].program
    cents = rng.uniform(-25, 25)
    notes = [
        SoundingNote(
            max(clock.seconds(note.onset) + rng.gauss(0, 0.006), 0.02),
            clock.seconds(note.onset + note.duration) - 0.03,
            note.midi + cents / 100,
            round(rng.uniform(65, 95)),
            program,
        )
        for note in part.piece.notes
    ]
    plan = SoundPlan(notes, grid_truth(part, clock))
    plan.truth.instrument, plan.truth.tuning_cents = name, cents
    _add_notes(plan)
    for label, value in conditions(rng).items():
        setattr(plan, label, value)
    return plan


def _band(rng: random.Random, split: str, may_change: bool = False, from_end: bool = False) -> SoundPlan:
    """A tune with accompaniment: chords, bass, and drums if the band has them."""
    band = rng.choice(sorted(BANDS))
    lead, comping, _, drums = BANDS[band]
    piece = rng.choice(pieces(split, "tunes"))
    bpm = choose_tempo(rng, piece)
    clip_s = 22 if may_change or from_end else None
    part = excerpt(rng, piece, bpm, shift_into(rng, piece, INSTRUMENTS[lead]), from_end, clip_s)
    change, ritardando = None, None
    if may_change:
        draw = rng.random()
        lines = part.bar_lines
        if draw < MIX["tempo changes by 10%"] and len(lines) >= 6:
            change = (lines[rng.randint(len(lines) // 3, 2 * len(lines) // 3)], rng.choice([1.1, 1 / 1.1]))
        elif draw > 1 - MIX["ritardando"]:
            ritardando = part.end - 0.35 * (part.end - part.start)
    clock = TempoClock(part.bpm, piece.beat, part.start, part.end, change, ritardando, lead_s=rng.uniform(*LEAD_S))
    jitter = rng.uniform(0, 10)
    plan = one_voice(rng, part, clock, lead, INSTRUMENTS[lead], jitter_ms=jitter)
    plan.notes += _accompaniment(rng, part, clock, INSTRUMENTS[comping].program, jitter / 1000)
    if drums == "drums":
        plan.notes += _drums(rng, part, clock, jitter / 1000)
    plan.truth.instrument = band
    plan.truth.articulations, plan.truth.tuning_cents = [], None
    plan.truth.is_steady = change is None and ritardando is None
    plan.truth.change_time = clock.seconds(change[0]) if change else None
    plan.truth.labels |= {"change": change[1] if change else None, "ritardando": ritardando is not None}
    _add_notes(plan)
    for label, value in conditions(rng).items():
        setattr(plan, label, value)
    return plan


def _accompaniment(
    rng: random.Random, part: Excerpt, clock: TempoClock, program: int, jitter: float
) -> list[SoundingNote]:
    """Return a bass note and a chord for each bar, in one of three patterns."""
    pattern = rng.choice(["bass and chord", "held", "broken"])
    notes = []
    beat, bar = part.piece.beat, part.piece.bar
    for line in part.bar_lines:
        root, chord = _chord_for(part.piece, line)
        beats = [place for place in part.beats if line - 1e-6 <= place < line + bar - 1e-6]
        for number, place in enumerate(beats):
            start = max(clock.seconds(place) + rng.gauss(0, jitter), 0.02)
            end = clock.seconds(place + beat)
            if number == 0 or pattern == "broken":
                notes.append(SoundingNote(start, end, 36 + root % 12, 88, BASS_PROGRAM))
            if pattern == "held" and number == 0:
                notes += [SoundingNote(start, clock.seconds(line + bar) - 0.05, pitch, 70, program) for pitch in chord]
            elif pattern == "bass and chord" and (number or len(beats) == 1):
                notes += [SoundingNote(start, (start + end) / 2, pitch, 68, program) for pitch in chord]
            elif pattern == "broken":
                for step, pitch in enumerate(chord):
                    begin = clock.seconds(place + step * beat / 3) + rng.gauss(0, jitter)
                    notes.append(SoundingNote(max(begin, 0.02), end, pitch, 66, program))
    return notes


def _chord_for(piece: Piece, line: float) -> tuple[int, list[int]]:
    """Return the pitch class and the pitches of the triad that shares most with the tune in the bar at `line`."""
    scale = _SCALES[piece.mode]
    tonic = piece.tonic or 0
    weights = [0.0] * 12
    for note in piece.notes:
        inside = min(note.onset + note.duration, line + piece.bar) - max(note.onset, line)
        weights[note.midi % 12] += max(inside, 0.0) + (0.5 if abs(note.onset - line) < 1e-6 else 0)
    best, found = -1.0, [tonic]
    for rank, degree in enumerate(_DEGREES):
        tones = [scale[(degree + step) % 7] for step in (0, 2, 4)]
        if piece.mode == "minor" and degree == 4:
            tones[1] += 1  # the leading tone
        classes = [(tonic + tone) % 12 for tone in tones]
        fit = sum(weights[tone] for tone in classes) - 0.05 * rank
        if fit > best:
            best, found = fit, classes
    return found[0], sorted(_LOWEST_CHORD_TONE + (tone - _LOWEST_CHORD_TONE) % 12 for tone in found)


def _drums(rng: random.Random, part: Excerpt, clock: TempoClock, jitter: float) -> list[SoundingNote]:
    notes = []
    beat, bar = part.piece.beat, part.piece.bar
    per_bar = round(bar / beat)
    hats = 3 if part.piece.metre == "6/8" else rng.choice([1, 2])
    for place in part.beats:
        number = round(place / beat) % per_bar
        hits = [(0.0, _HAT, 62)] + [(step / hats * beat, _HAT, 50) for step in range(1, hats)]
        if number == 0 or (number == 2 and per_bar == 4):
            hits.append((0.0, _KICK, 100))
        elif number in (1, 3):
            hits.append((0.0, _SNARE, 92))
        for offset, drum, velocity in hits:
            start = max(clock.seconds(place + offset) + rng.gauss(0, jitter), 0.02)
            notes.append(SoundingNote(start, start + 0.1, drum, velocity, DRUMS))
    return notes
