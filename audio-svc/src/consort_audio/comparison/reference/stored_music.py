"""MIDI files, songs and scores as expected music."""

from collections.abc import Sequence
from dataclasses import replace

from consort_audio.comparison.reference.expected_music import ExpectedBar, ExpectedMusic, ExpectedNote
from consort_audio.comparison.reference.parameters import StoredReference
from consort_music.errors import MusicError, below_field
from consort_music.key_finding.notes import rank_keys_of_notes
from consort_music.key_finding.pitch_classes import contradicts, pitch_class_weights
from consort_music.key_finding.voices import TimedNote
from consort_music.keys import Key, Spelling
from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import DRUM_CHANNEL, META, META_TEMPO, MidiFile
from consort_music.midi.notes import PairedNote, pair_notes
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.rights import rights_notes
from consort_music.midi.track_names import find_tracks, has_title_track, title_of, track_names
from consort_music.performance.clock import Clock
from consort_music.performance.compiled_music import on_one_timeline

MOST_NOTES = 8_000
"""Longer music is compared in parts."""
_SECOND = 1e9
_WHOLE_PIECE = 10**6


def stored_music(content: bytes, max_bytes: int, reference: StoredReference, name: str = "the music") -> ExpectedMusic:
    """Return the chosen bars and track of a MIDI file. Raise MusicError if there are none.

    `name` is the title of a file that has none.
    """
    file = on_one_timeline(read_midi(content, ReaderLimits(max_bytes=max_bytes)))
    with below_field("reference_params"):
        all_notes, others = _chosen_notes(file, reference.track)
        notes = _in_bars(file, all_notes, reference)
    if not notes:
        raise MusicError("EMPTY_INPUT", "This part of the music has no notes. Choose other bars or another track.")
    if len(notes) > MOST_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The reference has {len(notes):,} notes, and at most {MOST_NOTES:,} are compared at once. Give first_bar "
            "and last_bar.",
            ["first_bar: 1, last_bar: 32"],
            "reference_params.last_bar",
        )
    warnings = rights_notes(file.tracks)
    if others > 1:
        warnings.append(f"All {others} tracks of the music were expected. Give 'track' to compare with one.")
    title = title_of(file) or name
    music = _expected(file, notes, reference.tempo, title, warnings)
    if len(notes) < len(all_notes) <= MOST_NOTES:
        return replace(music, whole=_expected(file, all_notes, reference.tempo, title, warnings))
    return music


def _chosen_notes(file: MidiFile, track: int | str | None) -> tuple[list[PairedNote], int]:
    """Return the notes of a track, or all but drums, and the number of tracks that have them."""
    wanted: Sequence[int] = range(len(file.tracks))
    if track is not None:
        first = 1 if has_title_track(file) else 0
        names = track_names(file.tracks)[first:]
        wanted = [first + index for index in find_tracks(names, [track], "track")]
    notes = [note for index in wanted for note in pair_notes(file.tracks[index], index).notes]
    pitched = [note for note in notes if note.channel != DRUM_CHANNEL]
    return pitched, len({note.track for note in pitched})


def _in_bars(file: MidiFile, notes: list[PairedNote], reference: StoredReference) -> list[PairedNote]:
    if reference.first_bar is None and reference.last_bar is None:
        return notes
    start, end = window_of_bars(file, reference.first_bar or 1, reference.last_bar or _WHOLE_PIECE)
    ppq = file.ppq or 1
    return [note for note in notes if start * ppq <= note.start < end * ppq]


def _expected(
    file: MidiFile, notes: list[PairedNote], tempo: float | None, title: str, warnings: list[str]
) -> ExpectedMusic:
    clock = Clock(file, file.tracks)
    first, last = min(note.start for note in notes), max(note.start for note in notes)
    timing = clock.metre_and_quarter(first)
    written = 60 * _SECOND / float(timing[1]) if timing else 120.0
    stretch = written / tempo if tempo else 1.0
    spelling = Spelling(_keys(file, notes))
    zero = clock.ns(first)

    def seconds(tick: int) -> float:
        return (clock.ns(tick) - zero) / _SECOND * stretch

    found: dict[tuple[int, int], ExpectedNote] = {}
    for note in notes:
        place = clock.numbers.position_at(note.start) if clock.numbers else None
        end = seconds(note.end)
        key = (note.start, note.pitch)
        if key in found and found[key].end >= end:
            continue
        bar, beat = (place.measure, float(place.beat)) if place else (1, 1.0)
        found[key] = ExpectedNote(
            seconds(note.start), end, note.pitch, spelling.name(note.pitch, note.start), bar, beat
        )
    lines: list[ExpectedBar] = []
    if (numbers := clock.numbers) is not None:
        shown = range(numbers.bars.number_at(first), numbers.bars.number_at(last) + 1)
        lines = [
            ExpectedBar(numbers.number_of(bar), seconds(round(numbers.bars.start_of(bar))))
            for bar in shown
            if bar == shown[0] or not numbers.missing_before(bar)
        ]
    return ExpectedMusic(
        title,
        tuple(sorted(found.values())),
        tuple(lines),
        tempo or written,
        tempo is not None or _states_tempo(file),
        warnings=warnings,
    )


def _states_tempo(file: MidiFile) -> bool:
    return any(status == META and data[0] == META_TEMPO for track in file.tracks for _, status, data in track)


def _keys(file: MidiFile, notes: Sequence[PairedNote]) -> list[tuple[int, Key | None]]:
    """Return the keys for the spelling: those of the file, unless its notes contradict a single one."""
    weights = pitch_class_weights([(note.pitch, float(note.end - note.start)) for note in notes])
    keys = keys_of(file.tracks)
    if keys and not (len(keys) == 1 and contradicts(weights, keys[0][1])):
        return list(keys)
    timed = [TimedNote(note.start, note.end, note.pitch, 16 * note.track + note.channel) for note in notes]
    return [(0, rank_keys_of_notes(timed)[0].key)]
