"""Performances by people (`asap/NAME/` of a data folder), aligned with their scores note by note.

The annotated beats give the score time of every moment of the performance. Notes of the same pitch are then matched in
order, where they are less than a quarter note apart (dynamic programming per pitch). Notes without a partner are not
counted, nor are ornaments that the program that exported the score's MIDI file wrote out (grace notes, trills, and the
main notes that they delay): they have no place on a grid in the score. These are the notes on no usual grid, and those
that the MusicXML file does not have at this place, if the bar is found there: each bar is looked up where a bar has
most of the same starts and pitches. The latter are kept as `ornaments`, for a second, stricter figure. The score's MIDI
file shortens every note by one tick, and staccato notes by half; both are undone, the latter by the same look-up.
Pieces whose annotations of the score and the performance differ in number are used for beats only.
"""

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.tempo_map import elapsed_ms, tempo_changes
from consort_music.notation.read_music import read_music

_MOST_APART = 1.0
_SKIP = 0.6
_LEAST_SHARED = 0.7
_USUAL_GRIDS = (48, 36, 20, 28)


class TruePlace(NamedTuple):
    """Where a performed note stands in the score, in quarters."""

    start: Fraction
    duration: Fraction


class _ScoreNote(NamedTuple):
    place: TruePlace
    is_ornament: bool


class RealPerformance(NamedTuple):
    name: str
    file: MidiFile
    beats: list[float]
    downbeats: list[float]
    beat_quarters: list[Fraction] | None
    """The score time of each beat; None if the annotations do not agree."""
    truth: dict[tuple[int, int], TruePlace]
    """By tick and pitch of the performed note; without ornaments."""
    ornaments: dict[tuple[int, int], TruePlace]
    """Notes of ornaments that the MusicXML file does not have, where the score's MIDI file has them."""
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
    downbeats = _quarters_of(score, [time for time, label in written if label.startswith("db")])
    truth, ornaments = (
        _align(_written(score, downbeats, folder / "score.musicxml"), played, beats, quarters) if quarters else ({}, {})
    )
    return RealPerformance(
        name,
        played,
        beats,
        [time for time, label in performed if label.startswith("db")],
        quarters,
        truth,
        ornaments,
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


def _written(score: MidiFile, downbeats: Sequence[Fraction], musicxml: Path) -> dict[int, list[_ScoreNote]]:
    """Return the notes of the score by pitch, sorted by start."""
    ppq = score.ppq or 480
    bars: dict[int, dict[tuple[Fraction, int], Fraction]] = {}
    for index, track in enumerate(score.tracks):
        for played in pair_notes(track, index).notes:
            start, length = Fraction(played.start, ppq), Fraction(played.end - played.start + 1, ppq)
            bar = bisect_right(downbeats, start) - 1
            bars.setdefault(bar, {})[start - (downbeats[bar] if bar >= 0 else 0), played.pitch] = length
    known = _bars_of_musicxml(musicxml)
    holders: dict[tuple[Fraction, int], list[int]] = {}
    for number, content in enumerate(known):
        for note in content:
            holders.setdefault(note, []).append(number)
    found: dict[int, list[_ScoreNote]] = {}
    for bar, notes in sorted(bars.items()):
        shared = Counter(number for note in notes for number in holders.get(note, ()))
        best, count = shared.most_common(1)[0] if shared else (0, 0)
        same = known[best] if count >= _LEAST_SHARED * len(notes) else {}
        for (offset, pitch), length in notes.items():
            notated = same.get((offset, pitch), length)
            place = TruePlace(
                offset + (downbeats[bar] if bar >= 0 else 0), notated if notated == 2 * length else length
            )
            if any(place.start * grid % 1 == 0 == place.duration * grid % 1 for grid in _USUAL_GRIDS):
                found.setdefault(pitch, []).append(_ScoreNote(place, bool(same) and (offset, pitch) not in same))
    return {pitch: sorted(places) for pitch, places in found.items()}


def _bars_of_musicxml(path: Path) -> list[dict[tuple[Fraction, int], Fraction]]:
    """Return the lengths of the notes of each bar, by offset and pitch."""
    score, _ = read_music(path.read_text(encoding="utf-8"))
    bars: dict[Fraction, dict[tuple[Fraction, int], Fraction]] = {}
    for part in score.parts:
        for note in part.notes:
            start = score.bar_at(note.start).start
            bars.setdefault(start, {})[note.start - start, note.midi] = note.duration
    return list(bars.values())


def _align(
    written: dict[int, list[_ScoreNote]], played: MidiFile, beats: Sequence[float], quarters: Sequence[Fraction]
) -> tuple[dict[tuple[int, int], TruePlace], dict[tuple[int, int], TruePlace]]:
    """Return the places of performed notes by tick and pitch: of those of the score, and of ornaments."""
    tempos, _ = tempo_changes(played.tracks)
    performed: dict[int, list[tuple[float, int]]] = {}
    for index, track in enumerate(played.tracks):
        for note in pair_notes(track, index).notes:
            seconds = elapsed_ms(played, tempos, note.start) / 1000
            performed.setdefault(note.pitch, []).append((_score_time(seconds, beats, quarters), note.start))
    truth: dict[tuple[int, int], TruePlace] = {}
    ornaments: dict[tuple[int, int], TruePlace] = {}
    for pitch, notes in performed.items():
        for (_, tick), partner in _matched(sorted(notes), written.get(pitch, [])):
            (ornaments if partner.is_ornament else truth)[tick, pitch] = partner.place
    return truth, ornaments


def _score_time(seconds: float, beats: Sequence[float], quarters: Sequence[Fraction]) -> float:
    place = min(max(bisect_right(beats, seconds) - 1, 0), len(beats) - 2)
    span = beats[place + 1] - beats[place]
    share = (seconds - beats[place]) / span if span > 0 else 0.0
    return float(quarters[place]) + share * float(quarters[place + 1] - quarters[place])


def _matched(notes: list[tuple[float, int]], places: list[_ScoreNote]) -> list[tuple[tuple[float, int], _ScoreNote]]:
    """Return the pairs of an alignment in order with the least total distance; leaving one out costs `_SKIP`."""
    rows, columns = len(notes), len(places)
    cost = [[_SKIP * (row + column) for column in range(columns + 1)] for row in range(rows + 1)]
    step = [[""] * (columns + 1) for _ in range(rows + 1)]
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            apart = abs(notes[row - 1][0] - float(places[column - 1].place.start))
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
