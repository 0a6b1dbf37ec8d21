"""Select the notes of a file and return one page of them. Runs in a child process for large files."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from consort_music.beats import format_beats, parse_beats
from consort_music.errors import MusicError
from consort_music.keys import Spelling
from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import PairedNote, pair_notes
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.rights import rights_notes
from consort_music.midi.track_names import find_tracks, track_names
from consort_music.note_sequence.from_midi_file import ppq_of, sequence_from_midi, without_length
from consort_music.note_sequence.midi_text import write_midi_text
from consort_music.pitch import Pitch

_MAX_WARNINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteQuery:
    """Which notes to return, and in which form.

    `tracks` are indexes (from 0) or names. The range is given in bars or in beats (quarter notes from 0), not in both.
    A field that is None does not limit the notes.
    """

    as_text: bool = True
    tracks: Sequence[int | str] | None = None
    first_bar: int | None = None
    last_bar: int | None = None
    start_beat: float | None = None
    end_beat: float | None = None
    lowest: Pitch | None = None
    highest: Pitch | None = None
    limit: int = 200
    cursor: int = 0


class PageNote(NamedTuple):
    """A note of a page. `channel` is from 1 to 16. `start` and `duration` are in beats.

    A beat that has no exact decimal form is a text such as "4/3".
    """

    track: int
    channel: int
    pitch: str
    start: float | str
    duration: float | str
    velocity: int


@dataclass(frozen=True, slots=True)
class MidiNotePage:
    """One page, as `notes` or as `text`.

    `note_count` is the number of notes on all pages. `next_cursor` is the cursor of the next page, or None.
    """

    notes: list[PageNote] | None
    text: str | None
    note_count: int
    next_cursor: int | None
    warnings: list[str]


def read_note_page(content: bytes, max_bytes: int, query: NoteQuery) -> MidiNotePage:
    """Return one page of the selected notes, sorted by time.

    Raise MusicError if the content is not a valid MIDI file or the selection is impossible.
    """
    file = read_midi(content, ReaderLimits(max_bytes=max_bytes))
    ppq = ppq_of(file)
    selected = _select(file, query, ppq)
    page = selected[query.cursor : query.cursor + query.limit]
    end = query.cursor + len(page)
    spelling = Spelling(keys_of(file.tracks))
    warnings = [*file.warnings[:_MAX_WARNINGS], *rights_notes(file.tracks)]
    if query.as_text and (count := without_length(page)):
        notes = "1 note of zero length is" if count == 1 else f"{count} notes of zero length are"
        warnings.append(f"{notes} written one tick long.")
    return MidiNotePage(
        notes=None if query.as_text else [_page_note(note, ppq, spelling) for note in page],
        text=write_midi_text(sequence_from_midi(file, page)) if query.as_text else None,
        note_count=len(selected),
        next_cursor=end if end < len(selected) else None,
        warnings=warnings,
    )


def _select(file: MidiFile, query: NoteQuery, ppq: int) -> list[PairedNote]:
    """Return the notes that match the query, sorted by time, track, channel and pitch."""
    lowest = query.lowest.midi if query.lowest else 0
    highest = query.highest.midi if query.highest else 127
    if query.lowest and query.highest and lowest > highest:
        message = f"'highest' is {query.highest.name}, below 'lowest', {query.lowest.name}. Swap them."
        raise MusicError("INVALID_PITCH", message, [f"lowest: {query.highest.name}"], "highest")
    first, last = _tick_window(file, query, ppq)
    indexes = range(len(file.tracks)) if query.tracks is None else find_tracks(track_names(file.tracks), query.tracks)
    selected = [
        note
        for index in indexes
        for note in pair_notes(file.tracks[index], index).notes
        if lowest <= note.pitch <= highest and note.start >= first and (last is None or note.start < last)
    ]
    selected.sort(key=lambda note: (note.start, note.track, note.channel, note.pitch))
    return selected


def _tick_window(file: MidiFile, query: NoteQuery, ppq: int) -> tuple[Fraction, Fraction | None]:
    """Return the first tick of the range and the tick after its last, or None if it goes to the end."""
    by_bars = query.first_bar is not None or query.last_bar is not None
    by_beats = query.start_beat is not None or query.end_beat is not None
    if by_bars and by_beats:
        message = "Give bars (first_bar, last_bar) or beats (start_beat, end_beat), not both."
        raise MusicError("INVALID_INPUT", message, ["first_bar", "last_bar"], "start_beat")
    if by_bars:
        first = query.first_bar or 1
        start, end = window_of_bars(file, first, query.last_bar or first)
        return start * ppq, end * ppq if query.last_bar is not None else None
    begin = query.start_beat or 0.0
    if query.end_beat is None:
        return parse_beats(begin) * ppq, None
    if query.end_beat <= begin:
        message = f"'end_beat' is {query.end_beat:g}, and must be after 'start_beat', {begin:g}."
        raise MusicError("END_BEFORE_START", message, [f"end_beat: {begin + 4:g}"], "end_beat")
    return parse_beats(begin) * ppq, parse_beats(query.end_beat) * ppq


def _page_note(note: PairedNote, ppq: int, spelling: Spelling) -> PageNote:
    return PageNote(
        track=note.track,
        channel=note.channel + 1,
        pitch=spelling.name(note.pitch, note.start),
        start=format_beats(Fraction(note.start, ppq)),
        duration=format_beats(Fraction(note.end - note.start, ppq)),
        velocity=note.velocity,
    )
