"""The tempo of a song at each beat, in beats (quarter notes) per minute.

The tempo of a section holds throughout the section. Elsewhere the latest tempo change holds; before the first change,
the tempo of the song.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from consort_compose.songs.document.beat_input import parse_beat_position, reject_bars
from consort_compose.songs.document.song import (
    MAX_TEMPO,
    MAX_TEMPO_CHANGES,
    MIN_TEMPO,
    Song,
    Track,
    ValueChange,
    value_at,
)
from consort_compose.songs.document.timeline import Timeline
from consort_music.beats import format_beats
from consort_music.errors import MusicError, quoted

MAX_SHOWN = 20


def tempo_at(song: Song, timeline: Timeline, beat: Fraction) -> float:
    """Return the tempo at a beat, in beats per minute."""
    section = timeline.span_at(beat).section
    return section.tempo if section and section.tempo else value_at(song.tempo_changes, beat, song.tempo)


def tempo_map(song: Song, timeline: Timeline, end: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return pairs of a beat and the tempo from there on, up to `end` or the end of the last section if it is later."""
    last = max(end, timeline.planned_end)
    starts = {span.start for span in timeline.spans_before(end)}
    starts |= {change.start for change in song.tempo_changes if change.start < last}
    tempos: list[tuple[Fraction, Fraction]] = []
    changes, holds = iter([*song.tempo_changes, ValueChange(last + 1, 0)]), song.tempo
    following = next(changes)
    for start in sorted(starts, key=lambda start: (float(start), start)):
        while following.start <= start:
            holds, following = following.value, next(changes)
        section = timeline.span_at(start).section
        bpm = Fraction(str(section.tempo if section and section.tempo else holds))
        if not tempos or tempos[-1][1] != bpm:
            tempos.append((start, bpm))
    return tempos


def with_copied_tempo(song: Song, start: Fraction, end: Fraction, target: Fraction) -> Song:
    """Copy the tempo changes of [start, end) to `target`."""
    return replace(song, tempo_changes=copied_changes(song.tempo_changes, song.tempo, start, end, target))


def with_copied_instruments(song: Song, track: Track, start: Fraction, end: Fraction, target: Fraction) -> Song:
    """Copy the program changes of a track in [start, end) to `target`."""
    changes = copied_changes(track.program_changes, track.program or 0, start, end, target)
    return song.with_track(replace(track, program_changes=changes))


def copied_changes(
    changes: Sequence[ValueChange], before: float, start: Fraction, end: Fraction, target: Fraction
) -> tuple[ValueChange, ...]:
    """Return all changes, with those of [start, end) copied to `target`. Values after the copy do not change.

    `before` is the value up to the first change.
    """
    stop = target + end - start
    moved = [
        ValueChange(change.start - start + target, change.value) for change in changes if start < change.start < end
    ]
    found = [change for change in changes if not target <= change.start <= stop]
    found += [
        ValueChange(target, value_at(changes, start, before)),
        *moved,
        ValueChange(stop, value_at(changes, stop, before)),
    ]
    return without_repeats(found, before)


def without_repeats(changes: Sequence[ValueChange], before: float) -> tuple[ValueChange, ...]:
    """Return the changes sorted by beat, without those that repeat the previous value.

    `before` is the value up to the first change.
    """
    kept: list[ValueChange] = []
    for change in sorted(changes, key=lambda change: (float(change.start), change.start)):
        if change.value != (kept[-1].value if kept else before):
            kept.append(change)
    return tuple(kept)


def parse_tempo_changes(text: str) -> tuple[ValueChange, ...]:
    """Parse text such as `16: 96, 20: 80`: beats, each with the tempo from there on.

    Raise INVALID_TEMPO if a tempo is not allowed or is at beat 0, INVALID_EXPRESSION if a beat cannot be read, or
    TOO_LARGE if there are more than MAX_TEMPO_CHANGES.
    """
    changes: dict[Fraction, float] = {}
    for item in filter(str.strip, text[:200_000].replace(";", ",").split(",")):
        beat, _, bpm = item.partition(":")
        try:
            tempo = float(bpm)
        except ValueError:
            tempo = 0
        if not MIN_TEMPO <= tempo <= MAX_TEMPO:
            raise MusicError(
                "INVALID_TEMPO",
                f"'tempo_changes' has {quoted(item.strip())}; write a beat and a tempo from {MIN_TEMPO} to {MAX_TEMPO} "
                "beats per minute, such as 16: 96, 20: 80.",
                ["16: 96, 20: 80"],
                "tempo_changes",
            )
        reject_bars(beat, "tempo_changes", "Give the beat where a bar begins, counted from 0.", "16: 96, 20: 80")
        start = parse_beat_position(beat.strip(), "tempo_changes")
        if not start:
            raise MusicError(
                "INVALID_TEMPO",
                "'tempo_changes' has a tempo at beat 0. Give the tempo of beat 0 as 'tempo'.",
                ["tempo"],
                "tempo",
            )
        changes[start] = tempo
    if len(changes) > MAX_TEMPO_CHANGES:
        raise MusicError(
            "TOO_LARGE", f"A song has at most {MAX_TEMPO_CHANGES:,} tempo changes.", ["section tempos"], "tempo_changes"
        )
    return tuple(ValueChange(*change) for change in sorted(changes.items()))


def format_tempo_changes(changes: Sequence[ValueChange]) -> str | None:
    """Return the first 20 changes as text such as `16: 96, 20: 80`; None if there are none."""
    shown = [f"{format_beats(change.start)}: {_format_bpm(change.value)}" for change in changes[:MAX_SHOWN]]
    more = [f"… {len(changes) - MAX_SHOWN} more"] if len(changes) > MAX_SHOWN else []
    return ", ".join([*shown, *more]) or None


def _format_bpm(bpm: float) -> str:
    return str(bpm).removesuffix(".0")
