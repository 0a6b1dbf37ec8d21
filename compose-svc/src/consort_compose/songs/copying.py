"""Repeating a section elsewhere: its notes and chords, in the key that holds there (`key_change.py`)."""

from consort_compose.songs import note_changes, sections
from consort_compose.songs.chord_plan import chords_in, with_chords_moved
from consort_compose.songs.key_change import KeyChange
from consort_compose.songs.models import CopySection, SectionFields
from consort_compose.songs.selection import Selection
from consort_compose.songs.song import MAX_MEASURE, Section
from consort_compose.songs.store import HeldSong
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.touched import Touched, whole
from consort_compose.songs.words import fields_called, section_of, track_of
from consort_music.errors import MusicError
from consort_music.keys import parse_key


class Copied:
    """What was done, for the answer."""

    section: Section | None = None
    notes = 0
    removed = 0
    semitones = 0


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
    source_key = Timeline(song).key_at(start)
    symbols = [chord.symbol for chord in chords_in(song, start, end)]
    copied, touched = Copied(), Touched()
    if request.new_name is not None or request.key is not None:
        copied.section = _add_section(held, source, request)
        touched += whole("sections")
    timeline = Timeline(held.song)
    target = timeline.start_of(request.to_measure)
    target_key = timeline.key_at(target)
    change = KeyChange(
        parse_key(source_key) if source_key else None,
        parse_key(target_key) if target_key else None,
        request.transpose,
        symbols,
    )
    copied.semitones = change.semitones
    found = [(track, await note_changes.find(held, track, Selection(tracks, start, end))) for track in tracks]
    if request.replace:
        copied.removed, more = await note_changes.remove(held, Selection(tracks, target, target + end - start))
        touched += more
    for track, notes in found:
        pitches = [note.pitch if track.is_drums else change.pitch(note.pitch) for note in notes]
        new = [
            note._replace(start=note.start - start + target, pitch=pitch)
            for note, pitch in zip(notes, pitches, strict=True)
        ]
        outside = [note for note in new if not 0 <= note.pitch <= 127]
        if outside:
            raise MusicError(
                "INVALID_PITCH",
                f"In {track.name!r} a note would get pitch {outside[0].pitch}, which is not from 0 to 127.",
                ["transpose by an octave less"],
                "transpose",
            )
        if new:
            touched += await note_changes.put(held, track, new)
            copied.notes += len(new)
    if request.tracks is None and symbols:
        with fields_called({"chords": "name"}):
            held.song = with_chords_moved(held.song, start, end, target, change.chord)
        touched += whole("chords")
    return copied, touched


def _add_section(held: HeldSong, source: Section, request: CopySection) -> Section:
    end_measure = request.to_measure + source.measures - 1
    if end_measure > MAX_MEASURE:
        raise MusicError(
            "INVALID_INPUT",
            f"The copy would end at bar {end_measure:,}; a song has at most {MAX_MEASURE:,}.",
            [f"to_measure: {MAX_MEASURE - source.measures + 1}"],
            "to_measure",
        )
    given = SectionFields(
        name=request.new_name or f"{source.name} in {request.key}",
        start_measure=request.to_measure,
        end_measure=end_measure,
        key=request.key or source.key,
        description=source.description,
        tempo=source.tempo,
        time_signature=source.time_signature,
    )
    with fields_called({"name": "new_name", "start_measure": "to_measure", "end_measure": "to_measure"}):
        held.song, section = sections.add(held.song, given)
    return section
