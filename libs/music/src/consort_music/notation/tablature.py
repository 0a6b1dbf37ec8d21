"""Add tablature to a notated score: strings and frets for every note, on a staff of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from consort_music.frets.fret_positions import FretHints, FretPosition, TabNote, fret_positions
from consort_music.frets.fretboards import Fretboard, fretboard
from consort_music.instruments import known_instrument
from consort_music.notation.notated_score import NotatedPart, NotatedScore, NotatedStaff, NotatedVoice, StringFret
from consort_music.pitch import Pitch

_FRETTED_FAMILIES = {"Guitar": "guitar", "Bass": "bass"}
_FRETTED = {"Banjo": "banjo"}
_DEFAULT = "guitar"
_DEFAULT_BPM = 100.0
_MOST_REPORTED = 12
_MOST_PARTS = 4
_UNPLACED = ("out_of_range", "no_string")


@dataclass(frozen=True)
class TabOptions:
    """The instrument (None: that of each part), its tuning and capo, and what the player wants."""

    instrument: str | None = None
    tuning: str | None = None
    capo: int = 0
    hints: FretHints = field(default_factory=FretHints)
    with_staff: bool = True
    """Whether the staff with notes stands above the tablature."""


@dataclass(frozen=True)
class TabScore:
    score: NotatedScore
    warnings: list[str]


def with_tablature(score: NotatedScore, options: TabOptions) -> TabScore:
    """Return the score with tablature for its fretted parts, or for all parts if none is fretted.

    Notes that cannot be played are named above the staff and in a warning. Raise UNKNOWN_INSTRUMENT, INVALID_TUNING,
    INVALID_CAPO or INVALID_FRET_HINT.
    """
    pitched = [part for part in score.parts if not part.is_drums]
    chosen = [part for part in pitched if _fretted_name(part)] or pitched[:_MOST_PARTS]
    bpm = float(score.tempos[0][1]) if score.tempos else _DEFAULT_BPM
    parts: list[NotatedPart] = []
    warnings: list[str] = []
    marks: dict[Fraction, str] = {}
    for part in chosen:
        board = fretboard(options.instrument or _fretted_name(part) or _DEFAULT, options.tuning, options.capo)
        written, problems = _tab_part(part, board, options, bpm)
        parts.append(written)
        for start, position in problems:
            assert position.problem is not None
            where = score.bar_lines.position_at(start).text
            warnings.append(f"{part.name or board.instrument}, bar {where}: {position.problem.message}")
            if position.problem.kind in _UNPLACED:
                marks.setdefault(start, f"({Pitch.from_midi(position.pitch).name})")
    shown = dict(score.tempo_words)
    shown.update({at: text for at, text in marks.items() if at not in shown})
    if len(warnings) > _MOST_REPORTED:
        warnings = [*warnings[:_MOST_REPORTED], f"And {len(warnings) - _MOST_REPORTED} more notes like these."]
    return TabScore(replace(score, parts=tuple(parts), tempo_words=tuple(sorted(shown.items()))), warnings)


def _fretted_name(part: NotatedPart) -> str | None:
    instrument = known_instrument(part.instrument)
    name = part.name.casefold()
    for word in ("ukulele", "mandolin", "banjo"):
        if word in name:
            return word
    if instrument is None or part.is_drums:
        return None
    return _FRETTED.get(instrument.name) or _FRETTED_FAMILIES.get(instrument.family)


def _tab_part(
    part: NotatedPart, board: Fretboard, options: TabOptions, bpm: float
) -> tuple[NotatedPart, list[tuple[Fraction, FretPosition]]]:
    voices = [voice for staff in part.staves for voice in staff.voices]
    notes = list(_tab_notes(voices))
    tablature = fret_positions((note for note, _ in notes), board, hints=options.hints, bpm=bpm)
    places = {position.id: position for position in tablature.positions}
    problems = [
        (start, position)
        for (_, start), position in zip(notes, tablature.positions, strict=True)
        if position.problem and position.problem.kind in _UNPLACED
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
    staves = (*part.staves, staff) if options.with_staff else (staff,)
    return replace(part, staves=staves, capo=board.capo), problems


def _tab_notes(voices: Sequence[NotatedVoice]) -> Iterator[tuple[TabNote, Fraction]]:
    for number, voice in enumerate(voices):
        for index, chord in enumerate(voice):
            for tone, pitch in enumerate(chord.pitches):
                name = f"{number}:{index}:{tone}"
                yield TabNote(float(chord.start), float(chord.duration), pitch.midi, name), chord.start


def _string_fret(position: FretPosition) -> StringFret | None:
    if position.string is None or position.fret is None:
        return None
    return StringFret(position.string, position.fret)
