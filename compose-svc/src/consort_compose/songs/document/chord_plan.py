"""The planned chords of a song. They are read from a request, as bars or as symbols on beats, and found by beat."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from consort_compose.songs.document.beat_input import parse_beat_position
from consort_compose.songs.document.names import find_section
from consort_compose.songs.document.song import MAX_BEAT, MAX_CHORDS, Song
from consort_compose.songs.document.timeline import Timeline
from consort_music.chords.grammar import parse_chord
from consort_music.chords.progression import read_progression
from consort_music.chords.timed_chords import ChordMark, ChordSpan, chord_spans, lay_out
from consort_music.errors import MusicError, in_field, quoted
from consort_music.metre import OFFBEAT, Metre
from consort_music.score import Score

_EXAMPLE = '{"symbol": "Dm7", "start": 4}'
_OTHER_NAMES = {"chord": "symbol", "name": "symbol", "start_time": "start", "time": "start"}


def chord_pitch_classes(symbol: str) -> frozenset[int] | None:
    """Return the pitch classes of a chord symbol, or None for N.C. (no chord).

    Raise INVALID_CHORD_SYMBOL if it cannot be read.
    """
    chord = parse_chord(symbol)
    return None if chord.is_no_chord else chord.pitch_classes


def with_chords(song: Song, given: Any, measure: int) -> Song:
    """Plan chords that a request gives.

    Text replaces the chords of its bars, counted from `measure`. A list of {symbol, start} replaces the whole plan; an
    empty list clears it.
    """
    given = join_symbols(given)
    if isinstance(given, str):
        new, start, end = _read_bars(given, Timeline(song), measure)
        kept = without_chords(song, start, end).chords
    elif isinstance(given, list):
        new, kept = [_read_chord_object(each, number) for number, each in enumerate(given)], ()
    else:
        raise MusicError(
            "INVALID_INPUT",
            f"'chords' is {quoted(str(given))}. Write bars as text, such as 'Dm7 | G7 | C', or a list of objects such"
            f" as {_EXAMPLE}.",
            ["Dm7 | G7 | C"],
            "chords",
        )
    return _with_plan(song, kept, new)


def with_score_chords(song: Song, score: Score, offset: Fraction) -> Song:
    """Plan the chord symbols of a score that begins at the beat `offset`. They replace those planned there.

    Raise EMPTY_INPUT if the score has no chord symbols.
    """
    if not score.chords:
        raise MusicError(
            "EMPTY_INPUT",
            "This score has no chord symbols. analyze_harmony returns a score that has them.",
            field="chords",
        )
    with in_field("chords"):
        for mark in score.chords:
            chord_pitch_classes(mark.symbol)
    new = [ChordMark(offset + mark.start, mark.symbol) for mark in score.chords]
    return _with_plan(song, without_chords(song, offset, offset + score.length).chords, new)


def with_chords_replaced(
    song: Song, new: Sequence[ChordMark], start: Fraction, end: Fraction, end_of_notes: float
) -> Song:
    """Replace the chords of [start, end). If notes follow, the chord that held at `end` before still holds there."""
    old = chords_in(song, start, end)
    kept = list(without_chords(song, start, end).chords)
    still_holds = old and end_of_notes > end and not any(chord.start == end for chord in kept)
    if still_holds and new and new[-1].symbol != old[-1].symbol:
        kept.append(ChordMark(end, old[-1].symbol))
    return _with_plan(song, kept, new)


def _with_plan(song: Song, kept: Sequence[ChordMark], new: Sequence[ChordMark]) -> Song:
    """Return the song with these planned chords. Raise a MusicError if they are too many, too late or on one beat."""
    plan = sorted([*kept, *new], key=lambda chord: chord.start)
    if plan and plan[-1].start > MAX_BEAT:
        raise MusicError("INVALID_INPUT", f"The chords go beyond beat {MAX_BEAT:,}, the end of a song.", field="chords")
    if len(plan) > MAX_CHORDS:
        raise MusicError(
            "TOO_MANY_CHORDS",
            f"The song would have {len(plan):,} planned chords; at most {MAX_CHORDS:,} are allowed. Plan fewer, for "
            "example one chord for each bar.",
            field="chords",
        )
    doubled = [chord for chord, following in pairwise(plan) if chord.start == following.start]
    if doubled:
        message = f"Two chords are on beat {doubled[0].start}. Leave one out, or move it."
        raise MusicError("INVALID_INPUT", message, [_EXAMPLE], "chords")
    return replace(song, chords=tuple(plan))


def chords_in(song: Song, start: Fraction, end: Fraction) -> list[ChordMark]:
    """Return the chords that begin in [start, end)."""
    return [chord for chord in song.chords if start <= chord.start < end]


def chords_held_in(song: Song, start: Fraction, end: Fraction) -> list[ChordMark]:
    """Return the chords of [start, end), beginning with the one that already holds at `start`, if any."""
    chords = chords_in(song, start, end)
    held = ChordFinder(song).at(start)
    if held is not None and not (chords and chords[0].start == start):
        chords.insert(0, ChordMark(start, held))
    return chords


class ChordPlan(NamedTuple):
    """The chords of a song or section with their lengths, counted from its beginning, and the metre there."""

    chords: list[ChordSpan]
    metre: Metre


def planned_chords(song: Song, section_name: str | None) -> ChordPlan:
    """Return the planned chords of a section or, if `section_name` is None, of the whole song.

    Raise EMPTY_INPUT if no chords are planned there, or UNKNOWN_SECTION if there is no such section.
    """
    timeline = Timeline(song)
    start = Fraction(0)
    if section_name is not None:
        start, end = timeline.range_of(find_section(song, section_name, "section"))
    elif song.chords:
        end = timeline.start_of(timeline.measure_at(song.chords[-1].start) + 1)
    else:
        end = start
    marks = [ChordMark(mark.start - start, mark.symbol) for mark in chords_held_in(song, start, end)]
    if not marks:
        where = f"section {quoted(section_name)}" if section_name else "the song"
        message = f"No chords are planned in {where}. Plan some with set_chords, or give chords: Fmaj7 | Gm7 C7."
        raise MusicError("EMPTY_INPUT", message, field="song_id")
    return ChordPlan(chord_spans(marks, end - start), timeline.span_at(start).metre)


def without_chords(song: Song, start: Fraction, end: Fraction) -> Song:
    """Remove the chords that begin in [start, end)."""
    return replace(song, chords=tuple(chord for chord in song.chords if not start <= chord.start < end))


def _read_bars(text: str, timeline: Timeline, measure: int) -> tuple[list[ChordMark], Fraction, Fraction]:
    """Return the chords of a text of bars, and the first beat and the end of these bars."""
    if not text.strip():
        raise MusicError(
            "EMPTY_INPUT",
            "'chords' is empty. Write bars of chords, with N.C. for no chord; an empty list clears the plan.",
            ["Dm7 | G7 | C", "N.C.", "[]"],
            "chords",
        )
    with in_field("chords"):
        bars = read_progression(text, measure)
    end = measure + len(bars)
    chords = lay_out(bars, map(timeline.bars.bar, range(measure, end)))
    return chords, timeline.start_of(measure), timeline.start_of(end)


def bars_with_offbeat_chords(song: Song, given: Any, measure: int) -> list[int]:
    """Return the bars in which a chord of the text begins between beats. Chords share their bar evenly."""
    given = join_symbols(given)
    if not isinstance(given, str):
        return []
    timeline = Timeline(song)
    chords, _, _ = _read_bars(given, timeline, measure)
    found = set()
    for chord in chords:
        if timeline.bars.strength(chord.start) == OFFBEAT:
            found.add(timeline.measure_at(chord.start))
    return sorted(found)


def join_symbols(given: Any) -> Any:
    """Join a list of symbols to text with one symbol per bar; return anything else unchanged."""
    is_symbols = isinstance(given, list) and given and all(isinstance(each, str) for each in given)
    return " | ".join(given) if is_symbols else given


def _read_chord_object(given: Any, number: int) -> ChordMark:
    """Read an object {symbol, start}, item `number` of the list `chords`. Raise a MusicError if it is invalid."""
    field = f"chords.{number}"
    if isinstance(given, dict):
        given = {_OTHER_NAMES.get(name, name): value for name, value in given.items()}
    if not isinstance(given, dict) or given.keys() != {"symbol", "start"} or not isinstance(given["symbol"], str):
        raise MusicError(
            "INVALID_INPUT",
            f"'{field}' needs symbol and start (in beats from 0), such as {_EXAMPLE}. For chords by bars, write text"
            " such as 'Dm7 | G7 | C', and give its first bar as measure.",
            [_EXAMPLE, "Dm7 | G7 | C"],
            field,
        )
    start = given["start"]
    if isinstance(start, bool) or not isinstance(start, int | float | str):
        message = f"'{field}.start' is {quoted(str(start))}; write a beat, such as 4 or '9 + 1/3'."
        raise MusicError("INVALID_EXPRESSION", message, ["4"], f"{field}.start")
    symbol = given["symbol"].strip()
    with in_field(f"{field}.symbol"):
        chord_pitch_classes(symbol)
    return ChordMark(parse_beat_position(start, f"{field}.start"), symbol)


class ChordFinder:
    """Finds the chord that is planned at a beat by binary search on floats."""

    def __init__(self, song: Song) -> None:
        self._chords = song.chords
        self._floats = [float(chord.start) for chord in song.chords]

    def at(self, beat: Fraction) -> str | None:
        """Return the symbol of the chord that holds at a beat; None before the first chord."""
        beat_float = float(beat)
        index = bisect_right(self._floats, beat_float) - 1
        if index >= 0 and self._floats[index] == beat_float and self._chords[index].start > beat:
            index -= 1
        return self._chords[index].symbol if index >= 0 else None


def list_chords(song: Song, start: Fraction, end: Fraction) -> str | None:
    """Return the symbols that begin in [start, end) as text, at most 64; None if there are none."""
    found = [chord.symbol for chord in chords_in(song, start, end)]
    return " ".join(found[:64]) + (" …" if len(found) > 64 else "") if found else None
