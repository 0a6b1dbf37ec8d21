"""The notes of a file, chosen and told in beats."""

from fractions import Fraction
from typing import Any

from consort_midi_store.text.models import MidiNote, MidiNotes, ReadMidiNotes
from consort_music.beats import parse_beats, shown_beats
from consort_music.errors import MusicError
from consort_music.keys import Spelling
from consort_music.midi.as_text import ppq_of, text_of, without_length
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import Note, pair_notes
from consort_music.midi.reader import Limits, read_midi
from consort_music.midi.track_names import find_tracks, track_names
from consort_music.midi_text import write_midi_text
from consort_music.piano_roll import window_of_bars
from consort_music.pitch import Pitch


def read_page(content: bytes, max_bytes: int, request: dict[str, Any]) -> MidiNotes:
    """One page of the notes that fit; `request` is a ReadMidiNotes as plain data, since this may run in a child."""
    wanted = ReadMidiNotes.model_construct(**request)
    file = read_midi(content, Limits(max_bytes=max_bytes))
    ppq = ppq_of(file)
    chosen = choose(file, wanted, ppq)
    page = chosen[wanted.cursor : wanted.cursor + wanted.limit]
    end = wanted.cursor + len(page)
    as_text = wanted.format == "text"
    spelling = Spelling(keys_of(file.tracks))
    warnings = list(file.warnings[:20])
    if as_text and (count := without_length(page)):
        warnings.append(f"{count} notes of zero length are written one tick long.")
    return MidiNotes(
        notes=None if as_text else [_told(note, ppq, spelling) for note in page],
        text=write_midi_text(text_of(file, page)) if as_text else None,
        note_count=len(chosen),
        next_cursor=end if end < len(chosen) else None,
        warnings=warnings or None,
    )


def choose(file: MidiFile, wanted: ReadMidiNotes, ppq: int) -> list[Note]:
    """In the order of time, then track and pitch."""
    lowest = _pitch(wanted.lowest, "lowest") if wanted.lowest else 0
    highest = _pitch(wanted.highest, "highest") if wanted.highest else 127
    if lowest > highest:
        told = f"'highest' is {wanted.highest}, below 'lowest', {wanted.lowest}. Swap them."
        raise MusicError("INVALID_PITCH", told, [f"lowest: {wanted.highest}"], "highest")
    first, last = _window(file, wanted, ppq)
    indexes = range(len(file.tracks)) if wanted.tracks is None else find_tracks(track_names(file.tracks), wanted.tracks)
    chosen = [
        note
        for index in indexes
        for note in pair_notes(file.tracks[index], index).notes
        if lowest <= note.pitch <= highest and note.start >= first and (last is None or note.start < last)
    ]
    chosen.sort(key=lambda note: (note.start, note.track, note.channel, note.pitch))
    return chosen


def _window(file: MidiFile, wanted: ReadMidiNotes, ppq: int) -> tuple[Fraction, Fraction | None]:
    """The ticks from which on and before which notes are wanted."""
    by_bars = wanted.first_bar is not None or wanted.last_bar is not None
    by_beats = wanted.start_beat is not None or wanted.end_beat is not None
    if by_bars and by_beats:
        told = "Give bars (first_bar, last_bar) or beats (start_beat, end_beat), not both."
        raise MusicError("INVALID_INPUT", told, ["first_bar", "last_bar"], "start_beat")
    if by_bars:
        first = wanted.first_bar or 1
        start, end = window_of_bars(file, first, wanted.last_bar or first)
        return start * ppq, end * ppq if wanted.last_bar is not None else None
    begin = wanted.start_beat or 0.0
    if wanted.end_beat is None:
        return parse_beats(begin) * ppq, None
    if wanted.end_beat <= begin:
        told = f"'end_beat' is {wanted.end_beat:g}, and must be after 'start_beat', {begin:g}."
        raise MusicError("END_BEFORE_START", told, [f"end_beat: {begin + 4:g}"], "end_beat")
    return parse_beats(begin) * ppq, parse_beats(wanted.end_beat) * ppq


def _told(note: Note, ppq: int, spelling: Spelling) -> MidiNote:
    return MidiNote(
        track=note.track,
        channel=note.channel + 1,
        pitch=spelling.name(note.pitch, note.start),
        start=shown_beats(Fraction(note.start, ppq)),
        duration=shown_beats(Fraction(note.end - note.start, ppq)),
        velocity=note.velocity,
    )


def _pitch(text: str, field: str) -> int:
    if text.isdecimal() and int(text) <= 127:
        return int(text)
    try:
        return Pitch.parse(text).midi
    except MusicError as error:
        raise MusicError(error.code, f"'{field}': {error.message}", error.suggestions, field) from error
