"""Read notes with music21, in a form that can be compared with our scores."""

import re
import warnings
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from consort_music.score import Score

ComparedNote = tuple[Fraction, Fraction, str]
"""Start and duration in quarters, and the name of the pitch, such as `Bbb3`."""
_ROUNDED = Fraction(1, 40)
"""Largest rounding error of starts and durations, in quarters."""


def music21_reads(text: str | bytes, form: str) -> Any:
    from music21 import converter

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # music21 warns about many texts that are correct
        return converter.parseData(text, format=form)


def music21_notes(stream: Any) -> list[list[ComparedNote]]:
    """Return the notes of each part. Tied notes are merged."""
    from music21.common import opFrac

    return [
        _merged((Fraction(opFrac(element.offset)), element) for element in part.flatten().notes)
        for part in stream.parts
    ]


def music21_notes_in_step(stream: Any) -> list[list[ComparedNote]]:
    """Return the notes of each part, with measures that begin at the same time in all parts.

    A measure is as long as it is in the part where it is longest. This is for files whose measures do not add up:
    music21 computes the times of each part separately, so after a measure with a missing rest the parts are no longer
    in step. In music21 a dynamic with an offset, or a superfluous rest, makes a measure longer; this is corrected.
    """
    parts = [list(part.getElementsByClass("Measure")) for part in stream.parts]
    starts = [Fraction(0)]
    metre = Fraction(4)
    for place in range(max(map(len, parts), default=0)):
        column = [part[place] for part in parts if place < len(part)]
        stated = [measure.timeSignature for measure in column if measure.timeSignature]
        metre = Fraction(stated[0].barDuration.quarterLength) if stated else metre
        sounding, resting = Fraction(0), Fraction(0)
        for measure in column:
            for element in measure.recurse().notesAndRests:
                end = Fraction(element.getOffsetInHierarchy(measure)) + Fraction(element.quarterLength)
                if element.isRest:
                    resting = max(resting, end)
                elif "ChordSymbol" not in element.classes:
                    sounding = max(sounding, end)
        starts.append(starts[-1] + (max(sounding, min(resting, metre)) or metre))
    return [
        _merged(
            (start + Fraction(element.getOffsetInHierarchy(measure)), element)
            for measure, start in zip(part, starts, strict=False)
            for element in sorted(measure.recurse().notes, key=lambda each: each.getOffsetInHierarchy(measure))
        )
        for part in parts
    ]


def _merged(elements: Iterable[tuple[Fraction, Any]]) -> list[ComparedNote]:
    """Return the notes with ties merged. music21's own `stripTies` fails if voices overlap."""
    found: list[ComparedNote] = []
    open_ties: dict[tuple[str, Fraction], int] = {}  # by pitch and end: the index in `found` of a note with a tie
    for start, element in elements:
        if "ChordSymbol" in element.classes or element.duration.isGrace or "Unpitched" in element.classes:
            continue
        for note in element.notes if element.isChord else [element]:
            if "Unpitched" in note.classes:
                continue
            duration = Fraction(note.quarterLength or element.quarterLength).limit_denominator(65535)
            name = note.pitch.nameWithOctave.replace("-", "b")
            kind = note.tie.type if note.tie else None
            place = open_ties.pop((name, start), None) if kind in ("stop", "continue") else None
            if place is None:
                place = len(found)
                found.append((start, duration, name))
            else:
                found[place] = (found[place][0], found[place][1] + duration, name)
            if kind in ("start", "continue"):
                open_ties[name, start + duration] = place
    return sorted(found)


def our_notes(score: Score) -> list[list[ComparedNote]]:
    return [sorted((note.start, note.duration, note.pitch.name) for note in part.notes) for part in score.parts]


def music21_abc(text: str) -> Any:
    """Parse the first tune of an ABC text with music21, with workarounds for some of its errors.

    - If the text has no version, music21 applies an accidental to one note only. In the standard it applies to the
      whole bar. So a version is added.
    - Slurs, decorations, annotations and grace notes make music21 miss broken rhythms and notes. They are removed,
      because they are not compared.
    """
    tunes = re.split(r"(?m)^(?=[ \t]*X:)", text)
    first = tunes[0] if re.match(r"[ \t]*X:", tunes[0]) or len(tunes) == 1 else tunes[0] + tunes[1]
    lines = []
    for line in first.splitlines():
        if not re.match(r"\s*[A-Za-z]:(?![|:])|%", line):
            line = re.sub(r"\{[^}]*\}|\"[^\"]*\"|\((?![0-9])|\)|[.~uvk]|[H-W](?=[\^_=]*[A-Ga-g\[|])", "", line)
        lines.append(line)
    found = music21_reads("%abc-2.1\n" + "\n".join(lines), "abc")
    return found.scores[0] if "Opus" in found.classes else found


def is_same_music(theirs: list[list[ComparedNote]], ours: list[list[ComparedNote]]) -> bool:
    """Return whether both have the same notes, up to a rounding error of 1/40 quarter. Empty parts are ignored."""
    theirs, ours = [part for part in theirs if part], [part for part in ours if part]
    return len(theirs) == len(ours) and all(map(_is_same_part, theirs, ours))


def _is_same_part(theirs: list[ComparedNote], ours: list[ComparedNote]) -> bool:
    if theirs == ours:
        return True
    near = [sorted(part, key=lambda fact: (round(fact[0] * 16), fact[2], fact[0])) for part in (theirs, ours)]
    return len(theirs) == len(ours) and all(
        mine[2] == other[2] and abs(mine[0] - other[0]) < _ROUNDED and abs(mine[1] - other[1]) < _ROUNDED
        for mine, other in zip(*near, strict=True)
    )


def music21_file(path: Path) -> Any:
    """Parse a file with music21, at sounding pitch."""
    from music21 import converter

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return converter.parse(path, forceSource=True, storePickle=False).toSoundingPitch()
