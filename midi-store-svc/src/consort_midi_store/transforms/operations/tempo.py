"""Change the tempo. Only tempo events change, so notes keep their positions in beats."""

from collections.abc import Sequence
from fractions import Fraction

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.operation_parameters import TempoOperation
from consort_midi_store.transforms.timeline.beats import require_ppq
from consort_music.beats import exact_fraction, round_half_up
from consort_music.midi.model import META, META_END_OF_TRACK, META_TEMPO, Event, MidiFile, Track
from consort_music.midi.tempo_map import DEFAULT_TEMPO, MICROSECONDS_A_MINUTE, SLOWEST_TEMPO


def change_tempo(file: MidiFile, operation: TempoOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the tracks with new tempos. Raise MusicError (NEEDS_BEATS) for a file in SMPTE frames.

    Adds to the report: `tempos_changed`, `tempos_added` (at the start), `tempos_removed` (only for `bpm`) and
    `tempos_limited`.
    """
    require_ppq(file, "tempo")
    if file.format == 2:  # each track is a separate piece
        return [_changed([track], operation, report)[0] for track in file.tracks]
    return _changed(file.tracks, operation, report)


def _changed(tracks: Sequence[Track], operation: TempoOperation, report: ChangeReport) -> list[Track]:
    if operation.bpm is not None:
        return _set(
            tracks, min(round_half_up(MICROSECONDS_A_MINUTE / exact_fraction(operation.bpm)), SLOWEST_TEMPO), report
        )
    assert operation.scale is not None
    return _scaled(tracks, exact_fraction(operation.scale), report)


def _set(tracks: Sequence[Track], tempo: int, report: ChangeReport) -> list[Track]:
    """Replace all tempo events by one at the start."""
    wanted = _tempo_event(tempo)
    old = _tempo_events(tracks)
    if old == [wanted]:
        return list(tracks)
    changed: list[Track] = [
        [event for event in track if event[1] != META or not _is_valid_tempo(event)]
        if _tempo_events([track])
        else track
        for track in tracks
    ]
    report.changed["tempos_changed" if old else "tempos_added"] += wanted not in old
    report.changed["tempos_removed"] += max(len(old) - 1, 0)
    changed[0] = _with_first(changed[0], wanted)
    return changed


def _scaled(tracks: Sequence[Track], scale: Fraction, report: ChangeReport) -> list[Track]:
    def faster(tempo: int) -> int:
        exact_tempo = round_half_up(tempo / scale)
        if not 1 <= exact_tempo <= SLOWEST_TEMPO:
            report.changed["tempos_limited"] += 1
        return min(max(exact_tempo, 1), SLOWEST_TEMPO)

    if scale == 1:
        return list(tracks)
    changed: list[Track] = []
    for track in tracks:
        if _tempo_events([track]):
            track = [
                _tempo_event(faster(_microseconds(event)), event[0])
                if event[1] == META and _is_valid_tempo(event)
                else event
                for event in track
            ]
        changed.append(track)
    old = _tempo_events(tracks)
    report.changed["tempos_changed"] += len(old)
    if not any(tick == 0 for tick, _, _ in old):
        changed[0] = _with_first(changed[0], _tempo_event(faster(DEFAULT_TEMPO)))
        report.changed["tempos_added"] += 1
    if report.changed["tempos_limited"]:
        report.warnings.append(
            "Some tempos would be slower than the slowest that a MIDI file can hold: 3.6 bpm is used."
        )
    return changed


def _tempo_event(tempo: int, tick: int = 0) -> Event:
    return tick, META, bytes((META_TEMPO,)) + tempo.to_bytes(3, "big")


def _microseconds(event: Event) -> int:
    return int.from_bytes(event[2][1:], "big")


def _is_valid_tempo(event: Event) -> bool:
    """Return whether this meta event is a tempo with a usable value. Other events are not changed."""
    return event[2][0] == META_TEMPO and len(event[2]) == 4 and _microseconds(event) > 0


def _tempo_events(tracks: Sequence[Track]) -> list[Event]:
    return [event for track in tracks for event in track if event[1] == META and _is_valid_tempo(event)]


def _with_first(track: Track, tempo: Event) -> Track:
    """Insert the event at tick 0, after the first meta events of the track, such as its name."""
    place = 0
    for tick, status, data in track:
        if tick or status != META or data[0] == META_END_OF_TRACK:
            break
        place += 1
    return [*track[:place], tempo, *track[place:]]
