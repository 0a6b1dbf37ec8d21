"""A song as a MIDI file: a conductor track with everything that sections say, then a track for each track.

The file has 480 ticks a beat, or as many as it takes for every note to be exact. Notes of one pitch may overlap or
begin together in a track; a reader pairs them first-in first-out, so a note that lies inside a longer one of its pitch
exchanges its end with it, and a warning says so.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.tempos import tempo_map
from consort_compose.songs.timeline import Timeline
from consort_music.keys import parse_key
from consort_music.midi.build import build_midi, nested_note_warnings
from consort_music.midi.channels import MELODIC_CHANNELS
from consort_music.midi.resolution import count_inexact, exact_ppq
from consort_music.midi.writer import write_midi
from consort_music.midi_text import MidiText, TextNote, TextTrack
from consort_music.wording import counted, were

SIGNATURES = range(-7, 8)


def midi_bytes(song: Song, notes: Mapping[int, list[Note]]) -> tuple[bytes, list[str]]:
    """The file, and what could not be said in it; `notes` by the id of their track, in order."""
    warnings: list[str] = []
    end = max((note.end for each in notes.values() for note in each), default=Fraction(0))
    music = conductor(song, end)
    for track in song.tracks:
        music.tracks.append(_text_track(track, notes.get(track.id, [])))
    warnings += nested_note_warnings(music)
    melodic = {
        (track.program, track.program_changes, track.volume, track.pan) for track in song.tracks if not track.is_drums
    }
    if len(melodic) > MELODIC_CHANNELS:
        warnings.append(
            f"The song has more than {MELODIC_CHANNELS} tracks; some share a channel, with one volume and pan."
        )
    keys = [(song.title, song.key), *((section.name, section.key) for section in song.sections)]
    warnings += [
        f"No key signature was written for {name!r}: {key} has none."
        for name, key in keys
        if key and parse_key(key).sharps not in SIGNATURES
    ]
    ppq = exact_ppq(music)
    if count := count_inexact(music, ppq):
        warnings.append(f"{counted(count, 'note')} between ticks {were(count)} moved by at most 1/{2 * ppq} of a beat.")
    return write_midi(build_midi(music, ppq)), warnings


def conductor(song: Song, end: Fraction) -> MidiText:
    """Tempo, metre and key where each changes, and a marker for each section.

    Behind the last note and the last section nothing changes. The file ends on a bar line, so that
    a loop keeps time.
    """
    timeline = Timeline(song)
    music = MidiText(tempos=tempo_map(song, timeline, end), title=song.title, end=timeline.bars.line_from(end))
    metre: tuple[int, int] | None = None
    signature: tuple[int, bool] | None = None
    for stretch in timeline.needed(end):
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


def _text_track(track: Track, notes: Iterable[Note]) -> TextTrack:
    return TextTrack(
        name=track.name,
        instrument=track.instrument,
        notes=[TextNote(note.pitch, note.velocity, note.start, note.duration) for note in notes],
        volume=track.volume,
        pan=track.pan,
        program_changes=[(change.start, int(change.value)) for change in track.program_changes],
    )
