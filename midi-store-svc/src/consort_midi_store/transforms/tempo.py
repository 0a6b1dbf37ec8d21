"""How fast the music goes: only tempo events are changed, so the notes stay where they are in beats."""

from collections.abc import Sequence
from fractions import Fraction

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Tempo
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.rhythm import ppq_of
from consort_music.midi.model import META, META_END_OF_TRACK, META_TEMPO, Event, MidiFile, Track
from consort_music.midi.timing import DEFAULT_TEMPO
from consort_music.quantize import exact, half_up

_SLOWEST = 0xFFFFFF  # microseconds a beat that fit into the event: 3.6 bpm
_MICROSECONDS = 60_000_000


def change_tempo(file: MidiFile, operation: Tempo, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: `tempos_changed`, `tempos_added` at the start, and, for one tempo throughout, `tempos_removed`."""
    ppq_of(file, "tempo")
    if file.format == 2:  # each track is a sequence of its own
        return [_changed([track], operation, report)[0] for track in file.tracks]
    return _changed(file.tracks, operation, report)


def _changed(tracks: Sequence[Track], operation: Tempo, report: Report) -> list[Track]:
    if operation.bpm is not None:
        return _set(tracks, min(half_up(_MICROSECONDS / exact(operation.bpm)), _SLOWEST), report)
    assert operation.scale is not None
    return _scaled(tracks, exact(operation.scale), report)


def _set(tracks: Sequence[Track], tempo: int, report: Report) -> list[Track]:
    """One tempo event at the very start in place of all others."""
    wanted = _event(tempo)
    if _tempos(tracks) == [wanted]:
        return list(tracks)
    changed: list[Track] = [
        [event for event in track if event[1] != META or not _is_tempo(event)] if _tempos([track]) else track
        for track in tracks
    ]
    old = _tempos(tracks)
    report.changed["tempos_changed" if old else "tempos_added"] += wanted not in old
    report.changed["tempos_removed"] += max(len(old) - 1, 0)
    changed[0] = _with_first(changed[0], wanted)
    return changed


def _scaled(tracks: Sequence[Track], scale: Fraction, report: Report) -> list[Track]:
    def faster(tempo: int) -> int:
        exact_tempo = half_up(tempo / scale)
        if not 1 <= exact_tempo <= _SLOWEST:
            report.changed["tempos_limited"] += 1
        return min(max(exact_tempo, 1), _SLOWEST)

    if scale == 1:
        return list(tracks)
    changed: list[Track] = []
    for track in tracks:
        if _tempos([track]):
            track = [
                _event(faster(_value(event)), event[0]) if event[1] == META and _is_tempo(event) else event
                for event in track
            ]
        changed.append(track)
    old = _tempos(tracks)
    report.changed["tempos_changed"] += len(old)
    if not any(tick == 0 for tick, _, _ in old):
        changed[0] = _with_first(changed[0], _event(faster(DEFAULT_TEMPO)))
        report.changed["tempos_added"] += 1
    if report.changed["tempos_limited"]:
        report.warnings.append("Some tempos would be slower than a MIDI file can say; they are the slowest, 3.6 bpm.")
    return changed


def _event(tempo: int, tick: int = 0) -> Event:
    return tick, META, bytes((META_TEMPO,)) + tempo.to_bytes(3, "big")


def _value(event: Event) -> int:
    return int.from_bytes(event[2][1:], "big")


def _is_tempo(event: Event) -> bool:
    """Is it a tempo event that says something? Others are left alone."""
    return event[1] == META and event[2][0] == META_TEMPO and len(event[2]) == 4 and _value(event) > 0


def _tempos(tracks: Sequence[Track]) -> list[Event]:
    return [event for track in tracks for event in track if event[1] == META and _is_tempo(event)]


def _with_first(track: Track, tempo: Event) -> Track:
    """With this event at tick 0, behind the metas that open the track (its name, say)."""
    place = 0
    for tick, status, data in track:
        if tick or status != META or data[0] == META_END_OF_TRACK:
            break
        place += 1
    return [*track[:place], tempo, *track[place:]]
