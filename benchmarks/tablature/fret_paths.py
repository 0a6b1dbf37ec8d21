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
    violations = {name: sum(piece_violations(piece, placer) for piece in pieces) for name, placer in PLACERS.items()}
    seen, unseen = GUITAR_OPENINGS[0::2], GUITAR_OPENINGS[1::2]
    rows: list[Row] = [
        {
            "by": name,
            f"violations in {PIECES} random pieces": violations[name],
            "same string as guitarists %": round(openings_agreement(GUITAR_OPENINGS, placer), 1),
            "seen openings %": round(openings_agreement(seen, placer), 1),
            "unseen openings %": round(openings_agreement(unseen, placer), 1),
            "above the lowest fret %": round(openings_agreement(GUITAR_OPENINGS, placer, above_lowest=True), 1),
        }
        for name, placer in PLACERS.items()
    ]
    ours, lowest = (float(row["same string as guitarists %"] or 0) for row in rows)
    unseen_agreement = float(rows[0]["unseen openings %"] or 0)
    seconds = {texture: texture_seconds(texture, pieces) for texture in TEXTURES}
    rows += [
        {"by": f"fret_positions, {texture}", f"CPU s for {TIMED_NOTES} notes": seconds[texture]} for texture in TEXTURES
    ]
    return Report(
        title="Tablature",
        rows=rows,
        summary=f"{violations['fret_positions']} violations in {PIECES} random pieces; "
        f"{ours:.0f}% of the notes of {len(GUITAR_OPENINGS)} openings on the strings of guitarists "
        f"(lowest fret: {lowest:.0f}%).",
        requirements=[
            Requirement("violations in tablatures", violations["fret_positions"], 0),
            Requirement("same string as guitarists, unseen openings, %", unseen_agreement, 70, True),
            Requirement(f"CPU s for {TIMED_NOTES} notes of tablature", round(max(seconds.values()), 2), 1),
        ],
    )


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
    """Return how many notes are on the string that guitarists use, in percent.

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
    return 100 * same / total


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


PLACERS: dict[str, Placer] = {"fret_positions": by_engine, "lowest fret": by_lowest_fret}
