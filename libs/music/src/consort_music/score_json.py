"""Convert a score to compact, exact JSON and back, for storing in a database.

Times are integers, or strings such as `"7/3"`. A note is `[start, duration, pitch]`, followed by its velocity if that
is not the default. A pitch is stored by name; a key by step, alteration and mode. A syllable is `[start, text]`,
followed by its place in the word and its verse if it is not a whole word of the first verse. Empty and default values
are left out.
"""

import re
from fractions import Fraction
from typing import Any

from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.pitch import Pitch
from consort_music.printed_measures import PrintedMeasure
from consort_music.score import DEFAULT_VELOCITY, Lyric, Note, Part, Score

_PITCH = re.compile(r"([A-G])(#{0,2}|b{0,2})(-?[0-9]+)")


def score_to_json(score: Score) -> dict[str, Any]:
    """Return a score as lists, strings and integers, which `score_from_json` reads as an equal score."""
    contents: dict[str, Any] = {
        "parts": [_part_to_json(part) for part in score.parts],
        "metres": [[_time(at), metre.numerator, metre.denominator] for at, metre in score.metres],
        "keys": [[_time(at), key.step, key.alter, key.mode] for at, key in score.keys],
        "tempos": [[_time(at), _time(bpm)] for at, bpm in score.tempos],
        "chords": [[_time(mark.start), mark.symbol] for mark in score.chords],
        "pickup": _time(score.pickup),
        "title": score.title,
        "rest_to": _time(score.rest_to),
        "fermatas": [_time(at) for at in score.fermatas],
        "unspelled": not score.is_spelled,
        "measures": [[_time(one.start), one.number, _time(one.missing)] for one in score.printed_measures],
    }
    return {
        name: value
        for name, value in contents.items()
        if name in ("parts", "metres") or value not in ([], 0, None, False)
    }


def score_from_json(data: dict[str, Any]) -> Score:
    return Score(
        parts=tuple(_part_from_json(part) for part in data["parts"]),
        metres=tuple((Fraction(at), Metre(upper, lower)) for at, upper, lower in data["metres"]),
        keys=tuple((Fraction(at), Key(step, alter, mode)) for at, step, alter, mode in data.get("keys", ())),
        tempos=tuple((Fraction(at), Fraction(bpm)) for at, bpm in data.get("tempos", ())),
        chords=tuple(ChordMark(Fraction(at), symbol) for at, symbol in data.get("chords", ())),
        pickup=Fraction(data.get("pickup", 0)),
        title=data.get("title"),
        rest_to=Fraction(data.get("rest_to", 0)),
        fermatas=tuple(Fraction(at) for at in data.get("fermatas", ())),
        is_spelled=not data.get("unspelled", False),
        printed_measures=tuple(
            PrintedMeasure(Fraction(start), number, Fraction(missing))
            for start, number, missing in data.get("measures", ())
        ),
    )


def _part_to_json(part: Part) -> dict[str, Any]:
    notes: list[list[int | str]] = []
    for note in part.notes:
        row = [_time(note.start), _time(note.duration), note.pitch.name]
        if note.velocity != DEFAULT_VELOCITY:
            row.append(note.velocity)
        notes.append(row)
    named: dict[str, Any] = {"name": part.name, "notes": notes}
    if part.instrument is not None:
        named["instrument"] = part.instrument
    if part.lyrics:
        named["lyrics"] = [_lyric_to_json(at, lyric) for at, lyric in part.lyrics]
    return named


def _lyric_to_json(at: Fraction, lyric: Lyric) -> list[int | str]:
    is_plain = lyric == Lyric(lyric.text)
    return [_time(at), lyric.text] if is_plain else [_time(at), lyric.text, lyric.syllabic, lyric.verse]


def _part_from_json(data: dict[str, Any]) -> Part:
    pitches: dict[str, Pitch] = {}
    times: dict[int | str, Fraction] = {}
    notes = []
    for start, duration, name, *velocity in data["notes"]:
        pitch = pitches.get(name) or pitches.setdefault(name, _pitch(name))
        start = times.get(start) or times.setdefault(start, Fraction(start))
        duration = times.get(duration) or times.setdefault(duration, Fraction(duration))
        notes.append(Note(start, duration, pitch, *velocity))
    lyrics = tuple((Fraction(at), Lyric(*rest)) for at, *rest in data.get("lyrics", ()))
    return Part(data["name"], tuple(notes), data.get("instrument"), lyrics)


def _time(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def _pitch(name: str) -> Pitch:
    """Read any name that `Pitch.name` returns. Unlike `Pitch.parse`, this accepts octave -1."""
    match = _PITCH.fullmatch(name)
    if match is None:
        raise ValueError(name)
    step, accidentals, octave = match.groups()
    return Pitch(step, accidentals.count("#") - accidentals.count("b"), int(octave))
