"""Performances by people (`asap/NAME/` of a data folder), aligned with their scores note by note.

The annotated beats give the score time of every moment of the performance. Notes of the same pitch are then matched in
order, where they are less than a quarter note apart (dynamic programming per pitch). Notes of the score that are on no
usual grid are ornaments, written out by the program that exported the score; they and all notes without a partner
are not counted. The score's MIDI file shortens every note by one tick; that is undone. Pieces whose annotations of the
score and the performance differ in number are used for beats only.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.tempo_map import elapsed_ms, tempo_changes

_MOST_APART = 1.0
_SKIP = 0.6
_USUAL_GRIDS = (48, 36, 20, 28)


class TruePlace(NamedTuple):
    """Where a performed note stands in the score, in quarters."""

    start: Fraction
    duration: Fraction


class RealPerformance(NamedTuple):
    name: str
    file: MidiFile
    beats: list[float]
    downbeats: list[float]
    beat_quarters: list[Fraction] | None
    """The score time of each beat; None if the annotations do not agree."""
    truth: dict[tuple[int, int], TruePlace]
    """By tick and pitch of the performed note."""
    metre: str
    sharps: int


def names(data: Path, split: str) -> list[str]:
    return [path.name for path in sorted((data / "asap").iterdir()) if split_of(path.name) == split]


def split_of(name: str) -> str:
    """Return tune or test by the hash of the piece; versions of one piece belong together."""
    return "tune" if hashlib.sha256(name.removesuffix("_no_repeat").encode()).digest()[0] % 2 else "test"


def load(data: Path, name: str) -> RealPerformance:
    folder = data / "asap" / name
    score, played = (read_midi((folder / f"{kind}.mid").read_bytes()) for kind in ("score", "performance"))
    performed = _annotations(folder / "performance_beats.txt")
    written = _annotations(folder / "score_beats.txt")
    labels = [label.split(",") for _, label in performed]
    beats = [time for time, _ in performed]
    quarters = _quarters_of(score, [time for time, _ in written]) if len(written) == len(performed) else None
    return RealPerformance(
        name,
        played,
        beats,
        [time for time, label in performed if label.startswith("db")],
        quarters,
        _align(score, played, beats, quarters) if quarters else {},
        next(label[1] for label in labels if len(label) > 1 and label[1]),
        next(int(label[2]) for label in labels if len(label) > 2),
    )


def _annotations(path: Path) -> list[tuple[float, str]]:
    rows = [line.split("\t") for line in path.read_text().splitlines() if line.strip()]
    return [(float(row[0]), row[2]) for row in rows]


def _quarters_of(score: MidiFile, seconds: Sequence[float]) -> list[Fraction]:
    """Return the score time at these seconds, rounded to 1/48."""
    tempos, _ = tempo_changes(score.tracks)
    assert score.ppq
    edges = [(elapsed_ms(score, tempos, tick) / 1000, tick, tempo) for tick, tempo in tempos]
    found = []
    for moment in seconds:
        begin, tick, tempo = edges[max(bisect_right([edge[0] for edge in edges], moment + 1e-4) - 1, 0)]
        quarters = tick / score.ppq + (moment - begin) * 1e6 / tempo
        found.append(Fraction(round(quarters * 48), 48))
    return found


def _align(
    score: MidiFile, played: MidiFile, beats: Sequence[float], quarters: Sequence[Fraction]
) -> dict[tuple[int, int], TruePlace]:
    ppq = score.ppq or 480
    written: dict[int, list[TruePlace]] = {}
    for index, track in enumerate(score.tracks):
        for note in pair_notes(track, index).notes:
            place = TruePlace(Fraction(note.start, ppq), Fraction(note.end - note.start + 1, ppq))
            if any(place.start * grid % 1 == 0 == place.duration * grid % 1 for grid in _USUAL_GRIDS):
                written.setdefault(note.pitch, []).append(place)
    tempos, _ = tempo_changes(played.tracks)
    performed: dict[int, list[tuple[float, int]]] = {}
    for index, track in enumerate(played.tracks):
        for note in pair_notes(track, index).notes:
            seconds = elapsed_ms(played, tempos, note.start) / 1000
            performed.setdefault(note.pitch, []).append((_score_time(seconds, beats, quarters), note.start))
    found = {}
    for pitch, notes in performed.items():
        for (_, tick), place in _matched(sorted(notes), sorted(written.get(pitch, []))):
            found[tick, pitch] = place
    return found


def _score_time(seconds: float, beats: Sequence[float], quarters: Sequence[Fraction]) -> float:
    place = min(max(bisect_right(beats, seconds) - 1, 0), len(beats) - 2)
    span = beats[place + 1] - beats[place]
    share = (seconds - beats[place]) / span if span > 0 else 0.0
    return float(quarters[place]) + share * float(quarters[place + 1] - quarters[place])


def _matched(notes: list[tuple[float, int]], places: list[TruePlace]) -> list[tuple[tuple[float, int], TruePlace]]:
    """Return the pairs of an alignment in order with the least total distance; leaving one out costs `_SKIP`."""
    rows, columns = len(notes), len(places)
    cost = [[_SKIP * (row + column) for column in range(columns + 1)] for row in range(rows + 1)]
    step = [[""] * (columns + 1) for _ in range(rows + 1)]
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            apart = abs(notes[row - 1][0] - float(places[column - 1].start))
            pair = cost[row - 1][column - 1] + apart if apart < _MOST_APART else float("inf")
            cost[row][column], step[row][column] = min(
                (pair, "pair"), (cost[row - 1][column] + _SKIP, "note"), (cost[row][column - 1] + _SKIP, "place")
            )
    found = []
    row, column = rows, columns
    while row and column:
        if step[row][column] == "pair":
            found.append((notes[row - 1], places[column - 1]))
            row, column = row - 1, column - 1
        elif step[row][column] == "note":
            row -= 1
        else:
            column -= 1
    return found
