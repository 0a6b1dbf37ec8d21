"""Choose a string and a fret for every note: the one call for tablature.

    fret_positions([TabNote(0, 1, 64), TabNote(1, 1, 67)], "guitar", bpm=100)

Times are in seconds, or in quarter notes if `bpm` is given. Pitches are sounding MIDI pitches (the low E of a guitar is
40). Every note is in the answer: one that cannot be played has no place but a `FretProblem`, with the nearest
possibility.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from consort_music.errors import MusicError
from consort_music.frets.fretboards import Fretboard, fretboard
from consort_music.frets.grips import FretCosts, Grip, find_grips
from consort_music.frets.hand import Place
from consort_music.frets.path import FretStep, NoteGroup, PathCosts, Ringing, find_path
from consort_music.pitch import Pitch

TOGETHER_S = 0.03
"""Notes that start within this time of the first are played together, if they were played by a hand."""
_SHORTEST_S = 0.02
_MOST_GRIPS = 20
_OPEN_COSTS: dict[object, float] = {True: -1.5, None: 0.0, "avoid": 2.0, False: 30.0}
_HIGHEST_OPEN_POSITION = 3
_POSITION_PER_MM = 0.02

ProblemKind = Literal["out_of_range", "no_string", "cut_early", "fast_shift"]


@dataclass(frozen=True, slots=True)
class TabNote:
    """A note to place on a string. `id` is for `FretHints.pinned` and the answer; by default the note's index."""

    start: float
    duration: float
    pitch: int
    id: Hashable = None


@dataclass(frozen=True, slots=True)
class FretHints:
    """What the player wants.

    `position` prefers places near this fret. `open_strings`: True prefers them, "avoid" avoids them, False uses one
    only where there is no other way, None uses them as players do. `pinned` fixes notes by id: a string, or a string
    and a fret.
    """

    position: int | None = None
    open_strings: bool | Literal["avoid"] | None = None
    max_fret: int | None = None
    pinned: Mapping[Hashable, int | Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FretProblem:
    """Why a note cannot be played as written.

    `out_of_range` and `no_string` notes have no place; `nearest_pitch`, `nearest_place` is what could be played
    instead: the same note in another octave, or the note alone. `cut_early` and `fast_shift` notes are placed.
    """

    kind: ProblemKind
    message: str
    nearest_pitch: int
    nearest_place: Place


@dataclass(frozen=True, slots=True)
class FretPosition:
    """The place of a note: a string (1 is the highest number's end, see `fretboards`) and a fret, or a problem."""

    id: Hashable
    pitch: int
    string: int | None
    fret: int | None
    problem: FretProblem | None = None


@dataclass(frozen=True, slots=True)
class Tablature:
    """The places of all notes, in the order in which the notes were given."""

    board: Fretboard
    positions: tuple[FretPosition, ...]

    @property
    def problems(self) -> list[FretPosition]:
        return [position for position in self.positions if position.problem]


def fret_positions(
    notes: Iterable[TabNote],
    instrument: str | Fretboard = "guitar",
    tuning: str | None = None,
    capo: int = 0,
    hints: FretHints | None = None,
    bpm: float | None = None,
) -> Tablature:
    """Return a playable place for every note, or a report why there is none.

    Raise UNKNOWN_INSTRUMENT, INVALID_TUNING, INVALID_CAPO or INVALID_FRET_HINT.
    """
    hints = hints or FretHints()
    board = _with_max_fret(
        instrument if isinstance(instrument, Fretboard) else fretboard(instrument, tuning, capo), hints
    )
    seconds = 60.0 / bpm if bpm else 1.0
    given = list(notes)
    ids = [index if note.id is None else note.id for index, note in enumerate(given)]
    pins = _checked_pins(hints, dict(zip(ids, given, strict=True)), board)
    answers: dict[int, FretPosition] = {}
    playable: list[tuple[float, int]] = []
    for index, note in enumerate(given):
        if ids[index] in pins or board.places(note.pitch):
            playable.append((float(note.start) * seconds, index))
        else:
            answers[index] = FretPosition(ids[index], note.pitch, None, None, _out_of_range(note.pitch, board))
    groups, members = _groups(sorted(playable), given, ids, pins, board, seconds, hints)
    steps = find_path(groups, board, _path_costs(hints, board)) if groups else []
    for step, voices in zip(steps, members, strict=True):
        for place, indices in zip(step.grip.places, voices, strict=True):
            for index in indices:
                answers[index] = _placed(ids[index], given[index].pitch, place, step, board)
    for step in steps:
        for cut in step.cut_early:
            for index in members[cut.group][cut.voice]:
                answers[index] = _cut(answers[index], cut)
    return Tablature(board, tuple(answers[index] for index in range(len(given))))


def _with_max_fret(board: Fretboard, hints: FretHints) -> Fretboard:
    if hints.max_fret is None or hints.max_fret >= board.highest_fret:
        return board
    if hints.max_fret < 1:
        raise _bad_hint("max_fret", f"max_fret must be at least 1, not {hints.max_fret}.")
    return Fretboard(
        board.instrument,
        board.open_pitches,
        board.first_frets,
        hints.max_fret,
        board.scale_mm,
        board.capo,
        board.courses,
    )


def _checked_pins(hints: FretHints, notes: Mapping[Hashable, TabNote], board: Fretboard) -> dict[Hashable, Place]:
    """Return the place of each pinned note. Raise INVALID_FRET_HINT if a pin does not fit its note."""
    pins: dict[Hashable, Place] = {}
    for name, pin in hints.pinned.items():
        if name not in notes:
            raise _bad_hint("pinned", f"There is no note {name!r} to pin. Use the id of a note.")
        string, fret = pin if isinstance(pin, tuple) else (pin, None)
        if not 1 <= string <= board.strings:
            raise _bad_hint("pinned", f"Note {name!r}: there is no string {string}, only 1 to {board.strings}.")
        pitch = notes[name].pitch
        right = board.fret(string, pitch)
        if right is None or fret not in (None, right):
            sounds = f"fret {right} there" if right is not None else "not on that string"
            raise _bad_hint("pinned", f"Note {name!r} ({_name(pitch)}) cannot be pinned to {pin}: it is {sounds}.")
        pins[name] = (string, right)
    return pins


def _groups(
    playable: Sequence[tuple[float, int]],
    given: Sequence[TabNote],
    ids: Sequence[Hashable],
    pins: Mapping[Hashable, Place],
    board: Fretboard,
    seconds: float,
    hints: FretHints,
) -> tuple[list[NoteGroup], list[list[list[int]]]]:
    """Return the notes in groups that start together, and the indices of the notes behind each place of a group.

    Equal pitches in one group (two voices in unison) share one place.
    """
    costs = FretCosts(hinted_open=_open_cost(hints))
    known: dict[tuple[object, ...], list[Grip]] = {}
    groups: list[NoteGroup] = []
    members: list[list[list[int]]] = []
    at = 0
    while at < len(playable):
        start = playable[at][0]
        voices: dict[tuple[int, Place | None], list[int]] = {}
        while at < len(playable) and playable[at][0] <= start + TOGETHER_S:
            index = playable[at][1]
            voices.setdefault((given[index].pitch, pins.get(ids[index])), []).append(index)
            at += 1
        keys = sorted(voices, key=lambda key: (key[0], key[1] or (0, 0)))
        name = tuple(keys)
        if name not in known:
            choices = [[pin] if pin else board.places(pitch) for pitch, pin in keys]
            known[name] = find_grips(choices, board, costs, _MOST_GRIPS)
        durations = tuple(
            max(_SHORTEST_S, *(float(given[index].duration) * seconds for index in voices[key])) for key in keys
        )
        groups.append(NoteGroup(start, durations, known[name]))
        members.append([voices[key] for key in keys])
    return groups, members


def _open_cost(hints: FretHints) -> float:
    """Return what an open string costs. A player who asks for a high position does not want open strings."""
    if hints.open_strings is None and (hints.position or 0) > _HIGHEST_OPEN_POSITION:
        return _OPEN_COSTS["avoid"]
    return _OPEN_COSTS[hints.open_strings]


def _path_costs(hints: FretHints, board: Fretboard) -> PathCosts:
    if hints.position is None:
        return PathCosts()
    if not 0 <= hints.position <= board.highest_fret:
        raise _bad_hint("position", f"position must be a fret from 0 to {board.highest_fret}, not {hints.position}.")
    return PathCosts(from_position_per_mm=_POSITION_PER_MM, position_mm=board.mm[hints.position])


def _placed(name: Hashable, pitch: int, place: Place | None, step: FretStep, board: Fretboard) -> FretPosition:
    easiest = min(board.places(pitch), key=lambda place: place[1])
    if place is None:
        problem = FretProblem(
            "no_string",
            f"{_name(pitch)} cannot be played together with the other notes at this time. Alone it is on string "
            f"{easiest[0]}, fret {easiest[1]}.",
            pitch,
            easiest,
        )
        return FretPosition(name, pitch, None, None, problem)
    too_fast = None
    if step.is_too_fast and place[1]:
        message = f"The hand has too little time to move to fret {place[1]} for {_name(pitch)}."
        too_fast = FretProblem("fast_shift", message, pitch, easiest)
    return FretPosition(name, pitch, *place, too_fast)


def _cut(position: FretPosition, cut: Ringing) -> FretPosition:
    place = (cut.string, cut.fret)
    message = f"{_name(position.pitch)} cannot ring for its whole duration: its string or finger is needed before."
    problem = position.problem or FretProblem("cut_early", message, position.pitch, place)
    return FretPosition(position.id, position.pitch, *place, problem)


def _out_of_range(pitch: int, board: Fretboard) -> FretProblem:
    """Report a note that no string has, with the nearest octave that one has, or the nearest pitch."""
    low, high = board.lowest_pitch, board.highest_pitch
    inside = [note for note in range(128) if board.places(note)]
    nearest = min(inside, key=lambda note: ((note - pitch) % 12 != 0, abs(note - pitch)))
    place = min(board.places(nearest), key=lambda place: place[1])
    side = "below" if pitch < low else "above" if pitch > high else "between the notes of"
    return FretProblem(
        "out_of_range",
        f"{_name(pitch)} is {side} the range of this {board.instrument} ({_name(low)} to {_name(high)}). The nearest "
        f"possibility is {_name(nearest)} on string {place[0]}, fret {place[1]}.",
        nearest,
        place,
    )


def _name(pitch: int) -> str:
    return Pitch.from_midi(pitch).name if 0 <= pitch <= 127 else str(pitch)


def _bad_hint(name: str, message: str) -> MusicError:
    return MusicError("INVALID_FRET_HINT", message, field=name)
