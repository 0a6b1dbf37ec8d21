"""Cut bars out of a score."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from consort_music.errors import MusicError
from consort_music.score import Part, Score

Timed = TypeVar("Timed")


def cut_bars(score: Score, first: int, last: int) -> Score:
    """Return the bars `first` to `last`, which then count from 1. A pickup comes with the first bar.

    A note that sounds over a border is cut there. Raise INVALID_BARS if `first` is after the end.
    """
    numbers = [bar.number for bar in score.bars]
    if not 0 <= first <= numbers[-1] or last < first:
        raise MusicError(
            "INVALID_BARS",
            f"The piece has the bars {numbers[0]} to {numbers[-1]}, so there are no bars {first} to {last}.",
            [f"1-{min(numbers[-1], 8)}"],
        )
    chosen = [bar for bar in score.bars if first <= bar.number <= last or (first == 1 and bar.number == 0)]
    start, end = chosen[0].start, chosen[-1].end
    return replace(
        score,
        parts=tuple(_cut_part(part, start, end) for part in score.parts),
        metres=cut_changes(score.metres, start, end),
        keys=cut_changes(score.keys, start, end),
        tempos=cut_changes(score.tempos, start, end),
        chords=tuple(mark._replace(start=mark.start - start) for mark in score.chords if start <= mark.start < end),
        pickup=score.pickup if chosen[0].number == 0 else Fraction(0),
        rest_to=end - start,
        fermatas=tuple(at - start for at in score.fermatas if start <= at < end),
    )


def cut_changes(
    changes: Iterable[tuple[Fraction, Timed]], start: Fraction, end: Fraction
) -> tuple[tuple[Fraction, Timed], ...]:
    """Return the changes between two moments, and the last one before them at the start."""
    kept: list[tuple[Fraction, Timed]] = []
    for at, value in changes:
        if at <= start:
            kept = [(Fraction(0), value)]
        elif at < end:
            kept.append((at - start, value))
    return tuple(kept)


def _cut_part(part: Part, start: Fraction, end: Fraction) -> Part:
    notes = tuple(
        note._replace(start=max(note.start, start) - start, duration=min(note.end, end) - max(note.start, start))
        for note in part.notes
        if note.start < end and note.end > start
    )
    lyrics = tuple((at - start, lyric) for at, lyric in part.lyrics if start <= at < end)
    return replace(part, notes=notes, lyrics=lyrics)
