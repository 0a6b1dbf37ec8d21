"""The planned chords: read as bars (`consort_music.chords.progression`) or as symbols on beats, and found by beat."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from consort_compose.songs.beats import beats_given
from consort_compose.songs.song import MAX_BEAT, MAX_CHORDS, Song
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.words import section_of
from consort_music.chords import parse_chord
from consort_music.chords.layout import ChordMark, ChordSpan, chord_spans, lay_out
from consort_music.chords.progression import read_progression
from consort_music.errors import MusicError, in_field, quoted
from consort_music.metre import OFFBEAT, Metre
from consort_music.score import Score

_EXAMPLE = '{"symbol": "Dm7", "start": 4}'
_OTHER_NAMES = {"chord": "symbol", "name": "symbol", "start_time": "start", "time": "start"}


def pitch_classes(symbol: str) -> frozenset[int] | None:
    """What sounds in a chord; None where there is none (N.C.), or it means nothing."""
    chord = parse_chord(symbol)
    return None if chord.is_no_chord else chord.pitch_classes


def with_chords(song: Song, given: Any, measure: int) -> Song:
    """Bars replace the chords of those bars; symbols on beats replace the whole plan, and an empty list clears it."""
    given = as_text(given)
    if isinstance(given, str):
        new, start, end = _read_bars(given, Timeline(song), measure)
        kept = without_chords(song, start, end).chords
    elif isinstance(given, list):
        new, kept = [_read_object(each, number) for number, each in enumerate(given)], ()
    else:
        raise MusicError(
            "INVALID_INPUT",
            f"'chords' is {quoted(str(given))}. Write bars as text, such as 'Dm7 | G7 | C', or a list of objects such"
            f" as {_EXAMPLE}.",
            ["Dm7 | G7 | C"],
            "chords",
        )
    return _planned(song, kept, new)


def with_score_chords(song: Song, score: Score, offset: Fraction) -> Song:
    """The chord symbols of a score that begins at a beat, instead of what was planned there."""
    if not score.chords:
        raise MusicError(
            "EMPTY_INPUT", "This score has no chord symbols; analyze_harmony makes one that has.", field="chords"
        )
    with in_field("chords"):
        for mark in score.chords:
            pitch_classes(mark.symbol)
    new = [ChordMark(offset + mark.start, mark.symbol) for mark in score.chords]
    return _planned(song, without_chords(song, offset, offset + score.length).chords, new)


def with_chords_moved(
    song: Song, new: Sequence[ChordMark], start: Fraction, end: Fraction, end_of_notes: float
) -> Song:
    """Replace the chords of a range; an old chord that held beyond the range under later notes still holds there."""
    old = chords_in(song, start, end)
    kept = list(without_chords(song, start, end).chords)
    holds_on = old and end_of_notes > end and not any(chord.start == end for chord in kept)
    if holds_on and new and new[-1].symbol != old[-1].symbol:
        kept.append(ChordMark(end, old[-1].symbol))
    return _planned(song, kept, new)


def _planned(song: Song, kept: Sequence[ChordMark], new: Sequence[ChordMark]) -> Song:
    plan = sorted([*kept, *new], key=lambda chord: chord.start)
    if plan and plan[-1].start > MAX_BEAT:
        raise MusicError("INVALID_INPUT", f"The chords go beyond beat {MAX_BEAT:,}, where a song ends.", field="chords")
    if len(plan) > MAX_CHORDS:
        raise MusicError(
            "TOO_MANY_CHORDS",
            f"The song would have {len(plan):,} planned chords; at most {MAX_CHORDS:,} are allowed. Plan fewer, for "
            "example one chord for each bar.",
            field="chords",
        )
    doubled = [chord for chord, following in pairwise(plan) if chord.start == following.start]
    if doubled:
        told = f"Two chords are on beat {doubled[0].start}. Leave one out, or move it."
        raise MusicError("INVALID_INPUT", told, [_EXAMPLE], "chords")
    return replace(song, chords=tuple(plan))


def chords_in(song: Song, start: Fraction, end: Fraction) -> list[ChordMark]:
    """Return the chords that begin in a range."""
    return [chord for chord in song.chords if start <= chord.start < end]


def chords_held_in(song: Song, start: Fraction, end: Fraction) -> list[ChordMark]:
    """Return the chords that begin in a range, after the one that still holds at its start, if any."""
    chords = chords_in(song, start, end)
    held = ChordFinder(song).at(start)
    if held is not None and not (chords and chords[0].start == start):
        chords.insert(0, ChordMark(start, held))
    return chords


class ChordPlan(NamedTuple):
    """The chords of a song or a section in time, from beat 0, and their metre."""

    chords: list[ChordSpan]
    metre: Metre


def planned_chords(song: Song, section_name: str | None) -> ChordPlan:
    """Return the planned chords of a song or a section; raises EMPTY_INPUT, UNKNOWN_SECTION."""
    timeline = Timeline(song)
    start = Fraction(0)
    if section_name is not None:
        start, end = timeline.range_of(section_of(song, section_name, "section"))
    elif song.chords:
        end = timeline.start_of(timeline.measure_at(song.chords[-1].start) + 1)
    else:
        end = start
    marks = [ChordMark(mark.start - start, mark.symbol) for mark in chords_held_in(song, start, end)]
    if not marks:
        where = f"section {quoted(section_name)}" if section_name else "the song"
        message = f"No chords are planned in {where}. Plan some with set_chords, or give chords: Fmaj7 | Gm7 C7."
        raise MusicError("EMPTY_INPUT", message, field="song_id")
    return ChordPlan(chord_spans(marks, end - start), timeline.stretch_at(start).metre)


def without_chords(song: Song, start: Fraction, end: Fraction) -> Song:
    return replace(song, chords=tuple(chord for chord in song.chords if not start <= chord.start < end))


def _read_bars(text: str, timeline: Timeline, measure: int) -> tuple[list[ChordMark], Fraction, Fraction]:
    """The chords of bars, and from where to where these are."""
    if not text.strip():
        raise MusicError(
            "EMPTY_INPUT",
            "'chords' is empty. Write bars of chords, N.C. where none is to sound; an empty list clears the plan.",
            ["Dm7 | G7 | C", "N.C.", "[]"],
            "chords",
        )
    with in_field("chords"):
        bars = read_progression(text, measure)
    end = measure + len(bars)
    chords = lay_out(bars, map(timeline.bars.bar, range(measure, end)))
    return chords, timeline.start_of(measure), timeline.start_of(end)


def between_beats(song: Song, given: Any, measure: int) -> list[int]:
    """The bars of a text whose chords, which share a bar evenly, do not all begin on beats."""
    given = as_text(given)
    if not isinstance(given, str):
        return []
    timeline = Timeline(song)
    chords, _, _ = _read_bars(given, timeline, measure)
    found = set()
    for chord in chords:
        if timeline.bars.strength(chord.start) == OFFBEAT:
            found.add(timeline.measure_at(chord.start))
    return sorted(found)


def as_text(given: Any) -> Any:
    """Read a list of symbols as text, a bar for each."""
    is_symbols = isinstance(given, list) and given and all(isinstance(each, str) for each in given)
    return " | ".join(given) if is_symbols else given


def _read_object(given: Any, number: int) -> ChordMark:
    place = f"chords.{number}"
    if isinstance(given, dict):
        given = {_OTHER_NAMES.get(name, name): value for name, value in given.items()}
    if not isinstance(given, dict) or given.keys() != {"symbol", "start"} or not isinstance(given["symbol"], str):
        raise MusicError(
            "INVALID_INPUT",
            f"'{place}' needs symbol and start (in beats from 0), such as {_EXAMPLE}. For chords by bars write text,"
            " such as 'Dm7 | G7 | C', and the bar where it begins as measure.",
            [_EXAMPLE, "Dm7 | G7 | C"],
            place,
        )
    start = given["start"]
    if isinstance(start, bool) or not isinstance(start, int | float | str):
        told = f"'{place}.start' is {quoted(str(start))}; write a beat, such as 4 or '9 + 1/3'."
        raise MusicError("INVALID_EXPRESSION", told, ["4"], f"{place}.start")
    symbol = given["symbol"].strip()
    with in_field(f"{place}.symbol"):
        pitch_classes(symbol)
    return ChordMark(beats_given(start, f"{place}.start"), symbol)


class ChordFinder:
    """Which chord is planned at a beat."""

    def __init__(self, song: Song) -> None:
        self._chords = song.chords
        self._floats = [float(chord.start) for chord in song.chords]

    def at(self, beat: Fraction) -> str | None:
        rough = float(beat)
        place = bisect_right(self._floats, rough) - 1
        if place >= 0 and self._floats[place] == rough and self._chords[place].start > beat:
            place -= 1
        return self._chords[place].symbol if place >= 0 else None


def described(song: Song, start: Fraction, end: Fraction) -> str | None:
    """The chords that begin in a range, one after the other."""
    found = [chord.symbol for chord in chords_in(song, start, end)]
    return " ".join(found[:64]) + (" …" if len(found) > 64 else "") if found else None
