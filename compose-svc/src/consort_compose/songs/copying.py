"""Repeating a section elsewhere: its notes and chords, in the key that holds there.

From one key to another of the same mode everything moves by the nearest interval between the tonics. Where the mode
differs too, each note keeps its degree: the third of a major scale becomes the third of a minor one, and what is not in
the scale keeps its distance to the degree below.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from consort_compose.songs import note_changes, sections
from consort_compose.songs.chord_plan import in_other_mode, transposed, without_chords
from consort_compose.songs.models import CopySection, SectionFields
from consort_compose.songs.selection import Selection
from consort_compose.songs.song import MAX_MEASURE, Chord, Section
from consort_compose.songs.store import HeldSong
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.touched import Touched, whole
from consort_compose.songs.words import fields_called, section_of, track_of
from consort_music.errors import MusicError
from consort_music.keys import MODES, Key, parse_key


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
    copied, touched = Copied(), Touched()
    if request.new_name is not None or request.key is not None:
        copied.section = _add_section(held, source, request)
        touched += whole("sections")
    timeline = Timeline(held.song)
    target = timeline.start_of(request.to_measure)
    target_key = timeline.key_at(target)
    copied.semitones, change = _change(source_key, target_key, request.transpose)
    found = [(track, await note_changes.find(held, track, Selection(tracks, start, end))) for track in tracks]
    if request.replace:
        copied.removed, more = await note_changes.remove(held, Selection(tracks, target, target + end - start))
        touched += more
    for track, notes in found:
        new = [
            note._replace(start=note.start - start + target, pitch=note.pitch if track.is_drums else change(note.pitch))
            for note in notes
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
    if request.tracks is None:
        touched += _copy_chords(held, (start, end), target, _chord_change(copied.semitones, change, target_key))
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


def _copy_chords(
    held: HeldSong, source: tuple[Fraction, Fraction], target: Fraction, change: Callable[[str], str]
) -> Touched:
    start, end = source
    chords = [chord for chord in held.song.chords if start <= chord.start < end]
    if not chords:
        return []
    new = [Chord(chord.start - start + target, change(chord.symbol)) for chord in chords]
    kept = without_chords(held.song, target, target + end - start).chords
    held.song = replace(held.song, chords=tuple(sorted([*kept, *new])))
    return whole("chords")


def _chord_change(semitones: int, change: Callable[[int], int], key: str | None) -> Callable[[str], str]:
    """What becomes of a chord, so that it is still the chord of its notes."""
    spelled = parse_key(key) if key else None
    keeps_its_quality = len({change(pitch) - pitch for pitch in range(60, 72)}) == 1

    def moved(symbol: str) -> str:
        found = None if spelled is None or keeps_its_quality else in_other_mode(symbol, change, spelled)
        return found or transposed(symbol, semitones, spelled)

    return moved


def _change(source: str | None, target: str | None, semitones: int | None) -> tuple[int, Callable[[int], int]]:
    """The interval between the tonics, and what becomes of a pitch."""
    if semitones is None and source and target:
        one, other = parse_key(source), parse_key(target)
        semitones = (other.tonic - one.tonic + 6) % 12 - 6
        if one.mode != other.mode and len(MODES[one.mode]) == len(MODES[other.mode]):
            by_degree = _by_degree(one, other)
            shift = semitones
            return shift, lambda pitch: pitch + shift + by_degree[(pitch - one.tonic) % 12]
    fixed = semitones or 0
    return fixed, lambda pitch: pitch + fixed


def _by_degree(one: Key, other: Key) -> list[int]:
    """For each semitone above the tonic, by how much the same degree of the other mode is higher."""
    here = [semitones for _, semitones in MODES[one.mode]]
    there = [semitones for _, semitones in MODES[other.mode]]
    degrees = [max(place for place, tone in enumerate(here) if tone <= semitone) for semitone in range(12)]
    return [there[degree] - here[degree] for degree in degrees]
