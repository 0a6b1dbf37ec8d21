"""Repeating a section elsewhere: its notes and chords, in the key that holds there (`key_change.py`).

A copy that is transposed by semitones is in another key, so it gets a section for that key, unless only drums are
copied or a section is there already. A copy of some tracks brings its chords where none are planned, and leaves those
that are: the other tracks play to them.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from consort_compose.songs import note_changes, sections
from consort_compose.songs.chord_plan import chords_held_in, chords_in, with_chords_moved
from consort_compose.songs.key_change import KeyChange, key_after
from consort_compose.songs.models import CopySection, SectionFields
from consort_compose.songs.selection import Selection
from consort_compose.songs.song import MAX_MEASURE, Note, Section, Song, Track
from consort_compose.songs.store import HeldSong
from consort_compose.songs.tempos import with_copied_instruments, with_copied_tempo
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.touched import Touched, whole
from consort_compose.songs.words import fields_called, free_name, section_of, track_of
from consort_music.chords.layout import ChordMark
from consort_music.errors import MusicError
from consort_music.keys import Key, parse_key
from consort_music.wording import counted

Found = list[tuple[Track, list[Note]]]


@dataclass
class Copied:
    """What was done, for the answer."""

    section: Section | None = None
    notes: int = 0
    removed: int = 0
    semitones: int = 0
    warnings: list[str] = field(default_factory=list)


async def copy_section(held: HeldSong, request: CopySection) -> tuple[Copied, Touched]:
    song = held.song
    source = section_of(song, request.name)
    if request.to_measure == source.start_measure:
        raise MusicError(
            "INVALID_INPUT",
            f"{source.name!r} begins at bar {source.start_measure} itself; choose another bar.",
            [f"to_measure: {source.end_measure + 1}"],
            "to_measure",
        )
    tracks = tuple(track_of(song, name, "tracks") for name in request.tracks or []) or song.tracks
    start, end = Timeline(song).range_of(source)
    key_name = Timeline(song).key_at(start)
    source_key = parse_key(key_name) if key_name else None
    chords = chords_held_in(song, start, end)
    found = [(track, await note_changes.find(held, track, Selection(tracks, start, end))) for track in tracks]
    copied, touched = Copied(), Touched()
    new_key = _key_that_follows(request, source_key, found)
    if request.new_name is not None or request.key is not None or _needs_section(song, request, source, new_key):
        copied.section = _add_section(held, source, request, new_key)
        touched += whole("sections")
    timeline = Timeline(held.song)
    target = timeline.start_of(request.to_measure)
    target_name = timeline.key_at(target)
    target_key = parse_key(target_name) if target_name else None
    if new_key is not None and request.key is None and target_key != new_key:
        copied.warnings.append(_other_key(timeline, request.to_measure, new_key, target_name))
    change = KeyChange(source_key, target_key, request.transpose, [chord.symbol for chord in chords])
    copied.semitones = change.semitones
    moved = [(track, _moved(track, notes, target - start, change)) for track, notes in found]
    there = Selection(tracks, target, target + end - start)
    if request.replace:
        copied.removed, more = await note_changes.remove(held, there)
        touched += more
    elif warning := await _doubled(held, moved, there):
        copied.warnings.append(warning)
    for track, notes in moved:
        if notes:
            touched += await note_changes.put(held, track, notes)
            copied.notes += len(notes)
        if notes and track.program_changes:
            held.song = with_copied_instruments(held.song, track, start, end, target)
            touched += whole("tracks")
    if copied.section is not None and source.tempo is None and song.tempo_changes:
        held.song = with_copied_tempo(held.song, start, end, target)
    new = [ChordMark(chord.start - start + target, change.chord(chord.symbol)) for chord in chords]
    own = chords_in(held.song, target, target + end - start)
    if request.tracks is not None and own:
        if own != new:
            copied.warnings.append(_kept_chords(_bars(timeline, there), own, new))
    elif new:
        with fields_called({"chords": "name"}):
            held.song = with_chords_moved(held.song, new, target, target + end - start, _end_of_notes(held))
        touched += whole("chords")
    return copied, touched


def _key_that_follows(request: CopySection, source: Key | None, found: Found) -> Key | None:
    """Return the key of the source's notes after a transposition by semitones; None if they stay in theirs."""
    is_pitched = any(notes and not track.is_drums for track, notes in found)
    if request.transpose is None or request.transpose % 12 == 0 or source is None or not is_pitched:
        return None
    return key_after(source, request.transpose)


def _needs_section(song: Song, request: CopySection, source: Section, key: Key | None) -> bool:
    """Return whether a copy without a name needs a section for its key: all tracks, onto bars without a section."""
    last = request.to_measure + source.measures - 1
    is_free = all(each.end_measure < request.to_measure or last < each.start_measure for each in song.sections)
    return key is not None and request.tracks is None and is_free and last <= MAX_MEASURE


def _other_key(timeline: Timeline, measure: int, key: Key, key_there: str | None) -> str:
    section = timeline.stretch_at(timeline.start_of(measure)).section
    what = f"bar {measure} is in {key_there}" if key_there else f"bar {measure} has no key"
    if section is None:
        return f"The copy is in {key.name}, but {what}. To give it a section in that key, copy with new_name."
    return (
        f"The copy is in {key.name}, but {what}: the section {section.name!r} keeps its key. To change that:"
        " edit_section."
    )


def _moved(track: Track, notes: list[Note], by: Fraction, change: KeyChange) -> list[Note]:
    pitches = [note.pitch if track.is_drums else change.pitch(note.pitch) for note in notes]
    outside = [pitch for pitch in pitches if not 0 <= pitch <= 127]
    if outside:
        raise MusicError(
            "INVALID_PITCH",
            f"In {track.name!r} a note would get pitch {outside[0]}, which is not from 0 to 127.",
            ["transpose by an octave less"],
            "transpose",
        )
    return [note._replace(start=note.start + by, pitch=pitch) for note, pitch in zip(notes, pitches, strict=True)]


async def _doubled(held: HeldSong, moved: Found, there: Selection) -> str | None:
    """Return a warning if the copied tracks already have notes there."""
    count = twice = 0
    for track, notes in moved:
        if notes:
            before = await note_changes.find(held, track, there)
            count += len(before)
            same = Counter((note.start, note.pitch) for note in before)
            twice += sum((same & Counter((note.start, note.pitch) for note in notes)).values())
    if not count:
        return None
    doubled = f"; {counted(twice, 'note')} {'is' if twice == 1 else 'are'} there twice" if twice else ""
    return (
        f"{_bars(Timeline(held.song), there)} already had {counted(count, 'note')} in these tracks, which now sound"
        f" together with the copy{doubled}. To remove what was there: undo_last_action, then copy_section with"
        " replace: true."
    )


def _kept_chords(bars: str, own: list[ChordMark], new: list[ChordMark]) -> str:
    return (
        f"The chords planned in {bars[0].lower()}{bars[1:]} were kept ({_symbols(own)}); the copied section has"
        f" {_symbols(new) or 'none'}. Copy without tracks to copy the chords as well."
    )


def _symbols(chords: list[ChordMark]) -> str:
    return ", ".join(chord.symbol for chord in chords[:4]) + (", …" if len(chords) > 4 else "")


def _bars(timeline: Timeline, place: Selection) -> str:
    assert place.start is not None and place.end is not None
    first, last = timeline.measure_at(place.start), timeline.measure_at(place.end)
    last -= timeline.start_of(last) == place.end
    return f"Bar {first}" if last <= first else f"Bars {first} to {last}"


def _end_of_notes(held: HeldSong) -> float:
    return max((chunk.last_end for chunk in held.chunks.all()), default=0.0)


def _add_section(held: HeldSong, source: Section, request: CopySection, new_key: Key | None) -> Section:
    end_measure = request.to_measure + source.measures - 1
    if end_measure > MAX_MEASURE:
        raise MusicError(
            "INVALID_INPUT",
            f"The copy would end at bar {end_measure:,}; a song has at most {MAX_MEASURE:,}.",
            [f"to_measure: {MAX_MEASURE - source.measures + 1}"],
            "to_measure",
        )
    key = request.key or (new_key.name if new_key else source.key)
    given = SectionFields(
        name=request.new_name or free_name(f"{source.name} in {key}", (each.name for each in held.song.sections)),
        start_measure=request.to_measure,
        end_measure=end_measure,
        key=key,
        description=source.description,
        tempo=source.tempo,
        time_signature=source.time_signature,
    )
    try:
        with fields_called({"name": "new_name", "start_measure": "to_measure", "end_measure": "to_measure"}):
            held.song, section = sections.add(held.song, given)
    except MusicError as refusal:
        if refusal.code == "SECTION_OVERLAP":
            free = max(each.end_measure for each in held.song.sections) + 1
            refusal.suggestions = [f"to_measure: {free}"]
        raise
    return section
