"""A song as a MIDI file: 480 ticks a beat, a conductor track with everything that sections say, a track for each track.

On one key and channel MIDI knows one note at a time. Where notes of one pitch overlap in a track, the earlier one ends
as the later begins, and of two that start together the longer one is kept; the caller is told how many of each.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from consort_compose.songs.song import Note, Song
from consort_compose.songs.timeline import Stretch, Timeline
from consort_music.keys import parse_key
from consort_music.midi.build import DEFAULT_PPQ, MELODIC_CHANNELS, build_midi
from consort_music.midi.writer import write_midi
from consort_music.midi_text import MidiText, TextNote, TextTrack

PPQ = DEFAULT_PPQ
SIGNATURES = range(-7, 8)


def midi_bytes(song: Song, notes: Mapping[int, list[Note]]) -> tuple[bytes, list[str]]:
    """The file, and what could not be said in it; `notes` by the id of their track, in order."""
    warnings: list[str] = []
    end = max((note.end for each in notes.values() for note in each), default=Fraction(0))
    music = conductor(song, end)
    for track in song.tracks:
        sounding, shortened, left_out = without_overlaps(notes.get(track.id, []))
        told = [f"{shortened} were shortened"] if shortened else []
        told += [f"{left_out} that began together with another were left out"] if left_out else []
        if told:
            warnings.append(f"{track.name}: of the notes that overlap another of their pitch, {', '.join(told)}")
        music.tracks.append(
            TextTrack(
                name=track.name,
                instrument=track.instrument,
                notes=[TextNote(note.pitch, note.velocity, note.start, note.duration) for note in sounding],
                volume=track.volume,
                pan=track.pan,
            )
        )
    melodic = {(track.program, track.volume, track.pan) for track in song.tracks if not track.is_drums}
    if len(melodic) > MELODIC_CHANNELS:
        warnings.append("more than 15 tracks: those of one instrument share a channel, so one volume and pan")
    keys = [(song.title, song.key), *((section.name, section.key) for section in song.sections)]
    warnings += [
        f"{name}: {key} has no key signature; none was written"
        for name, key in keys
        if key and parse_key(key).sharps not in SIGNATURES
    ]
    return write_midi(build_midi(music, ppq=PPQ)), warnings


def conductor(song: Song, end: Fraction) -> MidiText:
    """Tempo, metre and key where each changes, and a marker for each section.

    Behind the last note and the last section nothing changes. The file ends on a bar line, so that
    a loop keeps time.
    """
    timeline = Timeline(song)
    music = MidiText(tempos=tempo_map(song, timeline, end), title=song.title, end=timeline.bars.line_from(end))
    metre: tuple[int, int] | None = None
    signature: tuple[int, bool] | None = None
    for stretch in _needed(timeline, end):
        if (stretch.metre.numerator, stretch.metre.denominator) != metre:
            metre = (stretch.metre.numerator, stretch.metre.denominator)
            music.time_signatures.append((stretch.start, *metre))
        name = timeline.key_at(stretch.start)
        key = parse_key(name) if name else None
        if key and key.sharps in SIGNATURES and (key.sharps, key.is_minor) != signature:
            signature = (key.sharps, key.is_minor)
            music.key_signatures.append((stretch.start, *signature))
        if stretch.section:
            music.markers.append((stretch.start, stretch.section.name))
    return music


def tempo_map(song: Song, timeline: Timeline, end: Fraction) -> list[tuple[Fraction, Fraction]]:
    tempos: list[tuple[Fraction, Fraction]] = []
    for stretch in _needed(timeline, end):
        bpm = Fraction(str((stretch.section and stretch.section.tempo) or song.tempo))
        if not tempos or tempos[-1][1] != bpm:
            tempos.append((stretch.start, bpm))
    return tempos


def _needed(timeline: Timeline, end: Fraction) -> list[Stretch]:
    """All stretches but the one behind the last section, if nothing sounds there."""
    *before, last = timeline.stretches
    return [*before, last] if last.start < end or not before else before


def without_overlaps(notes: Iterable[Note]) -> tuple[list[Note], int, int]:
    """What can sound, how many notes were shortened for it, and how many left out."""
    kept: list[Note] = []
    latest: dict[int, int] = {}
    shortened = left_out = 0
    for note in notes:
        place = latest.get(note.pitch)
        if place is not None and kept[place].end > note.start:
            before = kept[place]
            if before.start == note.start:
                longer = max(before.duration, note.duration)
                kept[place] = before._replace(duration=longer, velocity=max(before.velocity, note.velocity))
                left_out += 1
                continue
            shortened += 1
            kept[place] = before._replace(duration=note.start - before.start)
        latest[note.pitch] = len(kept)
        kept.append(note)
    return kept, shortened, left_out
