"""Apply operations in order to one file or, after a split, to several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any, TypeAlias

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.operation_parameters import (
    ExtractTracksOperation,
    MergeOperation,
    OperationParameters,
    SplitOperation,
)
from consort_midi_store.transforms.operations.cut import cut
from consort_midi_store.transforms.operations.extract_and_split import extract_tracks, split
from consort_midi_store.transforms.operations.humanize import humanize
from consort_midi_store.transforms.operations.merge import merge
from consort_midi_store.transforms.operations.quantize_and_swing import quantize, swing
from consort_midi_store.transforms.operations.tempo import change_tempo
from consort_midi_store.transforms.operations.transpose import transpose
from consort_midi_store.transforms.operations.trim import trim
from consort_midi_store.transforms.operations.velocity import change_velocity
from consort_music.errors import MusicError, below_field
from consort_music.midi.model import MAX_DELTA, MidiFile, Track
from consort_music.midi.reader import DEFAULT_LIMITS

_ChangeTracks: TypeAlias = Callable[[MidiFile, Any, ChangeReport, NoteCache], list[Track]]
_ON_TRACKS: dict[str, _ChangeTracks] = {
    "transpose": transpose,
    "quantize": quantize,
    "swing": swing,
    "humanize": humanize,
    "velocity": change_velocity,
    "tempo": change_tempo,
    "trim": trim,
    "cut": cut,
}
"""The operations that return one new track for each track of a file."""


LARGE_FILE_EVENTS = 150_000
"""Long tracks of a file with at least this many events are changed as numpy columns. Such a file is always changed in a
child process, so the service never imports numpy."""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """One resulting file. After a split, `label` is the name of the track or instrument; otherwise it is None."""

    file: MidiFile
    label: str | None = None


@dataclass(frozen=True, slots=True)
class TransformResult:
    """At least one file, and a report for each operation. A file that did not change is the object that was given."""

    files: list[ResultFile]
    reports: list[ChangeReport] = field(default_factory=list)


def files_needed(operations: Sequence[OperationParameters]) -> dict[str, str]:
    """Return the ids of the other files that `apply_operations` needs, each with the first field that contains it."""
    found: dict[str, str] = {}
    for number, operation in enumerate(operations):
        for place, file_id in enumerate(operation.midi_file_ids if isinstance(operation, MergeOperation) else ()):
            found.setdefault(file_id, f"operations.{number}.midi_file_ids.{place}")
    return found


def apply_operations(
    file: MidiFile, operations: Sequence[OperationParameters], others: Mapping[str, MidiFile] | None = None
) -> TransformResult:
    """Apply the operations in order. Raise MusicError if one is not possible, or the result is too large.

    `others` contains the files that `files_needed` returns, by id. No file is changed in place. A track that no
    operation changes is the same object in the result.
    """
    files = [ResultFile(file)]
    reports: list[ChangeReport] = []
    cache = NoteCache(use_columns=sum(map(len, file.tracks)) >= LARGE_FILE_EVENTS)
    for number, operation in enumerate(operations):
        report = ChangeReport(operation.type)
        with below_field(f"operations.{number}"):
            files = _apply(operation, files, report, cache, others or {})
        cache.keep_only(track for result in files for track in result.file.tracks)
        report.finish()
        reports.append(report)
    for result in files:
        _check_size(result.file)
    return TransformResult(files, reports)


def _apply(
    operation: OperationParameters,
    files: list[ResultFile],
    report: ChangeReport,
    cache: NoteCache,
    others: Mapping[str, MidiFile],
) -> list[ResultFile]:
    if isinstance(operation, MergeOperation):
        merged = [result.file for result in files] + [others[each] for each in operation.midi_file_ids]
        return [ResultFile(merge(merged, operation, report, cache))]
    if isinstance(operation, SplitOperation):
        return [
            ResultFile(part, " ".join(filter(None, (result.label, label))) or None)
            for result in files
            for part, label in split(result.file, operation, report, cache)
        ]
    if isinstance(operation, ExtractTracksOperation):
        return [replace(result, file=extract_tracks(result.file, operation, report)) for result in files]
    change = _ON_TRACKS[operation.type]
    return [
        replace(result, file=_with_tracks(result.file, change(result.file, operation, report, cache)))
        for result in files
    ]


def _with_tracks(file: MidiFile, tracks: list[Track]) -> MidiFile:
    """Return the file with these tracks, or the file itself if they are the same objects as its own."""
    if all(new is old for new, old in zip(tracks, file.tracks, strict=True)):
        return file
    return replace(file, tracks=tracks)


def _check_size(file: MidiFile) -> None:
    """Raise MusicError (RESULT_TOO_LARGE) if the file could not be written, or not be read again."""
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


def _too_large(excess: str) -> MusicError:
    return MusicError(
        "RESULT_TOO_LARGE", f"The result would have {excess}. Trim the music, or merge fewer files.", ["trim"]
    )
