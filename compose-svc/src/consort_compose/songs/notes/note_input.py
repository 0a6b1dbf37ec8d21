"""Read the notes of an `add_notes` request: text or objects, by track.

Pydantic does not read them, because there may be 20,000 notes, and because it would report an error for each
alternative form, while the caller needs the one field that is wrong (`notes.17.pitch`).
"""

import difflib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from consort_compose.songs.document.song import MAX_BEAT, SongNote
from consort_compose.songs.notes.note_text import read_note_text
from consort_compose.songs.notes.notes_for_track import MAX_NOTES_A_CALL, NotesForTrack, too_many_notes
from consort_music.beats import format_beats, parse_beats
from consort_music.drum_names import parse_pitch_or_drum
from consort_music.duration import parse_length
from consort_music.errors import MusicError, below_field, in_field, quoted
from consort_music.score import DEFAULT_VELOCITY

FIELDS = ("track", "pitch", "start", "duration", "velocity")
_OTHER_NAMES = {"start_time": "start", "startTime": "start", "time": "start", "note": "pitch", "length": "duration"}


def read_notes(given: Any, track: str | None) -> dict[str, NotesForTrack]:
    """Return the notes by track name, in the order in which the tracks are first named.

    `track` is the track of notes that name none. Raise a MusicError with the field of the first invalid note.
    """
    given = _joined(given)
    if isinstance(given, dict):
        by_track: dict[str, NotesForTrack] = {}
        count = 0
        for name, notes in given.items():
            field = f"notes.{name[:80]}"
            notes = _joined(notes)
            by_track[name] = _read_list(notes, name, field) if isinstance(notes, list) else _read_text(notes, field)
            by_track[name].field = field
            count += len(by_track[name].notes)
            if count > MAX_NOTES_A_CALL:
                raise too_many_notes()
        return by_track
    if isinstance(given, str):
        if track is None:
            raise MusicError(
                "INVALID_INPUT",
                "The notes have no track. Give 'track', or an object of tracks and notes.",
                ['track: "Lead"', 'notes: {"Lead": "C4 1; E4 1/2"}'],
                "track",
            )
        written = _read_text(given, "notes")
        written.field = "track"
        return {track: written}
    if not isinstance(given, list):
        what = "is missing" if given is None else f"is {quoted(str(given))}"
        raise MusicError(
            "INVALID_INPUT",
            f"'notes' {what}. Give notes by track, such as {_BY_TRACK}, or a text with 'track', or a list of note"
            " objects, or a score_id instead.",
            [f"notes: {_BY_TRACK}", "score_id"],
            "notes",
        )
    return _ObjectReader(track).read(given, "notes")


def _joined(given: Any) -> Any:
    """Join a list of texts to one text; return anything else unchanged."""
    is_texts = isinstance(given, list) and given and all(isinstance(each, str) for each in given)
    return "; ".join(given) if is_texts else given


def _read_list(given: list[Any], track: str, field: str) -> NotesForTrack:
    """Read note objects listed under the name of their track. Raise INVALID_INPUT if one names another track."""
    found = _ObjectReader(track).read(given, field)
    if found.keys() - {track}:
        others = ", ".join(map(quoted, sorted(found.keys() - {track})))
        raise MusicError(
            "INVALID_INPUT",
            f"'{field}' has a note for another track ({others}). List it under that track.",
            [f"notes: {_BY_TRACK}"],
            field,
        )
    return found.get(track) or NotesForTrack([])


def _read_text(text: Any, field: str) -> NotesForTrack:
    if not isinstance(text, str):
        raise MusicError(
            "INVALID_INPUT",
            f"'{field}' is {quoted(str(text))}. Write text such as 'C4 1; E4 1/2', or a list of note objects.",
            ["C4 1; E4 1/2", f"[{_EXAMPLE}]"],
            field,
        )
    with in_field(field):
        return read_note_text(text)


class _ObjectReader:
    """Reads note objects. It caches parsed values, because most of them repeat."""

    def __init__(self, track: str | None) -> None:
        self._track = track
        self._found: dict[str, NotesForTrack] = {}
        self._count = 0
        self._ends: dict[str, Fraction] = {}
        self._beats: dict[Any, Fraction] = {}
        self._lengths: dict[Any, Fraction] = {}
        self._pitches: dict[Any, tuple[int, bool]] = {}

    def read(self, given: list[Any], field: str) -> dict[str, NotesForTrack]:
        if len(given) > MAX_NOTES_A_CALL:
            raise too_many_notes()
        for number, each in enumerate(given):
            try:
                with below_field(f"{field}.{number}"):
                    self._note(each, f"{field}.{number}.track")
            except MusicError as error:
                error.message = f"'{error.field}': {error.message}"
                raise
        return self._found

    def _note(self, given: Any, field: str) -> None:
        if not isinstance(given, dict):
            message = f"The note is {quoted(str(given))}. Write an object with pitch, start and duration."
            raise MusicError("INVALID_INPUT", message, [_EXAMPLE])
        if not given.keys() <= _KNOWN:
            given = _with_known_names(given)
        track = given.get("track", self._track)
        if not isinstance(track, str):
            message = "The note has no track. Give 'track' with each note, or once for all notes."
            raise MusicError("INVALID_INPUT", message, ['"track": "Lead"'], "track")
        if track not in self._found:
            self._found[track] = NotesForTrack([], field=field if "track" in given else "track")
        written = self._found[track]
        if "pitch" not in given:
            message = "The note has no pitch. Give a name such as C4, or a MIDI number."
            raise MusicError("INVALID_INPUT", message, ['"pitch": "C4"', '"pitch": 60'], "pitch")
        duration = self._time(given.get("duration", 1), "duration", self._lengths, parse_length)
        start = self._ends.get(track, Fraction(0))
        if "start" in given:
            start = self._time(given["start"], "start", self._beats, parse_beats)
        if start < 0:
            raise MusicError("NEGATIVE_START", f"The start is {start}; write a beat from 0.", ["0"], "start")
        self._ends[track] = end = start + duration
        if end > MAX_BEAT:
            message = f"The note would end at beat {format_beats(end)}; a song ends at beat {MAX_BEAT:,}."
            raise MusicError("INVALID_EXPRESSION", message, ["0"], "start")
        velocity = given.get("velocity", DEFAULT_VELOCITY)
        if not isinstance(velocity, int) or isinstance(velocity, bool) or not 1 <= velocity <= 127:
            message = f"The velocity is {quoted(str(velocity))}; write a whole number from 1 (soft) to 127 (loud)."
            is_share = isinstance(velocity, float) and 0 < velocity < 1
            raise MusicError(
                "INVALID_VELOCITY", message, [str(round(velocity * 127)) if is_share else "64"], "velocity"
            )
        pitches = given["pitch"] if isinstance(given["pitch"], list) else [given["pitch"]]
        self._count += len(pitches)
        if self._count > MAX_NOTES_A_CALL:
            raise too_many_notes()
        for pitch in pitches:
            number, is_drum = self._pitch(pitch)
            written.has_drums |= is_drum
            written.notes.append(SongNote(start, number, duration, velocity))

    def _time(
        self, value: Any, field: str, known: dict[Any, Fraction], parse: Callable[[int | float | str], Fraction]
    ) -> Fraction:
        if not isinstance(value, int | float | str) or isinstance(value, bool):
            message = f"The {field} is {quoted(str(value))}; write a number, or an expression such as '9 + 1/3'."
            raise MusicError("INVALID_EXPRESSION", message, ["1", "9 + 1/3"], field)
        if value not in known:
            with in_field(field):
                known[value] = parse(value)
        return known[value]

    def _pitch(self, value: Any) -> tuple[int, bool]:
        if isinstance(value, bool) or not isinstance(value, int | str):
            message = f"The pitch is {quoted(str(value))}; write a name such as C4, or a MIDI number from 0 to 127."
            raise MusicError("INVALID_PITCH", message, ["C4", "60"], "pitch")
        if value not in self._pitches:
            with in_field("pitch"):
                word = str(value).strip()
                if isinstance(value, int) and value < 0:
                    raise MusicError("INVALID_PITCH", f"Pitch {word[:20]} is not from 0 to 127.", ["60", "C4"])
                self._pitches[value] = parse_pitch_or_drum(word)
        return self._pitches[value]


_KNOWN = frozenset(FIELDS)
_BY_TRACK = '{"Lead": "C4 1; E4 1/2"}'
_BARS = ("bar", "measure")
_EXAMPLE = '{"track": "Lead", "pitch": "C4", "start": "9 + 1/3", "duration": "1/3"}'


def _with_known_names(given: dict[Any, Any]) -> dict[str, Any]:
    """Rename the fields of a note object that have another usual name. Raise INVALID_INPUT for unknown fields."""
    known: dict[str, Any] = {}
    for name, value in given.items():
        field = _OTHER_NAMES.get(name, name)
        if field not in _KNOWN:
            near = difflib.get_close_matches(str(name)[:40], FIELDS, n=2, cutoff=0.5)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known fields: {', '.join(FIELDS)}."
            if str(name).lower().strip() in _BARS:
                near = ["start"]
                hint = "Give 'start' in beats (quarter notes from 0), and the bar of beat 0 once, as first_bar."
            elif str(name).lower().strip() == "beat":
                near, hint = ["start"], "Give 'start' in beats (quarter notes from 0)."
            message = f"A note has no field {quoted(str(name))}. {hint}"
            raise MusicError("INVALID_INPUT", message, near or FIELDS, str(name)[:40])
        if field in known:
            raise MusicError("INVALID_INPUT", f"'{field}' is given twice. Give it once.", field=field)
        known[field] = value
    return known
