"""Describe a notated score bar by bar in short text, as it is written: notes, rests, ties and voices.

    5 (0.62): RH C5:q D5:e E5:e~ | E5:h R:h; LH C3+G3:w

Values are those of note lists: w h q e s t (32nd) with d for each dot and 3, 5, … for tuplets; `~` is a tie to the next
note. Voices of a staff are separated by ` / `, staves and parts by `; `. A bar of rest is `R`.
"""

from collections.abc import Iterator

from consort_music.notation.writing.notated_score import NotatedScore
from consort_music.notation.writing.note_values import NoteValue
from consort_music.notation.writing.written_bars import BarWriter, WrittenValue, WrittenVoice

_LETTERS = {
    "long": "4w",
    "breve": "2w",
    "whole": "w",
    "half": "h",
    "quarter": "q",
    "eighth": "e",
    "16th": "s",
    "32nd": "t",
    "64th": "64",
    "128th": "128",
}
_REST = "R"


def bar_texts(score: NotatedScore) -> list[tuple[int, str]]:
    """Return the number and the text of each bar. Staves for tablature are left out."""
    writer = BarWriter(score)
    lines: list[list[str]] = [[] for _ in writer.bars]
    several_parts = len(writer.score.parts) > 1
    for part in writer.score.parts:
        staves = [staff for staff in part.staves if not staff.strings] or list(part.staves[:1])
        for number, staff in enumerate(staves):
            hand = ("RH", "LH")[number] if len(staves) == 2 else str(number + 1) if len(staves) > 2 else ""
            label = " ".join(filter(None, (part.name if several_parts else "", hand)))
            for place, (_, voices) in enumerate(writer.staff_bars(staff.voices)):
                text = " / ".join(_voice(voice) for voice in voices)
                if text != _REST or not several_parts:
                    lines[place].append(f"{label} {text}".strip())
    numbers = [bar.number for bar in writer.bars]
    return [(number, "; ".join(line) or _REST) for number, line in zip(numbers, lines, strict=True)]


def _voice(voice: WrittenVoice) -> str:
    return " ".join(map(_value, voice.values)) or _REST


def _value(value: WrittenValue) -> str:
    if value.chord is None:
        return f"{_REST}:{_length(value.value)}"
    names = "+".join(pitch.name for pitch in value.chord.pitches)
    marks = "".join(_marks(value))
    return f"{marks}{names}:{_length(value.value)}{'~' if value.is_tied else ''}"


def _marks(value: WrittenValue) -> Iterator[str]:
    chord = value.chord
    if chord is None or not value.is_first:
        return
    for grace in chord.grace_notes:
        yield "{" + "+".join(pitch.name for pitch in grace.pitches) + "}"
    if "staccato" in chord.articulations:
        yield "."
    if "accent" in chord.articulations:
        yield ">"


def _length(value: NoteValue) -> str:
    tuplet = str(value.actual) if value.actual > 1 else ""
    return _LETTERS.get(value.kind, "?") + "d" * value.dots + tuplet
