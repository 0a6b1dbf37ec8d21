"""Operations done in order, on one file or, after a split, on several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from consort_midi_store.transforms.models import Merge, Operation, OperationReport
from consort_midi_store.transforms.notes import NoteCache
from consort_midi_store.transforms.pitch import transpose
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.rhythm import quantize
from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile, Track

_LONGEST_DELTA = 0x0FFFFFFF  # what four bytes of a delta time hold

_TrackOperation: TypeAlias = Callable[[MidiFile, Any, Report, NoteCache], list[Track]]
_ON_TRACKS: dict[str, _TrackOperation] = {"transpose": transpose, "quantize": quantize}


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


def files_needed(operations: Sequence[Operation]) -> list[str]:
    """The ids of other files that `apply` has to be given, each once."""
    ids = (each for operation in operations if isinstance(operation, Merge) for each in operation.midi_file_ids)
    return list(dict.fromkeys(ids))


def apply(file: MidiFile, operations: Sequence[Operation], others: Mapping[str, MidiFile] | None = None) -> Result:
    """Do the operations one after the other; raises only MusicError. Files given are never changed in place.

    `others` holds the files that `files_needed` names, by id. Tracks that no operation changes stay the same objects.
    """
    outcomes = [Outcome(file)]
    reports: list[OperationReport] = []
    cache = NoteCache()
    for operation in operations:
        report = Report(operation.type)
        outcomes = _step(outcomes, operation, report, cache, others or {})
        cache.forget_all_but(track for outcome in outcomes for track in outcome.file.tracks)
        reports.append(report.finished())
    for outcome in outcomes:
        _check_length(outcome.file)
    return Result(outcomes, reports)


def _step(
    outcomes: list[Outcome], operation: Operation, report: Report, cache: NoteCache, others: Mapping[str, MidiFile]
) -> list[Outcome]:
    change = _ON_TRACKS[operation.type]
    return [
        replace(outcome, file=with_tracks(outcome.file, change(outcome.file, operation, report, cache)))
        for outcome in outcomes
    ]


def with_tracks(file: MidiFile, tracks: list[Track]) -> MidiFile:
    """The file with these tracks in place of as many others; the file itself if they are its own."""
    if all(new is old for new, old in zip(tracks, file.tracks, strict=True)):
        return file
    return replace(file, tracks=tracks)


def _check_length(file: MidiFile) -> None:
    for track in file.tracks:
        if not track or track[-1][0] <= _LONGEST_DELTA:
            continue
        before = 0
        for tick, _, _ in track:
            if tick - before > _LONGEST_DELTA:
                raise MusicError(
                    "RESULT_TOO_LONG",
                    f"The result would be silent for {tick - before} ticks on end, and a MIDI file can hold "
                    f"{_LONGEST_DELTA}: trim it, or merge shorter files.",
                    ["trim"],
                )
            before = tick
