"""Convert the events of a script to a note sequence, and report what has no MIDI meaning.

Every voice is a track; a voice that plays several instruments, or drums and notes, is a track for each. Effects and
other controls that a MIDI file cannot have are left out and named.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from consort_music.instruments import DRUMS, INSTRUMENTS, Instrument
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_strudel.engine import Evaluation, PlayedEvent
from consort_strudel.events.cycle_time import tempos_of
from consort_strudel.events.event_notes import (
    DEFAULT_PITCH,
    is_silent,
    sample_number,
    sound_of,
    velocity_of,
)
from consort_strudel.events.midi_sounds import MidiSound, midi_sound
from consort_strudel.events.voices import VoiceFinder
from consort_strudel.music_words import number_of, pitch_of

_KEPT = frozenset(("note", "n", "freq", "s", "bank", "gain", "velocity", "clip", "legato", "duration", "cps", "pan"))
"""Controls that are in the notes of the file."""
_FINEST_LENGTH = 10_000
_HIGHEST_KEY = 127
_FIGURES = (4, 8, 16)


@dataclass
class MidiExport:
    music: NoteSequence
    note_count: int = 0
    unmapped: Counter[str] = field(default_factory=Counter)
    """Events that are not in the file, by reason."""
    rounded_pitches: int = 0
    """Notes between two keys."""
    replaced_sounds: dict[str, str] = field(default_factory=dict)
    """Sounds that General MIDI does not have, and the instrument that plays for them."""
    unused_controls: Counter[str] = field(default_factory=Counter)
    """Controls that a MIDI file cannot have, and in how many events they are."""


def export_events(
    evaluation: Evaluation, finder: VoiceFinder, begin: int, end: int, beats: Fraction, title: str | None = None
) -> MidiExport:
    """Return the events that begin in the cycles from `begin` to `end` as music of `beats` beats per cycle."""
    made = MidiExport(NoteSequence(title=title, end=(end - begin) * beats))
    made.music.tempos = tempos_of(evaluation, begin, beats)
    made.music.time_signatures = [(Fraction(0), *_time_signature(beats))]
    tracks: dict[tuple[int, str, Instrument], SequenceTrack] = {}
    pans: dict[tuple[int, str, Instrument], set[float | None]] = {}
    for event in evaluation.events:
        note, sound = _note_of(event, begin, beats, made)
        if note is None:
            continue
        voice = finder.voice_of(event)
        instrument = DRUMS if sound.key is not None else INSTRUMENTS[sound.program or 0]
        place = (voice.start, voice.name, instrument)
        track = tracks.setdefault(place, SequenceTrack(place[1], instrument))
        track.notes.append(note)
        pans.setdefault(place, set()).add(number_of(event.value.get("pan")))
        made.note_count += 1
    order = sorted(tracks, key=lambda place: (place[0], place[2].is_drums, place[2].program))
    shared = Counter(place[:2] for place in order)
    for place in order:
        track = tracks[place]
        if shared[place[:2]] > 1:
            track.name = f"{track.name} ({place[2].name})"
        pan = next(iter(pans[place])) if len(pans[place]) == 1 else None
        if pan is not None:
            track.pan = min(max(round(127 * pan), 0), 127)
        made.music.tracks.append(track)
    return made


def _note_of(
    event: PlayedEvent, begin: int, beats: Fraction, made: MidiExport
) -> tuple[SequenceNote | None, MidiSound]:
    value = event.value
    if not isinstance(value, dict):
        made.unmapped["values without note() or s()"] += 1
        return None, MidiSound()
    if "cps" in value and not value.keys() - {"cps", "gain", "velocity"}:
        return None, MidiSound()  # it only changes the tempo
    name = sound_of(value)
    if is_silent(value):
        made.unmapped["silent events"] += 1
        return None, MidiSound()
    duration = event.duration.limit_denominator(_FINEST_LENGTH)
    if duration <= 0:
        made.unmapped["events without length"] += 1
        return None, MidiSound()
    sound = midi_sound(name, sample_number(value))
    key = sound.key if sound.key is not None else _key_of(value, name, sound, made)
    if key is None:
        return None, sound
    made.unused_controls.update(control for control in value if control not in _KEPT)
    note = SequenceNote(key, velocity_of(value), (event.begin - begin) * beats, duration * beats)
    return note, sound


def _key_of(value: Mapping[str, Any], name: str, sound: MidiSound, made: MidiExport) -> int | None:
    """Return the key of an event that is not a drum, or None after counting why it has none."""
    pitch = pitch_of(value)
    if pitch is None:
        if sound.program is None:
            made.unmapped[f"sounds without pitch: {name}"] += 1
            return None
        pitch = DEFAULT_PITCH
    key = int(pitch + 0.5)
    if not 0 <= key <= _HIGHEST_KEY:
        made.unmapped["pitches outside MIDI"] += 1
        return None
    made.rounded_pitches += abs(pitch - key) > 1e-6
    if sound.program is None:
        made.replaced_sounds[name] = INSTRUMENTS[0].name
    return key


def _time_signature(beats: Fraction) -> tuple[int, int]:
    """Return the time signature of a cycle of this many quarter notes, or 4/4 if there is none."""
    for unit in _FIGURES:
        upper = beats * unit / 4
        if upper.denominator == 1 and 1 <= upper <= 64:
            return int(upper), unit
    return 4, 4


def unmapped_count(made: MidiExport) -> int:
    return sum(made.unmapped.values())


def warnings_of(made: MidiExport) -> Sequence[str]:
    """Return a sentence for each kind of loss."""
    lines = [f"Left out: {count} x {reason}." for reason, count in made.unmapped.most_common(20)]
    if made.rounded_pitches:
        lines.append(f"{made.rounded_pitches} pitches between two keys were rounded.")
    lines += [
        f"General MIDI has no sound {name}; {instrument} plays it."
        for name, instrument in list(made.replaced_sounds.items())[:20]
    ]
    if made.unused_controls:
        names = ", ".join(name for name, _ in made.unused_controls.most_common(20))
        lines.append(f"A MIDI file cannot have these controls: {names}.")
    return lines
