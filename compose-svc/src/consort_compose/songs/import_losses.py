"""What a MIDI file says that a song has no place for, told in a few words."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from consort_music.midi.build import PAN, VOLUME
from consort_music.midi.model import DRUM_CHANNEL, META, MidiFile
from consort_music.midi.notes import Note
from consort_music.midi.parts import ChannelPrograms, Part

_TEXTS = {1, 5, 7}  # text, lyrics, cue points
_CONTROL, _PROGRAM = 0xB0, 0xC0
_KINDS = {0xA0: "key pressures", _CONTROL: "controller changes", 0xD0: "channel pressures", 0xE0: "pitch bends"}


def losses(file: MidiFile, notes: Sequence[Note]) -> list[str]:
    """One warning, or none; `notes` are all those of the file."""
    found: Counter[str] = Counter()
    for track in file.tracks:
        for (status, kind), count in Counter(_kinds(track)).items():
            if status in (0xF0, 0xF7):
                found["system exclusive messages"] += count
            elif status == META:
                found["texts and lyrics"] += count if kind in _TEXTS else 0
            elif status & 0xF0 in _KINDS:
                found[_KINDS[status & 0xF0]] += count
            elif status == _PROGRAM | DRUM_CHANNEL:
                found["drum kits"] += count if kind else 0
    found["controller changes"] -= _mixes(file, {note.channel for note in notes})
    found["changes of instrument"] = _changes_of_instrument(file, notes)
    told = [f"{count} {what}" for what, count in found.items() if count > 0]
    return [f"a song has no place for {', '.join(told)}: left out"] if told else []


def _kinds(track: Sequence[tuple[int, int, bytes]]) -> list[tuple[int, int]]:
    return [(status, data[0] if data else 0) for _, status, data in track if status >= 0xA0]


def _mixes(file: MidiFile, channels: set[int]) -> int:
    """The first volume and the first pan of a channel that plays are a track's."""
    return len(
        {
            (status, data[0])
            for track in file.tracks
            for _, status, data in track
            if status & 0xF0 == _CONTROL and status & 0x0F in channels and data[0] in (VOLUME, PAN)
        }
    )


def _changes_of_instrument(file: MidiFile, notes: Sequence[Note]) -> int:
    programs = ChannelPrograms(map(Part.of, file.tracks))
    parts: dict[tuple[int, int], list[tuple[int, int, bytes]]] = {}
    for note in notes:
        if note.channel != DRUM_CHANNEL:
            parts.setdefault((note.track, note.channel), []).append((note.start, 0x90 | note.channel, b""))
    return sum(len(programs.under(sorted(part, key=itemgetter(0)))) - 1 for part in parts.values())
