"""Tracks and sections as answers tell them."""

from collections.abc import Sequence
from fractions import Fraction

from consort_compose.songs.chunks import Chunk
from consort_compose.songs.models import SectionInfo, TrackInfo
from consort_compose.songs.note_text import name_of
from consort_compose.songs.song import Section, Song, Track
from consort_compose.songs.tempos import tempo_at
from consort_compose.songs.timeline import Timeline
from consort_music.beats import shown_beats


def section_info(song: Song, section: Section, timeline: Timeline | None = None) -> SectionInfo:
    timeline = timeline or Timeline(song)
    start, end = timeline.range_of(section)
    return SectionInfo(
        name=section.name,
        start_measure=section.start_measure,
        end_measure=section.end_measure,
        start_time=shown_beats(start),
        end_time=shown_beats(end),
        key=section.key or song.key,
        tempo=tempo_at(song, timeline, start),
        time_signature=section.time_signature or song.time_signature,
        description=section.description,
    )


def sections_info(song: Song) -> list[SectionInfo]:
    timeline = Timeline(song)
    return [section_info(song, section, timeline) for section in song.sections]


def track_info(track: Track, chunks: Sequence[Chunk]) -> TrackInfo:
    return TrackInfo(
        name=track.name,
        instrument=track.instrument.name,
        program=track.program,
        is_drums=track.is_drums,
        volume=track.volume,
        pan=track.pan,
        instrument_changes=_instrument_changes(track),
        note_count=sum(chunk.note_count for chunk in chunks),
        lowest=name_of(min(chunk.lowest for chunk in chunks), track.instrument) if chunks else None,
        highest=name_of(max(chunk.highest for chunk in chunks), track.instrument) if chunks else None,
        end_time=shown_beats(Fraction(max(chunk.last_end for chunk in chunks)).limit_denominator(10_000))
        if chunks
        else None,
    )


def _instrument_changes(track: Track) -> str | None:
    changes = (
        (change.start, f"kit {change.value}" if track.is_drums else track.instrument_at(change.start).name)
        for change in track.program_changes
    )
    return ", ".join(f"{shown_beats(start)}: {name}" for start, name in changes) or None
