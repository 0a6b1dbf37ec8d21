"""Measure midi_to_strudel: 60 pieces become code and, through the real engine and a MIDI file, music again.

The pieces are 8 folk tunes of music21's corpus (with pickups), 7 melodies of our composer, 15 drum loops, 15 pieces of
chords and 15 of several tracks, with changes of tempo and metre (`evaluation.corpora.grid_pieces`). Compared are the
start, pitch and length of each note and all tempos. The size of the code is compared with the same code in which
nothing is folded: every bar of every voice is written out.
"""

import asyncio
from collections.abc import Sequence
from fractions import Fraction
from statistics import mean

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest
from consort_music.instruments import INSTRUMENTS
from consort_music.keys import parse_key
from consort_music.metre import Metre, parse_metre
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_strudel.engine import Engine
from evaluation.corpora.folk_tunes import FolkTune, folk_tunes
from evaluation.corpora.grid_pieces import GridPiece, band_pieces, bars_repeat, chord_pieces, drum_loops
from evaluation.engine_runs.strudel_round_trip import RoundTrip, round_trip

FOLK_TUNES, COMPOSED, OTHERS = 8, 7, 15
LEAST_RIGHT = 0.98
MOST_SIZE = 0.5
"""Of the code of pieces with repeats, as a share of the code without folding."""
_TIME_LIMIT_S = 60
_FLUTE = INSTRUMENTS[73]
_BPM = Fraction(100)
_KEYS = ("C major", "A minor", "G major", "E minor", "F major", "D dorian", "Bb major")
_METRES = ("4/4", "3/4", "6/8", "2/4", "4/4", "3/4", "5/4")


def run(options: BenchOptions) -> Report:
    pieces = all_pieces()[: options.limit]
    found = asyncio.run(_round_trips(pieces))
    kinds = dict.fromkeys(piece.kind for piece in pieces)
    rows = [_row(kind, [pair for pair in found if pair[0].kind == kind]) for kind in kinds]
    rows.append(_row("all", found))
    notes = sum(trip.note_count for _, trip in found)
    right = sum(trip.right - trip.extra for _, trip in found) / notes
    sizes = [len(trip.script) / trip.unfolded_size for piece, trip in found if piece.has_repeats]
    exact = sum(trip.is_exact for _, trip in found)
    return Report(
        title="Music as Strudel code and back",
        rows=rows,
        summary=f"{exact} of {len(found)} pieces came back exactly, {100 * right:.2f} % of {notes:,} notes.",
        requirements=[
            Requirement("share of pieces that are exact", exact / len(found), LEAST_RIGHT, more_is_better=True),
            Requirement("share of notes that are right", right, LEAST_RIGHT, more_is_better=True),
            Requirement("mean size of the code of pieces with repeats", mean(sizes) if sizes else 0, MOST_SIZE),
        ],
    )


def all_pieces() -> list[GridPiece]:
    tunes = [_of_tune(tune) for tune in folk_tunes("requests")[:FOLK_TUNES]]
    composed = [_composed(seed) for seed in range(COMPOSED)]
    return [*tunes, *composed, *drum_loops(OTHERS), *chord_pieces(OTHERS), *band_pieces(OTHERS)]


async def _round_trips(pieces: Sequence[GridPiece]) -> list[tuple[GridPiece, RoundTrip]]:
    engine = Engine(time_limit_s=_TIME_LIMIT_S)
    try:
        return [(piece, await round_trip(engine, piece.music)) for piece in pieces]
    finally:
        await engine.close()


def _row(kind: str, found: Sequence[tuple[GridPiece, RoundTrip]]) -> Row:
    trips = [trip for _, trip in found]
    folded = [trip for piece, trip in found if piece.has_repeats]
    sizes = [len(trip.script) / trip.unfolded_size for trip in folded]
    return {
        "pieces": kind,
        "count": len(trips),
        "exact": sum(trip.is_exact for trip in trips),
        "notes": sum(trip.note_count for trip in trips),
        "right": sum(trip.right for trip in trips),
        "extra": sum(trip.extra for trip in trips),
        "velocity error": round(mean(trip.velocity_error for trip in trips), 2),
        "with repeats": len(folded),
        "mean size of the code": round(mean(sizes), 3) if sizes else None,
        "at most half": sum(size <= MOST_SIZE for size in sizes),
    }


def _of_tune(tune: FolkTune) -> GridPiece:
    """Return a folk tune. A pickup bar has its own time signature, as in MIDI files of scores."""
    pickup = max(-min(note.onset for note in tune.notes), Fraction(0))
    metre = parse_metre(tune.metre)
    notes = [SequenceNote(note.midi, 80, note.onset + pickup, note.duration) for note in tune.notes]
    music = _melody(notes, metre)
    if pickup:
        unit = next(each for each in (4, 8, 16, 32, 64) if (pickup * each / 4).denominator == 1)
        short = (Fraction(0), int(pickup * unit / 4), unit)
        music.time_signatures = [short, (pickup, metre.numerator, metre.denominator)]
    return GridPiece(tune.name, "melody", music, False)


def _composed(seed: int) -> GridPiece:
    """Return a melody of our composer in the form AABA."""
    metre = parse_metre(_METRES[seed])
    request = MelodyRequest(parse_key(_KEYS[seed]), 4, metre, 60, 84)
    phrases = [generate(request, each) for each in (seed, 100 + seed)]
    notes = [
        SequenceNote(pitch, 80, timing.onset + place * 4 * metre.bar, timing.duration)
        for place, number in enumerate((0, 0, 1, 0) * 2)
        for timing, pitch in zip(phrases[number].timings, phrases[number].pitches, strict=True)
    ]
    music = _melody(notes, metre)
    return GridPiece(f"composed {seed}", "melody", music, bars_repeat(music))


def _melody(notes: list[SequenceNote], metre: Metre) -> NoteSequence:
    return NoteSequence(
        tempos=[(Fraction(0), _BPM)],
        time_signatures=[(Fraction(0), metre.numerator, metre.denominator)],
        tracks=[SequenceTrack("Melody", _FLUTE, notes)],
    )
