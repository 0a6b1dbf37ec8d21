"""The tempo of a song at each beat.

A section's own tempo holds throughout the section. Elsewhere the latest tempo change holds, and before the first one
the song's tempo.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from consort_compose.songs.beats import beats_given
from consort_compose.songs.song import MAX_TEMPO, MAX_TEMPO_CHANGES, MIN_TEMPO, Change, Song, Track, value_at
from consort_compose.songs.timeline import Timeline
from consort_music.beats import shown_beats
from consort_music.errors import MusicError, quoted

SHOWN = 20


def tempo_at(song: Song, timeline: Timeline, beat: Fraction) -> float:
    section = timeline.stretch_at(beat).section
    return section.tempo if section and section.tempo else value_at(song.tempo_changes, beat, song.tempo)


def tempo_map(song: Song, timeline: Timeline, end: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return from which beat on each tempo holds, up to `end` or the end of the last section."""
    last = max(end, timeline.planned_end)
    starts = {stretch.start for stretch in timeline.needed(end)}
    starts |= {change.start for change in song.tempo_changes if change.start < last}
    tempos: list[tuple[Fraction, Fraction]] = []
    changes, holds = iter([*song.tempo_changes, Change(last + 1, 0)]), song.tempo
    following = next(changes)
    for start in sorted(starts, key=lambda start: (float(start), start)):
        while following.start <= start:
            holds, following = following.value, next(changes)
        section = timeline.stretch_at(start).section
        bpm = Fraction(str(section.tempo if section and section.tempo else holds))
        if not tempos or tempos[-1][1] != bpm:
            tempos.append((start, bpm))
    return tempos


def with_copied_tempo(song: Song, start: Fraction, end: Fraction, target: Fraction) -> Song:
    return replace(song, tempo_changes=copied_changes(song.tempo_changes, song.tempo, start, end, target))


def with_copied_instruments(song: Song, track: Track, start: Fraction, end: Fraction, target: Fraction) -> Song:
    changes = copied_changes(track.program_changes, track.program or 0, start, end, target)
    return song.with_track(replace(track, program_changes=changes))


def copied_changes(
    changes: Sequence[Change], before: float, start: Fraction, end: Fraction, target: Fraction
) -> tuple[Change, ...]:
    """Return the changes after those of [start, end) were copied to `target`; after the copy nothing changes."""
    stop = target + end - start
    moved = [Change(change.start - start + target, change.value) for change in changes if start < change.start < end]
    found = [change for change in changes if not target <= change.start <= stop]
    found += [Change(target, value_at(changes, start, before)), *moved, Change(stop, value_at(changes, stop, before))]
    return without_repeats(found, before)


def without_repeats(changes: Sequence[Change], before: float) -> tuple[Change, ...]:
    """Return the changes in order, without those that change nothing."""
    kept: list[Change] = []
    for change in sorted(changes, key=lambda change: (float(change.start), change.start)):
        if change.value != (kept[-1].value if kept else before):
            kept.append(change)
    return tuple(kept)


def tempo_changes_given(text: str) -> tuple[Change, ...]:
    """Read `16: 96, 20: 80`, a beat and the tempo from there on."""
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
                "beats a minute, such as 16: 96, 20: 80.",
                ["16: 96, 20: 80"],
                "tempo_changes",
            )
        start = beats_given(beat.strip(), "tempo_changes")
        if not start:
            raise MusicError("INVALID_TEMPO", "At beat 0 the song's tempo holds: give it as tempo.", ["tempo"], "tempo")
        changes[start] = tempo
    if len(changes) > MAX_TEMPO_CHANGES:
        raise MusicError(
            "TOO_LARGE", f"A song has at most {MAX_TEMPO_CHANGES:,} tempo changes.", ["section tempos"], "tempo_changes"
        )
    return tuple(Change(*change) for change in sorted(changes.items()))


def described(changes: Sequence[Change]) -> str | None:
    """As `tempo_changes_given` reads them, the first 20; None if there are none."""
    shown = [f"{shown_beats(change.start)}: {_plain(change.value)}" for change in changes[:SHOWN]]
    more = [f"… {len(changes) - SHOWN} more"] if len(changes) > SHOWN else []
    return ", ".join([*shown, *more]) or None


def _plain(bpm: float) -> str:
    return str(bpm).removesuffix(".0")
