"""Read and write note lists such as `C4:q, D4:q, E4:h`, a short way to write a melody.

    item      = (chord | "R") [":" duration] ["~"]
    chord     = pitch { "+" pitch }           C4   C4+E4+G4
    pitch     = a name or a MIDI number       F#4  66 (notes below C0 can only be written as numbers)
    duration  = a symbol of `duration.py`     q   hd   e3      or beats: 3/2, 0.75, (1 + 1/3)

`R` is a rest. An item without a duration is a quarter note long. `~` ties an item to the next one of the same pitch.
Items are separated by spaces or commas; bar lines `|` are ignored.

Each line is a part. It may start with a name, `"alto" E4:h D4:h` or `alto: E4:h D4:h`; without a name, the second line
is called `part 2`, and so on. A further line with the same name is another voice of that part, which starts at the
beginning too. A line that ends with a comma or a backslash continues in the next one. Empty lines are ignored.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from consort_music.beats import parse_beats
from consort_music.duration import format_duration, parse_duration
from consort_music.errors import MusicError, quoted
from consort_music.pitch import Pitch, parse_pitch_or_number
from consort_music.score import Note, Part, Score
from consort_music.texts.unused_names import unused_name

MAX_NOTES = 20_000
MAX_LENGTH = 400_000
MAX_BEATS = 80_000
_MAX_TIME_BITS = 256  # largest denominator of a time: durations without a common divisor make sums slow
_MAX_CHORD = 64
_QUARTER = Fraction(1)
_MAX_NAME = 76
PART_NAME = r"""(?:"([^"\n]{0,80})"|([^\W\d_]{2}[\w .-]{0,76}):(?=\s))"""
"""A name in quotes, or before a colon and a space. The latter starts with two letters, so it cannot be a pitch."""
_NAMED = re.compile(rf"\s*{PART_NAME}")
_ITEM = re.compile(r"([^\s,:|~()]+)(?::(\([^()]*\)|[^\s,|~()]+))?(~?)")
_GOES_ON = (",", "\\")
_BETWEEN = re.compile(r"[\s,|]*")
_PITCH_BEFORE = re.compile(r"(?:^|[\s,|])([A-Ga-gRr][^\s,:|~()]*)[ \t]+$")
_LENGTH_ALONE = re.compile(r"[0-9](?:[./][0-9]+)?|[whqest]d*3?|whole|half|quarter|eighth|sixteenth")


def parse_note_list(text: str) -> Score:
    """Read a note list.

    Raise PARSE_ERROR, INVALID_NOTE or INVALID_DURATION if an item cannot be read, EMPTY_INPUT if there is no note, and
    TOO_LARGE if there is too much music.
    """
    if len(text) > MAX_LENGTH:
        raise MusicError("TOO_LARGE", f"The note list has {len(text):,} characters. Send at most {MAX_LENGTH:,}.")
    voices: dict[str, list[list[Note]]] = {}
    end = Fraction(0)
    note_count = 0
    for number, name, line in _lines(text):
        notes, voice_end = _parse_line(line, number)
        voices.setdefault(name, []).append(notes)
        end = max(end, voice_end)
        note_count += len(notes)
        if note_count > MAX_NOTES:
            raise MusicError("TOO_LARGE", f"The note list has more than {MAX_NOTES:,} notes. Send it in pieces.")
    parts = [
        Part(name, tuple(lines[0])) if len(lines) == 1 else Part.of(name, itertools.chain(*lines))
        for name, lines in voices.items()
    ]
    if not any(part.notes for part in parts):
        raise MusicError("EMPTY_INPUT", "The note list has no notes. Write some, such as C4:q D4:q E4:h.", ["C4:q"])
    return Score(tuple(parts), rest_to=end)


def format_note_list(score: Score) -> str:
    """Return the parts as a note list, with a line for each voice. `parse_note_list` reads it as the same notes."""
    lines = []
    names: set[str] = set()
    for part in score.parts:
        name = _free_name(part.name, names)
        voices = _voices(part.notes) or [{}]
        named = len(score.parts) > 1 or len(voices) > 1
        lines += [(f'"{name}" ' if named else "") + " ".join(_items(voice, score.length)) for voice in voices]
    return "\n".join(lines)


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the name of the part and the items of each line.

    A line that ends with a comma or a backslash is joined with the next one and keeps its own number.
    """
    names = {found[1] for line in text.splitlines() if (found := _NAMED.match(line))}
    count, pieces = 0, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        end = line.rstrip()
        if end.endswith(_GOES_ON):
            pieces.append(end[:-1])
            continue
        joined, first = " ".join([*pieces, line]), number - len(pieces)
        pieces.clear()
        named = _NAMED.match(joined)
        # The name is replaced by spaces, so that the columns in messages stay correct.
        items = " " * named.end() + joined[named.end() :] if named else joined
        if named is None and _BETWEEN.fullmatch(items):
            continue
        count += 1
        name = (named[1] or named[2] if named else None) or f"part {count}"
        while not named and name in names:
            count += 1
            name = f"part {count}"
        yield first, name, items


def _free_name(name: str, taken: set[str]) -> str:
    """Return the name without double quotes, and with a number if another part has the same name."""
    plain = " ".join(name.replace('"', "'").split())[:_MAX_NAME] or "part"
    free = unused_name(plain, taken.__contains__)
    taken.add(free)
    return free


def _voices(notes: Iterable[Note]) -> list[dict[Fraction, list[Note]]]:
    """Divide notes into as few voices without overlaps as possible. Each maps a start to a chord of equal notes."""
    chords: dict[tuple[Fraction, Fraction], list[Note]] = {}
    for note in notes:
        chords.setdefault((note.start, note.duration), []).append(note)
    voices: list[dict[Fraction, list[Note]]] = []
    ends: list[Fraction] = []
    for (start, duration), chord in sorted(chords.items(), key=lambda item: item[0]):
        free = next((index for index, end in enumerate(ends) if end <= start), len(ends))
        if free == len(ends):
            voices.append({})
            ends.append(Fraction(0))
        voices[free][start] = chord
        ends[free] = start + duration
    return voices


def _parse_line(line: str, number: int) -> tuple[list[Note], Fraction]:
    """Return the notes of a line and its length in quarter notes. `number` is the line number for messages."""
    notes: list[Note] = []
    now = Fraction(0)
    tied: set[int] = set()
    at = _skip(line, 0)
    while at < len(line):
        match = _ITEM.match(line, at)
        try:
            if match is None:
                raise _unreadable(line[at : at + 12])
            _check_bare_length(line, match)
            pitches, duration = _pitches(match[1]), _duration(match[2])
        except MusicError as error:
            where = f"Note list line {number}, column {at + 1}: "
            raise MusicError(error.code, where + error.message, error.suggestions) from None
        sounding = set()
        for pitch in pitches:
            earlier = next((index for index in tied if notes[index].pitch == pitch and notes[index].end == now), None)
            if earlier is None:
                sounding.add(len(notes))
                notes.append(Note(now, duration, pitch))
            else:
                sounding.add(earlier)
                notes[earlier] = notes[earlier]._replace(duration=notes[earlier].duration + duration)
        tied = sounding if match[3] else set()
        if len(notes) > MAX_NOTES:
            raise MusicError("TOO_LARGE", f"The note list has more than {MAX_NOTES:,} notes. Send it in pieces.")
        now += duration
        if now > MAX_BEATS or now.denominator.bit_length() > _MAX_TIME_BITS:
            raise MusicError(
                "TOO_LARGE",
                f"Note list line {number} is longer than {MAX_BEATS:,} quarter notes, or its durations have no note "
                "value in common. Write fewer notes, with durations such as q, e3 or 3/2.",
            )
        at = _skip(line, match.end())
    return notes, now


def _check_bare_length(line: str, item: re.Match[str]) -> None:
    """Raise INVALID_DURATION if an item is a duration after a pitch and a space, as in `C4 quarter`."""
    word = item[1].rstrip(";")
    if item[2] or not _LENGTH_ALONE.fullmatch(word):
        return
    before = _PITCH_BEFORE.search(line[max(item.start() - 40, 0) : item.start()])
    if before is None:
        return
    raise MusicError(
        "INVALID_DURATION",
        f"{quoted(item[1])} stands alone. Join a duration to its pitch with a colon, without spaces: "
        f"{before[1]}:{word}.",
        [f"{before[1]}:{word}"],
    )


def _skip(line: str, at: int) -> int:
    between = _BETWEEN.match(line, at)
    return between.end() if between else at


@lru_cache(maxsize=512)
def _pitches(text: str) -> tuple[Pitch, ...]:
    if text in ("R", "r"):
        return ()
    names = text.split("+")
    if len(names) > _MAX_CHORD:
        raise MusicError("INVALID_NOTE", f"The chord has {len(names)} notes. Write at most {_MAX_CHORD}.")
    try:
        return tuple(sorted(map(parse_pitch_or_number, names), key=lambda pitch: pitch.midi))
    except MusicError as error:
        raise MusicError("INVALID_NOTE", error.message, error.suggestions) from None


@lru_cache(maxsize=512)
def _duration(text: str | None) -> Fraction:
    if text is None:
        return _QUARTER
    if text[0] in "0123456789.(":
        duration = parse_beats(text)
        if duration <= 0:
            raise MusicError(
                "INVALID_DURATION",
                f"{quoted(text)} is not a duration: it must be more than 0 beats. Write C4:1/2 or C4:q.",
                ["q", "1/2"],
            )
        return duration
    return parse_duration(text)


def _items(chords: dict[Fraction, list[Note]], length: Fraction) -> Iterator[str]:
    now = Fraction(0)
    for start, chord in chords.items():
        if start > now:
            yield _write_item("R", start - now)
        yield _write_item("+".join(note.pitch.typed_name for note in chord), chord[0].duration)
        now = start + chord[0].duration
    if length > now:
        yield _write_item("R", length - now)


def _write_item(what: str, duration: Fraction) -> str:
    return f"{what}:{format_duration(duration) or duration}"


def _unreadable(text: str) -> MusicError:
    return MusicError(
        "PARSE_ERROR",
        f"{quoted(text)} is not a note. Write pitch:duration, such as C4:q D4:e R:h, and a chord as C4+E4+G4:q.",
        ["C4:q D4:q E4:h"],
    )
