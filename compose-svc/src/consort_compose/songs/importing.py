"""A MIDI file as a song: its tracks and notes to the tick, and what sections can say of its tempo, metre and markers.

A song changes tempo and metre at the bars where sections begin. So a section is made at each marker and wherever the
metre or tempo changes on a bar line; changes of tempo within bars are left out and counted, as is all else that a song
has no place for.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from consort_compose.songs.chunks import in_order
from consort_compose.songs.import_losses import losses
from consort_compose.songs.song import (
    MAX_BEAT,
    MAX_MEASURE,
    MAX_NOTES,
    MAX_SECTIONS,
    MAX_TEMPO,
    MAX_TRACKS,
    MIN_TEMPO,
    UNTITLED,
    Note,
    Section,
    Song,
    Track,
)
from consort_compose.songs.words import MAX_NAME, MAX_TITLE
from consort_kit.child import ChildLimits
from consort_music.errors import MusicError
from consort_music.metre import Metre, parse_metre
from consort_music.midi.as_text import ppq_of, text_of, without_length
from consort_music.midi.build import MELODIC_CHANNELS, MICROSECONDS_A_MINUTE, PAN, VOLUME
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import META, META_MARKER, MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.track_names import decode_name, title_of
from consort_music.midi_text import MidiText

READING = ChildLimits(cpu_s=20, memory_bytes=1024 * 1024 * 1024)


@dataclass(frozen=True)
class ImportedSong:
    song: Song
    notes: dict[int, list[Note]]
    warnings: list[str]


def song_of(content: bytes) -> ImportedSong:
    file = read_midi(content)
    ppq = ppq_of(file)
    notes = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    if len(notes) > MAX_NOTES:
        raise MusicError("TOO_MANY_NOTES", f"The file has {len(notes):,} notes; a song has at most {MAX_NOTES:,}.")
    if max((Fraction(note.end, ppq) for note in notes), default=0) > MAX_BEAT:
        raise MusicError("TOO_LARGE", f"The file goes beyond beat {MAX_BEAT:,}, where a song ends.")
    if file.format == 2 and len(file.tracks) > 1:
        raise MusicError(
            "NEEDS_ONE_TIMELINE",
            "This type 2 file holds pieces of their own that do not sound together: transform_midi splits it by track.",
            ["transform_midi with split by track"],
        )
    text = text_of(file, notes)
    warnings = [*file.warnings[:5], *losses(file, notes)]
    if count := without_length(notes):
        warnings.append(f"{count} notes of zero length were made one tick long")
    channels = [channel for _, channel in sorted({(note.track, note.channel) for note in notes})]
    tracks, by_track = _tracks(text, [_controllers(file, channel) for channel in channels], warnings)
    song = Song(
        title=(title_of(file) or UNTITLED)[:MAX_TITLE],
        tempo=_bpm(text.tempos[0][1]),
        time_signature=next((_metre(up, down).name for beat, up, down in text.time_signatures if not beat), "4/4"),
        tracks=tracks,
        next_track=len(tracks) + 1,
    )
    keys = _keys(file, ppq)
    if keys and keys[0][0] == 0:
        song = replace(song, key=keys[0][1])
    end = max((note.end for each in by_track.values() for note in each), default=Fraction(0))
    sections = _sections(song, text, keys, _markers(file, ppq), end, warnings)
    return ImportedSong(replace(song, sections=tuple(sections)), by_track, warnings)


def _tracks(
    text: MidiText, mixes: list[dict[int, int]], warnings: list[str]
) -> tuple[tuple[Track, ...], dict[int, list[Note]]]:
    if len(text.tracks) > MAX_TRACKS:
        raise MusicError("TOO_MANY_TRACKS", f"The file has {len(text.tracks)} parts; a song has at most {MAX_TRACKS}.")
    tracks: list[Track] = []
    notes: dict[int, list[Note]] = {}
    for number, (part, mix) in enumerate(zip(text.tracks, mixes, strict=True), start=1):
        program = None if part.instrument.is_drums else part.instrument.program
        tracks.append(Track(number, _free_name(part.name, tracks), program, mix.get(VOLUME), mix.get(PAN)))
        notes[number] = in_order(Note(note.start, note.pitch, note.duration, note.velocity) for note in part.notes)
    if len({track.program for track in tracks if track.program is not None}) > MELODIC_CHANNELS:
        warnings.append("more than 15 instruments: change some with edit_track before song_export_midi")
    return tuple(tracks), notes


def _free_name(name: str, tracks: list[Track]) -> str:
    taken = {track.name.casefold() for track in tracks}
    plain = name[: MAX_NAME - 5]
    if plain.casefold() not in taken:
        return plain
    return next(free for number in range(2, MAX_TRACKS + 2) if (free := f"{plain} {number}").casefold() not in taken)


def _controllers(file: MidiFile, channel: int) -> dict[int, int]:
    """The first value of each controller on a channel."""
    changes = sorted(
        (tick, data[0], data[1])
        for track in file.tracks
        for tick, status, data in track
        if status == 0xB0 | channel and data[0] in (VOLUME, PAN)
    )
    return {controller: value for _, controller, value in reversed(changes)}


def _bpm(exact: Fraction) -> float:
    """As short as it can be said: a file holds microseconds a beat, and 666,667 of them were meant as 90."""
    microseconds = round(MICROSECONDS_A_MINUTE / exact)
    said = (round(float(exact), digits) for digits in range(7))
    bpm = next((bpm for bpm in said if bpm and round(MICROSECONDS_A_MINUTE / bpm) == microseconds), float(exact))
    return min(max(bpm, MIN_TEMPO), MAX_TEMPO)


def _metre(upper: int, lower: int) -> Metre:
    try:
        return parse_metre(f"{upper}/{lower}")
    except MusicError:
        return parse_metre("4/4")


def _odd(text: MidiText) -> list[str]:
    """Tempos and metres that a song cannot have, and what it has instead."""
    tempos = sum(not MIN_TEMPO <= bpm <= MAX_TEMPO for _, bpm in text.tempos)
    metres = sum(_metre(upper, lower).name != f"{upper}/{lower}" for _, upper, lower in text.time_signatures)
    told = [f"{tempos} tempos are not from {MIN_TEMPO} to {MAX_TEMPO} bpm: the nearest was taken"] if tempos else []
    return [*told, f"{metres} metres that a song cannot have were read as 4/4"] if metres else told


def _keys(file: MidiFile, ppq: int) -> list[tuple[Fraction, str]]:
    return [(Fraction(tick, ppq), key.name) for tick, key in keys_of(file.tracks)]


def _markers(file: MidiFile, ppq: int) -> list[tuple[Fraction, str]]:
    found = [
        (Fraction(tick, ppq), decode_name(data[1:])[:MAX_NAME])
        for track in file.tracks
        for tick, status, data in track
        if status == META and data[0] == META_MARKER
    ]
    return sorted((beat, name) for beat, name in found if name)


def _sections(
    song: Song,
    text: MidiText,
    keys: list[tuple[Fraction, str]],
    markers: list[tuple[Fraction, str]],
    end: Fraction,
    warnings: list[str],
) -> list[Section]:
    """Bar by bar: what holds from each bar on, and a section wherever that changes or a marker stands."""
    tempos = dict(text.tempos)
    metres = {beat: _metre(up, down) for beat, up, down in text.time_signatures}
    names, signatures = dict(reversed(markers)), dict(keys)
    tempo, metre, key = song.tempo, parse_metre(song.time_signature), song.key
    begins: list[tuple[int, str | None, float, str, str | None]] = []
    measure, beat = 1, Fraction(0)
    while beat < end and measure <= MAX_MEASURE:
        before = (tempo, metre, key)
        tempo = _bpm(tempos.pop(beat)) if beat in tempos else tempo
        metre = metres.pop(beat, metre)
        key = signatures.pop(beat, key)
        name = names.pop(beat, None)
        if name or (tempo, metre, key) != before:
            begins.append((measure, name, tempo, metre.name, key))
        beat += metre.bar
        measure += 1
    warnings += _odd(text)
    lost: list[tuple[str, Collection[Fraction]]] = [("tempo changes", tempos), ("changes of metre", metres)]
    lost += [("key signatures", signatures), ("markers", names)]
    for what, left in lost:
        within = sum(at < end for at in left)
        if within:
            warnings.append(f"{within} {what} do not stand on a bar line and were left out")
        if len(left) > within:
            warnings.append(f"{len(left) - within} {what} behind the last note were left out")
    if len(begins) > MAX_SECTIONS:
        warnings.append(f"{len(begins)} changes of tempo, metre and key: only the first {MAX_SECTIONS} were kept")
        begins = begins[:MAX_SECTIONS]
    return _named_sections(song, begins, measure - 1)


def _named_sections(
    song: Song, begins: list[tuple[int, str | None, float, str, str | None]], last_measure: int
) -> list[Section]:
    sections: list[Section] = []
    taken: set[str] = set()
    if not begins:
        return sections
    ends = [*(each[0] - 1 for each in begins[1:]), last_measure]
    for (first, marker, tempo, metre, key), last in zip(begins, ends, strict=True):
        wanted = marker or f"Part {len(sections) + 1}"
        name, number = wanted, 2
        while name.casefold() in taken:
            name, number = f"{wanted[: MAX_NAME - 5]} {number}", number + 1
        taken.add(name.casefold())
        sections.append(
            Section(
                name=name,
                start_measure=first,
                end_measure=last,
                key=key if key != song.key else None,
                tempo=tempo if tempo != song.tempo else None,
                time_signature=metre if metre != song.time_signature else None,
            )
        )
    return sections
