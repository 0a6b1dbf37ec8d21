"""Measure whether tablatures can be played, and how often they agree with those of guitarists.

- *random pieces*: melodies, chords and fingerstyle textures on twelve instruments and tunings, each made by a hand and
  therefore playable (`evaluation.corpora.random_tabs`). `evaluation.checkers.tabs` counts what a hand cannot do; a
  note without a place is a violation too.
- *openings*: notes of `evaluation.corpora.guitar_openings` on the same string as there; also those alone that
  guitarists do not play at the lowest possible fret. The costs were chosen with the pieces with odd numbers (seen).
- *time*: CPU time for 1,000 notes of each texture.

The baseline gives each note the free string with the lowest fret, chord by chord, without regard to a hand.
"""

from collections.abc import Callable, Sequence
from time import process_time

from benchmarks.support.report import Report, Requirement, Row
from consort_music.frets.fret_positions import TabNote, fret_positions
from consort_music.frets.fretboards import fretboard
from consort_music.frets.hand import Place
from evaluation.checkers.tabs import CheckedTabNote, tab_faults
from evaluation.corpora.guitar_openings import GUITAR_OPENINGS, GuitarOpening
from evaluation.corpora.random_tabs import TEXTURES, RandomTab, random_tabs

PIECES = 200
TIMED_NOTES = 1000
Placer = Callable[[Sequence[TabNote], str, str, int], list[Place | None]]


def run() -> Report:
    pieces = random_tabs(PIECES)
    violations = [sum(piece_violations(piece, placer) for piece in pieces) for placer in PLACERS]
    seconds = {texture: texture_seconds(texture, pieces) for texture in TEXTURES}
    seen, unseen = GUITAR_OPENINGS[0::2], GUITAR_OPENINGS[1::2]
    agreement = {
        "seen openings": [openings_agreement(seen, placer) for placer in PLACERS],
        "unseen openings": [openings_agreement(unseen, placer) for placer in PLACERS],
        "above the lowest fret": [openings_agreement(GUITAR_OPENINGS, placer, above_lowest=True) for placer in PLACERS],
    }
    rows: list[Row] = [
        _row("violations in random pieces", PIECES, violations[0], violations[1], floor=0),
        *(_row(f"CPU s for {TIMED_NOTES:,} notes, {texture}", None, seconds[texture], floor=1) for texture in TEXTURES),
        *(_row(f"same string as guitarists, {name}", None, shares[0], shares[1]) for name, shares in agreement.items()),
    ]
    return Report(
        title="Tablature",
        rows=rows,
        summary=f"Tabs: {violations[0]} violations in {PIECES} random pieces.",
        requirements=[
            Requirement("tabs: violations in random pieces", violations[0], 0),
            Requirement("tabs: same string as guitarists", agreement["unseen openings"][0], 0.7, more_is_better=True),
            Requirement(f"tabs: CPU s for {TIMED_NOTES:,} notes", max(seconds.values()), 1),
        ],
    )


def _row(
    measure: str, pieces: int | None, ours: float, baseline: float | None = None, floor: float | None = None
) -> Row:
    return {
        "set": "tabs",
        "measure": measure,
        "pieces": pieces,
        "ours": ours,
        "lowest fret": baseline,
        "floor": floor,
    }


def piece_violations(piece: RandomTab, placer: Placer) -> int:
    notes = [TabNote(note.start, note.duration, note.pitch) for note in piece.notes]
    places = placer(notes, piece.instrument, piece.tuning, piece.capo)
    placed = [
        CheckedTabNote(note.start, note.duration, note.pitch, *place)
        for note, place in zip(piece.notes, places, strict=True)
        if place
    ]
    return len(tab_faults(piece.board, placed)) + places.count(None)


def openings_agreement(openings: Sequence[GuitarOpening], placer: Placer, above_lowest: bool = False) -> float:
    """Return the part of the notes that are on the string that guitarists use.

    `above_lowest` counts only notes that guitarists play at a higher fret than the lowest that has the pitch.
    """
    board = fretboard("guitar")
    same = total = 0
    for opening in openings:
        beat = 60 / opening.bpm
        notes = [TabNote(float(note.start) * beat, float(note.duration) * beat, note.pitch) for note in opening.notes]
        places = placer(notes, "guitar", "standard", 0)
        for note, place in zip(opening.notes, places, strict=True):
            if not above_lowest or note.fret > min(fret for _, fret in board.places(note.pitch)):
                same += place == (note.string, note.fret)
                total += 1
    return same / total


def texture_seconds(texture: str, pieces: Sequence[RandomTab]) -> float:
    """Return the CPU time for notes of one texture on a guitar, by playing pieces one after another."""
    notes: list[TabNote] = []
    now = 0.0
    for piece in pieces:
        if piece.name.startswith(texture) and piece.instrument == "guitar":
            notes += [TabNote(now + note.start, note.duration, note.pitch) for note in piece.notes]
            now = max(note.start + note.duration for note in notes)
    started = process_time()
    fret_positions(notes[:TIMED_NOTES])
    return (process_time() - started) * TIMED_NOTES / min(len(notes), TIMED_NOTES)


def by_engine(notes: Sequence[TabNote], instrument: str, tuning: str, capo: int) -> list[Place | None]:
    found = fret_positions(notes, instrument, tuning, capo).positions
    return [(one.string, one.fret) if one.string is not None and one.fret is not None else None for one in found]


def by_lowest_fret(notes: Sequence[TabNote], instrument: str, tuning: str, capo: int) -> list[Place | None]:
    board = fretboard(instrument, tuning, capo)
    used: dict[float, set[int]] = {}
    places: list[Place | None] = []
    for note in notes:
        taken = used.setdefault(note.start, set())
        free = [place for place in board.places(note.pitch) if place[0] not in taken]
        place = min(free, key=lambda place: place[1], default=None)
        places.append(place)
        if place:
            taken.add(place[0])
    return places


PLACERS: tuple[Placer, ...] = (by_engine, by_lowest_fret)
