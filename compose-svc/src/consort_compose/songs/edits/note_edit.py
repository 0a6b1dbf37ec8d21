"""The change that an `edit_notes` request makes to each note: move, stretch, transpose, length, velocity and rhythm."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from consort_compose.songs.document.beat_input import reject_bars
from consort_compose.songs.document.song import MAX_BEAT, SongNote
from consort_compose.songs.edits.rhythm import RhythmEdit, read_rhythm_edit
from consort_compose.songs.models.notes import EditNotes
from consort_music.beats import format_beats, parse_beats
from consort_music.duration import parse_length
from consort_music.errors import MusicError, in_field, quoted

MAX_STRETCH = 64

_VELOCITY = re.compile(r"([-+x*]?)[ \t]*([0-9]{1,4}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class NoteEdit:
    """A change of notes. `velocity` is an operator ("", "+", "-" or "x") and a number; "" sets the velocity."""

    move: Fraction
    stretch: Fraction
    transpose: int
    duration: Fraction | None
    velocity: tuple[str, Fraction] | None
    rhythm: RhythmEdit | None = None

    def concerns(self, drums: bool) -> bool:
        """Return False if `drums` is True and the edit only transposes, because drums are not transposed."""
        return not drums or replace(self, transpose=0) != NO_EDIT

    @property
    def is_rhythm_only(self) -> bool:
        return replace(self, rhythm=None) == NO_EDIT

    def apply(self, note: SongNote, origin: Fraction, is_drums: bool) -> SongNote:
        """Return the changed note. `rhythm` is not applied. Stretching is relative to the beat `origin`.

        Raise NEGATIVE_START, INVALID_EXPRESSION or INVALID_PITCH if the note would start before beat 0, end after the
        song, or have a pitch outside 0 to 127.
        """
        start, duration = note.start, self.duration if self.duration is not None else note.duration
        if self.stretch != 1:
            start = origin + (start - origin) * self.stretch
            duration = duration if self.duration is not None else duration * self.stretch
        if self.move:
            start += self.move
        pitch = note.pitch if is_drums else note.pitch + self.transpose
        if start < 0:
            message = (
                f"The note at beat {note.start} would start before beat 0. Move it earlier by {note.start} at most."
            )
            raise MusicError("NEGATIVE_START", message, [f"move_by: {-note.start}"], "move_by")
        if start + duration > MAX_BEAT:
            message = f"A note would end at beat {format_beats(start + duration)}; a song ends at beat {MAX_BEAT:,}."
            raise MusicError("INVALID_EXPRESSION", message, ["move_by: 0"], "move_by")
        if not 0 <= pitch <= 127:
            raise MusicError(
                "INVALID_PITCH",
                f"Pitch {note.pitch} at beat {note.start} would become {pitch}, which is not from 0 to 127.",
                ["another octave", "pitch, to leave such notes out"],
                "transpose",
            )
        return SongNote(start, pitch, duration, self._velocity_of(note.velocity))

    def apply_to_all(self, notes: list[SongNote], origin: Fraction, is_drums: bool) -> list[SongNote]:
        return [self.apply(note, origin, is_drums) for note in notes]

    def _velocity_of(self, velocity: int) -> int:
        if self.velocity is None:
            return velocity
        operator, number = self.velocity
        wanted = {"": number, "+": velocity + number, "-": velocity - number, "x": velocity * number}[operator]
        return min(max(round(wanted), 1), 127)


NO_EDIT = NoteEdit(Fraction(0), Fraction(1), 0, None, None)


def read_note_edit(request: EditNotes) -> NoteEdit:
    """Return the edit that a request describes. Raise a MusicError with the name of the invalid field."""
    with in_field("move_by"):
        if request.move_by is not None:
            reject_bars(request.move_by, "move_by", "A bar of 4/4 has 4 beats, a bar of 3/4 has 3.", "move_by: 4")
        move = parse_beats(request.move_by) if request.move_by is not None else Fraction(0)
    with in_field("stretch"):
        stretch = parse_beats(request.stretch) if request.stretch is not None else Fraction(1)
        if not Fraction(1, MAX_STRETCH) <= stretch <= MAX_STRETCH:
            raise MusicError(
                "INVALID_INPUT",
                f"'stretch' is {quoted(str(request.stretch))}; write a factor from 1/{MAX_STRETCH} to"
                f" {MAX_STRETCH}, such as 2 (twice as slow).",
                ["2", "1/2"],
            )
    duration = None
    if request.duration is not None:
        with in_field("duration"):
            duration = parse_length(request.duration)
    velocity = _read_velocity(request.velocity)
    edit = NoteEdit(move, stretch, request.transpose or 0, duration, velocity, read_rhythm_edit(request))
    if edit == NO_EDIT:
        raise MusicError(
            "INVALID_INPUT",
            "Give what to change: move_by, stretch, transpose, duration, velocity, quantize, swing or humanize.",
            ["move_by", "transpose", "velocity"],
        )
    return edit


def _read_velocity(given: int | str | None) -> tuple[str, Fraction] | None:
    if given is None:
        return None
    match = _VELOCITY.fullmatch(str(given).strip())
    if match is None or (not match[1] and not 1 <= Fraction(match[2]) <= 127):
        raise MusicError(
            "INVALID_VELOCITY",
            f"'velocity' is {quoted(str(given))}; write 1 to 127, or a change such as +10, -10 or x0.8.",
            ["64", "+10", "x0.8"],
            "velocity",
        )
    return match[1].replace("*", "x"), Fraction(match[2])
