"""Cut bars out of a score."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from consort_music.errors import MusicError
from consort_music.printed_measures import PrintedMeasure, is_counted, missing_before, number_of_bar
from consort_music.score import Part, Score

Timed = TypeVar("Timed")


def cut_bars(score: Score, first: int, last: int) -> Score:
    """Return the bars from `first` to `last`, as printed. They keep their numbers. A pickup comes with the first bar.

    A note that sounds over a border is cut there. Raise INVALID_BARS if `first` is after the end.
    """
    written = {bar: number_of_bar(score.printed_measures, bar)[0] for bar in score.bars}
    numbers = list(written.values())
    chosen = [bar for bar in score.bars if first <= written[bar] <= last]
    if not chosen:
        raise MusicError(
            "INVALID_BARS",
            f"The piece has the bars {numbers[0]} to {numbers[-1]}, so there are no bars {first} to {last}.",
            [f"{max(numbers[0], 1)}-{min(numbers[-1], max(numbers[0], 1) + 7)}"],
        )
    if score.pickup and chosen[0] == score.bars[1]:
        chosen.insert(0, score.bars[0])
    start, end = chosen[0].start, chosen[-1].end
    printed = tuple(
        PrintedMeasure(bar.start - start, written[bar], missing_before(score.printed_measures, bar)) for bar in chosen
    )
    excerpt = replace(
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
    return replace(excerpt, printed_measures=() if is_counted(printed, excerpt.bar_lines) else printed)


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
