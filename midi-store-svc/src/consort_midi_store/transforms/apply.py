"""Operations done in order, on one file or, after a split, on several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any, TypeAlias

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.cut import cut
from consort_midi_store.transforms.humanize import humanize
from consort_midi_store.transforms.merge import merge
from consort_midi_store.transforms.models import ExtractTracks, Merge, Operation, OperationReport, Split
from consort_midi_store.transforms.pitch import transpose
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.rhythm import quantize, swing
from consort_midi_store.transforms.tempo import change_tempo
from consort_midi_store.transforms.tracks import extract_tracks, split
from consort_midi_store.transforms.trim import trim
from consort_midi_store.transforms.velocity import change_velocity
from consort_music.errors import MusicError, below_field
from consort_music.midi.model import MAX_DELTA, MidiFile, Track
from consort_music.midi.reader import DEFAULT_LIMITS

_TrackOperation: TypeAlias = Callable[[MidiFile, Any, Report, NoteCache], list[Track]]
_ON_TRACKS: dict[str, _TrackOperation] = {
    "transpose": transpose,
    "quantize": quantize,
    "swing": swing,
    "humanize": humanize,
    "velocity": change_velocity,
    "tempo": change_tempo,
    "trim": trim,
    "cut": cut,
}


BIG_EVENTS = 150_000
"""From so many on, tracks are changed as columns: more than a file has that is changed in the service itself, which so
never imports numpy."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One resulting file; `label` tells those of a split apart (a track's name, `channel 3`), else it is None."""

    file: MidiFile
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """At least one file, and a report for each operation. A file that nothing changed is the one that came in."""

    outcomes: list[Outcome]
    reports: list[OperationReport] = field(default_factory=list)


def files_needed(operations: Sequence[Operation]) -> dict[str, str]:
    """The ids of other files that `apply` has to be given, and the field that names each first."""
    found: dict[str, str] = {}
    for number, operation in enumerate(operations):
        for place, file_id in enumerate(operation.midi_file_ids if isinstance(operation, Merge) else ()):
            found.setdefault(file_id, f"operations.{number}.midi_file_ids.{place}")
    return found


def apply(file: MidiFile, operations: Sequence[Operation], others: Mapping[str, MidiFile] | None = None) -> Result:
    """Do the operations one after the other; raises only MusicError. Files given are never changed in place.

    `others` holds the files that `files_needed` names, by id. Tracks that no operation changes stay the same objects.
    """
    outcomes = [Outcome(file)]
    reports: list[OperationReport] = []
    cache = NoteCache(use_columns=sum(map(len, file.tracks)) >= BIG_EVENTS)
    for number, operation in enumerate(operations):
        report = Report(operation.type)
        with below_field(f"operations.{number}"):
            outcomes = _step(outcomes, operation, report, cache, others or {})
        cache.forget_all_but(track for outcome in outcomes for track in outcome.file.tracks)
        reports.append(report.finished())
    for outcome in outcomes:
        _check_size(outcome.file)
    return Result(outcomes, reports)


def _step(
    outcomes: list[Outcome], operation: Operation, report: Report, cache: NoteCache, others: Mapping[str, MidiFile]
) -> list[Outcome]:
    if isinstance(operation, Merge):
        files = [outcome.file for outcome in outcomes] + [others[each] for each in operation.midi_file_ids]
        return [Outcome(merge(files, operation, report, cache))]
    if isinstance(operation, Split):
        return [
            Outcome(part, " ".join(filter(None, (outcome.label, label))) or None)
            for outcome in outcomes
            for part, label in split(outcome.file, operation, report, cache)
        ]
    if isinstance(operation, ExtractTracks):
        return [replace(outcome, file=extract_tracks(outcome.file, operation, report)) for outcome in outcomes]
    change = _ON_TRACKS[operation.type]
    return [
        replace(outcome, file=_with_tracks(outcome.file, change(outcome.file, operation, report, cache)))
        for outcome in outcomes
    ]


def _with_tracks(file: MidiFile, tracks: list[Track]) -> MidiFile:
    """The file with these tracks in place of as many others; the file itself if they are its own."""
    if all(new is old for new, old in zip(tracks, file.tracks, strict=True)):
        return file
    return replace(file, tracks=tracks)


def _check_size(file: MidiFile) -> None:
    """Refuse what could not be written, or not be read again."""
    limits = DEFAULT_LIMITS
    if len(file.tracks) + len(file.alien_chunks) > limits.max_tracks:
        raise _too_large(f"{len(file.tracks)} tracks, and {limits.max_tracks} are allowed")
    if sum(map(len, file.tracks)) > limits.max_events:
        raise _too_large(f"{sum(map(len, file.tracks))} events, and {limits.max_events} are allowed")
    for track in file.tracks:
        end = track[-1][0] if track else 0
        if end > limits.max_ticks:
            raise _too_large(f"{end} ticks, and {limits.max_ticks} are allowed")
        if end > MAX_DELTA and any(
            later - tick > MAX_DELTA for tick, later in pairwise([0, *map(itemgetter(0), track)])
        ):
            raise _too_large(f"a silence of more than {MAX_DELTA} ticks, which a MIDI file cannot hold")


def _too_large(what: str) -> MusicError:
    return MusicError(
        "RESULT_TOO_LARGE", f"The result would have {what}: trim the music, or merge fewer files.", ["trim"]
    )
