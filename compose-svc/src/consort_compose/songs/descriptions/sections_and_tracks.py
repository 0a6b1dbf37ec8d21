"""Describe sections and tracks for the answers of tools."""

from collections.abc import Sequence
from fractions import Fraction

from consort_compose.songs.document.song import Section, Song, Track
from consort_compose.songs.document.tempos import tempo_at
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.models.sections import SectionInfo
from consort_compose.songs.models.tracks import TrackInfo
from consort_compose.songs.storage.chunks import Chunk
from consort_music.beats import format_beats


def describe_section(song: Song, section: Section, timeline: Timeline | None = None) -> SectionInfo:
    """Return a section with its range of beats. Values that the section does not have are the song's."""
    timeline = timeline or Timeline(song)
    start, end = timeline.range_of(section)
    return SectionInfo(
        name=section.name,
        start_measure=section.start_measure,
        end_measure=section.end_measure,
        start_time=format_beats(start),
        end_time=format_beats(end),
        key=section.key or song.key,
        tempo=tempo_at(song, timeline, start),
        time_signature=section.time_signature or song.time_signature,
        description=section.description,
    )


def describe_sections(song: Song) -> list[SectionInfo]:
    timeline = Timeline(song)
    return [describe_section(song, section, timeline) for section in song.sections]


def describe_track(track: Track, chunks: Sequence[Chunk]) -> TrackInfo:
    """Return a track with the number, range and end of its notes. The chunks need not be fetched."""
    return TrackInfo(
        name=track.name,
        instrument=track.instrument.name,
        program=track.program,
        is_drums=track.is_drums,
        volume=track.volume,
        pan=track.pan,
        instrument_changes=_instrument_changes(track),
        note_count=sum(chunk.note_count for chunk in chunks),
        lowest=track.pitch_name(min(chunk.lowest for chunk in chunks)) if chunks else None,
        highest=track.pitch_name(max(chunk.highest for chunk in chunks)) if chunks else None,
        end_time=format_beats(Fraction(max(chunk.last_end for chunk in chunks)).limit_denominator(10_000))
        if chunks
        else None,
    )


def _instrument_changes(track: Track) -> str | None:
    changes = (
        (change.start, f"kit {change.value}" if track.is_drums else track.instrument_at(change.start).name)
        for change in track.program_changes
    )
    return ", ".join(f"{format_beats(start)}: {name}" for start, name in changes) or None
