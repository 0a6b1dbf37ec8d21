"""What edit_notes does to a note: move, stretch and transpose it, change its length and velocity, then its rhythm."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from consort_compose.songs.beats import refuse_bars
from consort_compose.songs.note_models import EditNotes
from consort_compose.songs.note_rhythm import Rhythm, rhythm_given
from consort_compose.songs.song import MAX_BEAT, Note
from consort_music.beats import parse_beats
from consort_music.duration import parse_length
from consort_music.errors import MusicError, in_field, quoted

LONGEST_STRETCH = 64

_VELOCITY = re.compile(r"([-+x*]?)[ \t]*([0-9]{1,4}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class Edit:
    """`stretch` is around `origin`; `velocity` is an operator ("", "+", "-", "x") and a number."""

    move: Fraction
    stretch: Fraction
    transpose: int
    duration: Fraction | None
    velocity: tuple[str, Fraction] | None
    rhythm: Rhythm | None = None

    def is_for(self, drums: bool) -> bool:
        """Whether it changes notes of drums, or of other instruments, at all: drums are not transposed."""
        return not drums or replace(self, transpose=0) != NOTHING

    @property
    def is_rhythm_only(self) -> bool:
        return replace(self, rhythm=None) == NOTHING

    def of(self, note: Note, origin: Fraction, is_drums: bool) -> Note:
        start, duration = note.start, self.duration if self.duration is not None else note.duration
        if self.stretch != 1:
            start = origin + (start - origin) * self.stretch
            duration = duration if self.duration is not None else duration * self.stretch
        if self.move:
            start += self.move
        pitch = note.pitch if is_drums else note.pitch + self.transpose
        if start < 0:
            told = f"The note at beat {note.start} would start before beat 0. Move it earlier by {note.start} at most."
            raise MusicError("NEGATIVE_START", told, [f"move_by: {-note.start}"], "move_by")
        if start + duration > MAX_BEAT:
            told = f"A note would end at beat {float(start + duration):g}, and a song ends at beat {MAX_BEAT:,}."
            raise MusicError("INVALID_EXPRESSION", told, ["move_by: 0"], "move_by")
        if not 0 <= pitch <= 127:
            raise MusicError(
                "INVALID_PITCH",
                f"Pitch {note.pitch} at beat {note.start} would become {pitch}, which is not from 0 to 127.",
                ["another octave", "pitch, to leave such notes out"],
                "transpose",
            )
        return Note(start, pitch, duration, self._velocity_of(note.velocity))

    def of_all(self, notes: list[Note], origin: Fraction, is_drums: bool) -> list[Note]:
        return [self.of(note, origin, is_drums) for note in notes]

    def _velocity_of(self, velocity: int) -> int:
        if self.velocity is None:
            return velocity
        operator, number = self.velocity
        wanted = {"": number, "+": velocity + number, "-": velocity - number, "x": velocity * number}[operator]
        return min(max(round(wanted), 1), 127)


NOTHING = Edit(Fraction(0), Fraction(1), 0, None, None)


def edit_given(request: EditNotes) -> Edit:
    with in_field("move_by"):
        if request.move_by is not None:
            refuse_bars(request.move_by, "move_by", "A bar of 4/4 has 4 beats.", "move_by: 4")
        move = parse_beats(request.move_by) if request.move_by is not None else Fraction(0)
    with in_field("stretch"):
        stretch = parse_beats(request.stretch) if request.stretch is not None else Fraction(1)
        if not Fraction(1, LONGEST_STRETCH) <= stretch <= LONGEST_STRETCH:
            raise MusicError(
                "INVALID_INPUT",
                f"'stretch' is {quoted(str(request.stretch))}; it is a factor from 1/{LONGEST_STRETCH} to"
                f" {LONGEST_STRETCH}, such as 2 (twice as slow).",
                ["2", "1/2"],
            )
    duration = None
    if request.duration is not None:
        with in_field("duration"):
            duration = parse_length(request.duration)
    velocity = _velocity_given(request.velocity)
    edit = Edit(move, stretch, request.transpose or 0, duration, velocity, rhythm_given(request))
    if edit == NOTHING:
        raise MusicError(
            "INVALID_INPUT",
            "Say what to change: move_by, stretch, transpose, duration, velocity, quantize, swing or humanize.",
            ["move_by", "transpose", "velocity"],
        )
    return edit


def _velocity_given(given: int | str | None) -> tuple[str, Fraction] | None:
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
