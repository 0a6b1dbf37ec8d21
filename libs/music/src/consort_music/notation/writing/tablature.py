"""Add tablature to a notated score: strings and frets for every note, on a separate staff."""

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import inf

from consort_music.errors import MusicError, quoted
from consort_music.frets.fret_positions import FretHints, FretPosition, TabNote, fret_positions
from consort_music.frets.fretboards import Fretboard, fretboard
from consort_music.frets.hand import Place
from consort_music.frets.tunings import fretted_program
from consort_music.instruments import known_instrument
from consort_music.notation.writing.notated_score import (
    NotatedPart,
    NotatedScore,
    NotatedStaff,
    NotatedVoice,
    StringFret,
)
from consort_music.pitch import Pitch

_DEFAULT = "guitar"
_DEFAULT_BPM = 100
_MOST_REPORTED = 12
_MOST_PLACES = 8
_MOST_PARTS = 4
_UNPLACED = ("out_of_range", "no_string")
_HARD = {
    "cut_early": "cannot ring for their whole length, because the string or finger is needed",
    "fast_shift": "leave the hand too little time to move",
}
_PIN = re.compile(r"\s*(\d{1,5}:\d{1,2}(?:\.\d{1,3})?)\s+(\S{2,5})\s+(\d{1,2})(?:/(\d{1,2}))?\s*")

_Pin = tuple[str, int]
"""A bar and beat, and a pitch."""


@dataclass(frozen=True)
class TabOptions:
    """The instrument (None: that of each part), its tuning and capo, and what the player wants."""

    instrument: str | None = None
    tuning: str | None = None
    capo: int = 0
    hints: FretHints = field(default_factory=FretHints)
    pinned: tuple[str, ...] = ()
    """Notes with their string, or string and fret, as `2:1.5 B3 3` or `2:1.5 B3 3/4`: bar and beat as in warnings."""
    with_staff: bool = True
    """Whether the staff with notes stands above the tablature."""


@dataclass(frozen=True)
class TabScore:
    score: NotatedScore
    warnings: list[str]


def with_tablature(score: NotatedScore, options: TabOptions) -> TabScore:
    """Return the score with tablature for its fretted parts, or for all parts if none is fretted.

    Notes that cannot be played are named above the staff and in a warning; places that are too hard for a hand are in
    a warning. Raise UNKNOWN_INSTRUMENT, INVALID_TUNING, INVALID_CAPO or INVALID_FRET_HINT.
    """
    pitched = [part for part in score.parts if not part.is_drums]
    chosen = [part for part in pitched if _fretted_name(part)] or pitched[:_MOST_PARTS]
    parts: list[NotatedPart] = []
    warnings: list[str] = []
    unplaced: dict[Fraction, set[int]] = {}
    set_up: list[str] = []
    pins = _read_pins(options.pinned)
    unused = set(pins)
    for part in chosen:
        board = fretboard(options.instrument or _fretted_name(part) or _DEFAULT, options.tuning, options.capo)
        set_up.append(_set_up(board))
        pinned = _pins_of_part(part, score, pins)
        unused -= set(pinned.values())
        for pin in pinned.values():
            _check_pin(pin, pins[pin], board)
        hints = replace(options.hints, pinned={note: pins[pin] for note, pin in pinned.items()})
        written, problems = _tab_part(part, board, hints, options, score)
        parts.append(written)
        name = part.name or board.instrument
        hard: dict[str, list[str]] = {}
        for start, position in problems:
            assert position.problem is not None
            where = _place(score, start)
            if position.problem.kind in _UNPLACED:
                warnings.append(f"{name}, bar {where}: {position.problem.message}")
                unplaced.setdefault(start, set()).add(position.pitch)
            else:
                hard.setdefault(position.problem.kind, []).append(where)
        warnings += [_hard_warning(name, kind, places) for kind, places in hard.items()]
    if unused:
        where, pitch = min(unused)
        raise _bad_pin(f"There is no note {Pitch.from_midi(pitch).name} at {where} to pin.")
    if len(warnings) > _MOST_REPORTED:
        warnings = [*warnings[:_MOST_REPORTED], f"And {len(warnings) - _MOST_REPORTED} more notes like these."]
    marks = [(score.bars[0].start, text) for text in dict.fromkeys(filter(None, set_up))] if score.bars else []
    marks += [(start, _pitch_names(pitches)) for start, pitches in sorted(unplaced.items())]
    return TabScore(replace(score, parts=tuple(parts), note_words=tuple(marks)), warnings)


def _set_up(board: Fretboard) -> str:
    """Return what a player does before the first note: the capo, and a tuning that is not the usual one."""
    is_usual = board.tuning_text == fretboard(board.instrument).tuning_text
    texts = (f"Capo {board.capo}" if board.capo else "", "" if is_usual else f"Tuning {board.tuning_text}")
    return ", ".join(filter(None, texts))


def _pitch_names(pitches: set[int]) -> str:
    return f"({' '.join(Pitch.from_midi(pitch).name for pitch in sorted(pitches))})"


def _fretted_name(part: NotatedPart) -> str | None:
    instrument = known_instrument(part.instrument)
    name = part.name.casefold()
    for word in ("ukulele", "mandolin", "banjo"):
        if word in name:
            return word
    if instrument is None or part.is_drums:
        return None
    return fretted_program(instrument.program)


def _place(score: NotatedScore, start: Fraction) -> str:
    """Return bar and beat as in the whole piece, if only some of its bars are shown."""
    return score.position_at(start).text


def _hard_warning(name: str, kind: str, places: Sequence[str]) -> str:
    found = list(dict.fromkeys(places))
    more = " …" if len(found) > _MOST_PLACES else ""
    return f"{name}: notes at {', '.join(found[:_MOST_PLACES])}{more} (bar:beat) {_HARD[kind]}."


def _read_pins(pinned: Sequence[str]) -> dict[_Pin, int | Place]:
    pins: dict[_Pin, int | Place] = {}
    for text in pinned:
        match = _PIN.fullmatch(text)
        if match is None:
            raise _bad_pin(f"{quoted(text)} does not pin a note.")
        pitch = Pitch.parse(match[2]).midi
        pins[match[1], pitch] = (int(match[3]), int(match[4])) if match[4] else int(match[3])
    return pins


def _pins_of_part(part: NotatedPart, score: NotatedScore, pins: Mapping[_Pin, int | Place]) -> dict[Hashable, _Pin]:
    """Return the pinned notes of a part by the id of their `TabNote`."""
    if not pins:
        return {}
    found: dict[Hashable, _Pin] = {}
    for note, start in _tab_notes(_voices(part), _seconds(())):
        pin = (_place(score, start), note.pitch)
        if pin in pins:
            found[note.id] = pin
    return found


def _check_pin(pin: _Pin, place: int | Place, board: Fretboard) -> None:
    """Raise INVALID_FRET_HINT if a note is pinned to a place where it does not sound."""
    where, pitch = pin
    string, fret = place if isinstance(place, tuple) else (place, None)
    note = f"{Pitch.from_midi(pitch).name} at {where}"
    if not 1 <= string <= board.strings:
        raise _bad_pin(f"{note}: there is no string {string}, only 1 to {board.strings}.")
    right = board.fret(string, pitch)
    if right is None:
        raise _bad_pin(f"{note} cannot be played on string {string}.")
    if fret not in (None, right):
        raise _bad_pin(f"{note} is at fret {right} of string {string}, not {fret}.")


def _bad_pin(problem: str) -> MusicError:
    return MusicError(
        "INVALID_FRET_HINT",
        f"{problem} Write bar:beat, note, string and, if you like, fret: 2:1.5 B3 3/4.",
        ["2:1.5 B3 3"],
        "pinned",
    )


def _seconds(tempos: Sequence[tuple[Fraction, Fraction]]) -> Callable[[Fraction], float]:
    """Return a function from quarter notes to seconds."""
    changes = [(float(at), 60 / float(bpm)) for at, bpm in tempos] or [(0.0, 60 / _DEFAULT_BPM)]
    begins = [0.0]
    for (start, each), (end, _) in pairwise(changes):
        begins.append(begins[-1] + (end - start) * each)

    def at(moment: Fraction) -> float:
        place = max(bisect_right(changes, (float(moment), inf)) - 1, 0)
        start, each = changes[place]
        return begins[place] + (float(moment) - start) * each

    return at


def _voices(part: NotatedPart) -> list[NotatedVoice]:
    return [voice for staff in part.staves for voice in staff.voices]


def _tab_part(
    part: NotatedPart, board: Fretboard, hints: FretHints, options: TabOptions, score: NotatedScore
) -> tuple[NotatedPart, list[tuple[Fraction, FretPosition]]]:
    voices = _voices(part)
    notes = list(_tab_notes(voices, _seconds(score.tempos)))
    tablature = fret_positions((note for note, _ in notes), board, hints=hints)
    places = {position.id: position for position in tablature.positions}
    problems = [
        (start, position) for (_, start), position in zip(notes, tablature.positions, strict=True) if position.problem
    ]
    placed = tuple(
        tuple(
            replace(
                chord,
                places=tuple(_string_fret(places[f"{number}:{index}:{tone}"]) for tone in range(len(chord.pitches))),
            )
            for index, chord in enumerate(voice)
        )
        for number, voice in enumerate(voices)
    )
    staff = NotatedStaff(placed, None, board.open_pitches)
    if options.with_staff and len(part.staves) == 1 and (options.instrument or not part.instrument):
        part = replace(part, staves=(replace(part.staves[0], clef=_clef_above(board)),))
    staves = (*part.staves, staff) if options.with_staff else (staff,)
    return replace(part, staves=staves, capo=board.capo), problems


def _clef_above(board: Fretboard) -> str:
    """Return the clef in which players of an instrument read notes."""
    words = board.instrument.split()
    return "bass8" if "bass" in words else "treble8" if {"guitar", "banjo"} & set(words) else "treble"


def _tab_notes(
    voices: Sequence[NotatedVoice], seconds: Callable[[Fraction], float]
) -> Iterator[tuple[TabNote, Fraction]]:
    for number, voice in enumerate(voices):
        for index, chord in enumerate(voice):
            for tone, pitch in enumerate(chord.pitches):
                name = f"{number}:{index}:{tone}"
                start = seconds(chord.start)
                yield TabNote(start, seconds(chord.end) - start, pitch.midi, name), chord.start


def _string_fret(position: FretPosition) -> StringFret | None:
    if position.string is None or position.fret is None:
        return None
    return StringFret(position.string, position.fret)
