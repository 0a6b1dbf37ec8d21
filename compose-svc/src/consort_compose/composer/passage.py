"""A score as an answer shows it."""

from collections.abc import Iterator
from fractions import Fraction

from consort_compose.composer.models import ComposedNote, Passage
from consort_music.duration import format_duration
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.note_list import format_note_list
from consort_music.score import Score

_VALUES = {"w": "whole", "h": "half", "q": "quarter", "e": "eighth", "s": "sixteenth", "t": "thirty-second"}
_DOTS = {0: "", 1: "dotted ", 2: "double-dotted "}
_PLAIN = (Fraction(4), Fraction(2), Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))


def passage(score: Score, *, musicxml: bool, notes: bool, note_list: bool = False) -> Passage | None:
    """Write a score in each form that is asked for; None where none is."""
    if not (musicxml or notes or note_list):
        return None
    return Passage(
        note_list=format_note_list(score) if note_list else None,
        musicxml=write_musicxml(score) if musicxml else None,
        notes=list(_notes(score)) if notes else None,
    )


def duration_name(duration: Fraction) -> str:
    """`dotted quarter`, `eighth triplet`, `half tied to eighth`; what no note values make up, in quarters."""
    if name := _value_name(duration):
        return name
    tied, rest = [], duration
    for value in _PLAIN:
        while rest >= value:
            tied.append(_value_name(value) or "")
            rest -= value
    return f"{duration} quarters" if rest else " tied to ".join(tied)


def _value_name(duration: Fraction) -> str | None:
    symbol = format_duration(duration)
    if symbol is None or symbol.count("d") not in _DOTS:
        return None
    return _DOTS[symbol.count("d")] + _VALUES[symbol[0]] + (" triplet" if symbol.endswith("3") else "")


def _notes(score: Score) -> Iterator[ComposedNote]:
    several = len(score.parts) > 1
    for part in score.parts:
        for note in part.notes:
            place = score.place(note.start)
            yield ComposedNote(
                pitch=note.pitch.name,
                duration=duration_name(note.duration),
                measure=place.measure,
                beat=round(float(place.beat), 4),
                part=part.name if several else None,
            )
