"""Read, change, write and summarize a file. Runs in a child process for large files, so it imports little."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from consort_midi_store.files.file_summary import summarize_bytes, summarize_parsed
from consort_midi_store.transforms.apply_operations import apply_operations
from consort_midi_store.transforms.change_report import MAX_WARNINGS, ChangeReport
from consort_midi_store.transforms.operation_parameters import OperationParameters
from consort_music.errors import MusicError
from consort_music.gc_pause import gc_paused
from consort_music.midi.model import MidiFile
from consort_music.midi.reader import DEFAULT_LIMITS, ReaderLimits, read_midi
from consort_music.midi.writer import write_midi


class TransformedBytes(NamedTuple):
    """One resulting file. After a split, `label` is the name of the track or instrument; otherwise it is None.

    `summary` is the same as the result of `summarize_bytes`. It is None if the file cannot be stored, because it has
    too many bytes or lasts too long.
    """

    content: bytes
    label: str | None
    summary: dict[str, Any] | None


class TransformOutput(NamedTuple):
    """The resulting files, the report of each operation, and the warnings from reading the source."""

    files: list[TransformedBytes]
    reports: list[ChangeReport]
    warnings: list[str]


def transform_bytes(
    content: bytes, others: Mapping[str, bytes], operations: Sequence[OperationParameters], max_bytes: int
) -> TransformOutput:
    """Apply the operations to a file. `others` has the contents of the files that `files_needed` returns, by id.

    Raise MusicError if a file is not a valid MIDI file, or an operation is not possible.
    """
    limits = ReaderLimits(max_bytes=max_bytes)
    with gc_paused():
        file = read_midi(content, limits)
        other_files = {file_id: read_midi(other, limits) for file_id, other in others.items()}
        result = apply_operations(file, operations, other_files)
        is_clean = not any(source.warnings for source in (file, *other_files.values()))
        files = [_write(each.file, each.label, is_clean, max_bytes) for each in result.files]
    return TransformOutput(files, result.reports, list(file.warnings[:MAX_WARNINGS]))


def _write(file: MidiFile, label: str | None, is_clean: bool, max_bytes: int) -> TransformedBytes:
    """Write and summarize a file.

    `is_clean` means that reading the sources gave no warnings. Then reading the result would give none either, so the
    summary is made from the events in memory, without reading the written bytes.
    """
    content = write_midi(file)
    if len(content) > max_bytes:
        return TransformedBytes(content, label, None)
    if is_clean:
        summary = summarize_parsed(file)
        is_too_long = summary["duration_ms"] // 1000 > DEFAULT_LIMITS.max_seconds
        return TransformedBytes(content, label, None if is_too_long else summary)
    try:
        return TransformedBytes(content, label, summarize_bytes(content, max_bytes))
    except MusicError:
        return TransformedBytes(content, label, None)
