"""Copy the notes and chords of a section to another bar, and move them to the key of that bar (see `key_change.py`).

If the request transposes by semitones, the copy is in another key. A section with that key is then added if all tracks
are copied, they are not only drums, and the target bars have no section. If only some tracks are copied, chords already
planned at the target are kept, because the other tracks still play them. If none are planned there, the section's
chords are copied.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from consort_compose.songs.document.chord_plan import chords_held_in, chords_in, with_chords_replaced
from consort_compose.songs.document.names import find_section, find_track, rename_fields, unused_name
from consort_compose.songs.document.song import MAX_MEASURE, Section, Song, SongNote, Track
from consort_compose.songs.document.tempos import with_copied_instruments, with_copied_tempo
from consort_compose.songs.document.timeline import Timeline, metre_of
from consort_compose.songs.edits import change_notes, sections
from consort_compose.songs.edits.key_change import KeyChange, key_after
from consort_compose.songs.models.sections import CopySection, SectionFields
from consort_compose.songs.notes.selection import Selection
from consort_compose.songs.notes.stored_notes import find_notes
from consort_compose.songs.storage.changed_places import ChangedPlaces, everywhere_in
from consort_compose.songs.storage.store import LockedSong
from consort_music.chords.timed_chords import ChordMark
from consort_music.errors import MusicError
from consort_music.keys import Key
from consort_music.texts.plurals import counted

NotesByTrack = list[tuple[Track, list[SongNote]]]


@dataclass
class CopyOutcome:
    """What was copied, for the answer: the new section if there is one, and numbers of notes."""

    section: Section | None = None
    notes: int = 0
    removed: int = 0
    semitones: int = 0
    warnings: list[str] = field(default_factory=list)


async def copy_section(locked: LockedSong, request: CopySection) -> tuple[CopyOutcome, ChangedPlaces]:
    """Copy a section as the request says. Raise a MusicError with the name of the invalid field."""
    song = locked.song
    source = find_section(song, request.name)
    if request.to_measure == source.start_measure:
        raise MusicError(
            "INVALID_INPUT",
            f"'to_measure' is {source.start_measure}, where {source.name!r} itself begins. Choose another bar.",
            [f"to_measure: {source.end_measure + 1}"],
            "to_measure",
        )
    tracks = tuple(find_track(song, name, "tracks") for name in request.tracks or []) or song.tracks
    start, end = Timeline(song).range_of(source)
    source_key = Timeline(song).key_at(start)
    chords = chords_held_in(song, start, end)
    found = [(track, await find_notes(locked, track, Selection(tracks, start, end))) for track in tracks]
    copied, changed_places = CopyOutcome(), ChangedPlaces()
    new_key = _transposed_key(request, source_key, found)
    if request.new_name is not None or request.key is not None or _needs_section(song, request, source, new_key):
        copied.section = _add_section(locked, source, request, new_key)
        changed_places += everywhere_in("sections")
    timeline = Timeline(locked.song)
    target = timeline.start_of(request.to_measure)
    target_key = timeline.key_at(target)
    if new_key is not None and request.key is None and target_key != new_key:
        copied.warnings.append(_key_warning(timeline, request.to_measure, new_key))
    change = KeyChange(source_key, target_key, request.transpose, [chord.symbol for chord in chords])
    copied.semitones = change.semitones
    moved = [(track, _copied_notes(track, notes, target - start, change)) for track, notes in found]
    there = Selection(tracks, target, target + end - start)
    if request.replace:
        copied.removed, more = await change_notes.remove(locked, there)
        changed_places += more
    elif warning := await _doubled_notes_warning(locked, moved, there):
        copied.warnings.append(warning)
    for track, notes in moved:
        if notes:
            changed_places += await change_notes.add(locked, track, notes)
            copied.notes += len(notes)
        if notes and track.program_changes:
            locked.song = with_copied_instruments(locked.song, track, start, end, target)
            changed_places += everywhere_in("tracks")
    if copied.section is not None and source.tempo is None and song.tempo_changes:
        locked.song = with_copied_tempo(locked.song, start, end, target)
    new = [ChordMark(chord.start - start + target, change.chord(chord.symbol)) for chord in chords]
    own = chords_in(locked.song, target, target + end - start)
    if request.tracks is not None and own:
        if own != new:
            copied.warnings.append(_kept_chords_warning(_bars_in_words(timeline, there), own, new))
    elif new:
        with rename_fields({"chords": "name"}):
            locked.song = with_chords_replaced(locked.song, new, target, target + end - start, _end_of_notes(locked))
        changed_places += everywhere_in("chords")
    return copied, changed_places


def _transposed_key(request: CopySection, source: Key | None, found: NotesByTrack) -> Key | None:
    """Return the key of the copy if the request transposes pitched notes by semitones; otherwise None.

    Also return None if the source has no key, or if the notes move by whole octaves.
    """
    is_pitched = any(notes and not track.is_drums for track, notes in found)
    if request.transpose is None or request.transpose % 12 == 0 or source is None or not is_pitched:
        return None
    return key_after(source, request.transpose)


def _needs_section(song: Song, request: CopySection, source: Section, key: Key | None) -> bool:
    """Return whether to add a section for the new key of the copy.

    True if the key changes, all tracks are copied, the target bars have no section, and the copy ends by MAX_MEASURE.
    """
    last = request.to_measure + source.measures - 1
    is_free = all(each.end_measure < request.to_measure or last < each.start_measure for each in song.sections)
    return key is not None and request.tracks is None and is_free and last <= MAX_MEASURE


def _key_warning(timeline: Timeline, measure: int, key: Key) -> str:
    """Return the warning that the copy is in another key than the bars where it is."""
    beat = timeline.start_of(measure)
    section, key_there = timeline.span_at(beat).section, timeline.key_text_at(beat)
    what = f"bar {measure} is in {key_there}" if key_there else f"bar {measure} has no key"
    if section is None:
        return f"The copy is in {key.name}, but {what}. To give it a section in that key, copy with new_name."
    return (
        f"The copy is in {key.name}, but {what}: the section {section.name!r} keeps its key. To change it,"
        " use edit_section."
    )


def _copied_notes(track: Track, notes: list[SongNote], by: Fraction, change: KeyChange) -> list[SongNote]:
    """Return the notes shifted by `by` beats and transposed to the new key.

    Raise INVALID_PITCH if a note would get a pitch outside MIDI's 0 to 127.
    """
    pitches = [note.pitch if track.is_drums else change.pitch(note.pitch) for note in notes]
    outside = [pitch for pitch in pitches if not 0 <= pitch <= 127]
    if outside:
        raise MusicError(
            "INVALID_PITCH",
            f"A note of {track.name!r} would get pitch {outside[0]}, which is not from 0 to 127.",
            ["transpose by an octave less"],
            "transpose",
        )
    return [note._replace(start=note.start + by, pitch=pitch) for note, pitch in zip(notes, pitches, strict=True)]


async def _doubled_notes_warning(locked: LockedSong, moved: NotesByTrack, there: Selection) -> str | None:
    """Return a warning if the copied tracks already have notes in the range `there`; otherwise None."""
    count = twice = 0
    for track, notes in moved:
        if notes:
            before = await find_notes(locked, track, there)
            count += len(before)
            same = Counter((note.start, note.pitch) for note in before)
            twice += sum((same & Counter((note.start, note.pitch) for note in notes)).values())
    if not count:
        return None
    doubled = f"; {counted(twice, 'note')} {'is' if twice == 1 else 'are'} there twice" if twice else ""
    bars = _bars_in_words(Timeline(locked.song), there)
    return (
        f"{bars} already had {counted(count, 'note')} in these tracks, which now sound together with the copy{doubled}."
        " To remove them: undo_last_action, then copy_section with replace: true."
    )


def _kept_chords_warning(bars: str, own: list[ChordMark], new: list[ChordMark]) -> str:
    """Return the warning that planned chords were kept."""
    return (
        f"The chords planned in {bars[0].lower()}{bars[1:]} were kept ({_symbols(own)}); the copied section has"
        f" {_symbols(new) or 'none'}. To copy the chords too, copy without tracks."
    )


def _symbols(chords: list[ChordMark]) -> str:
    return ", ".join(chord.symbol for chord in chords[:4]) + (", …" if len(chords) > 4 else "")


def _bars_in_words(timeline: Timeline, place: Selection) -> str:
    assert place.start is not None and place.end is not None
    first, last = timeline.measure_at(place.start), timeline.measure_at(place.end)
    last -= timeline.start_of(last) == place.end
    return f"Bar {first}" if last <= first else f"Bars {first} to {last}"


def _end_of_notes(locked: LockedSong) -> float:
    return max((chunk.last_end for chunk in locked.chunks.all()), default=0.0)


def _add_section(locked: LockedSong, source: Section, request: CopySection, new_key: Key | None) -> Section:
    """Add a section for the copy, with the source's properties. Field names in errors are those of copy_section."""
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
        name=request.new_name or unused_name(f"{source.name} in {key}", (each.name for each in locked.song.sections)),
        start_measure=request.to_measure,
        end_measure=end_measure,
        key=key,
        description=source.description,
        tempo=source.tempo,
        time_signature=metre_of(source.time_signature) if source.time_signature else None,
    )
    try:
        with rename_fields({"name": "new_name", "start_measure": "to_measure", "end_measure": "to_measure"}):
            locked.song, section = sections.add(locked.song, given)
    except MusicError as error:
        if error.code == "SECTION_OVERLAP":
            free = max(each.end_measure for each in locked.song.sections) + 1
            error.suggestions = [f"to_measure: {free}"]
        raise
    return section
