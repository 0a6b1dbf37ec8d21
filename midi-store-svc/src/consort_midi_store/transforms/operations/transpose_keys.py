"""Find the key of a file and its distance to the target key, and change the key signatures."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import compress
from operator import itemgetter
from typing import NamedTuple

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.event_kinds import channels_of_notes
from consort_midi_store.transforms.operation_parameters import TargetKey, TransposeOperation
from consort_music.errors import MusicError
from consort_music.intervals import Interval
from consort_music.key_finding.notes import rank_keys_of_notes
from consort_music.key_finding.pitch_classes import Mode, contradicts, pitch_class_weights
from consort_music.key_finding.voices import TimedNote
from consort_music.keys import Key, key_of_signature
from consort_music.midi.key_signatures import MOST_SHARPS, key_of_payload, keys_of
from consort_music.midi.model import DRUM_CHANNEL, META, META_KEY_SIGNATURE, MidiFile, Track
from consort_music.midi.notes import pair_notes
from consort_music.midi.track_events import IS_META
from consort_music.transposition import fifths_of, interval_between_keys, readable_interval, transpose_key


class KeyShift(NamedTuple):
    """How far notes move, and how many sharps are added to the key signatures (negative: flats)."""

    semitones: int
    more_sharps: int


def find_key_shift(file: MidiFile, operation: TransposeOperation, report: ChangeReport) -> KeyShift:
    """Return how far to transpose: by `semitones`, or by the shortest way to `to_key` (a tritone goes down).

    With `semitones`, the new key signatures are spelled with the fewest accidentals. With `to_key`, they are spelled
    like that key. If the notes contradict the file's only signature, it is replaced by the signature of `to_key`.
    """
    stated = [key for _, key in keys_of(file.tracks)]
    if operation.semitones is not None:
        return _shift_by(readable_interval(operation.semitones, (key.sharps for key in stated)))
    assert operation.to_key is not None
    key, wanted = _keys(file, operation.to_key, report)
    shift = _shift_by(interval_between_keys(key, wanted))
    is_false = len(set(stated)) == 1 and (stated[0].sharps - key.sharps) % 12 != 0
    return shift._replace(more_sharps=wanted.sharps - stated[0].sharps) if is_false else shift


def _shift_by(interval: Interval) -> KeyShift:
    return KeyShift(interval.semitones, fifths_of(interval))


def _keys(file: MidiFile, to_key: TargetKey, report: ChangeReport) -> tuple[Key, Key]:
    """Return the file's key, and the key to transpose to. If only a tonic is given, the target has the file's mode.

    If the target is in the other mode, the relative key in that mode is returned as the file's key.
    """
    wanted = to_key.key
    stated = keys_of(file.tracks)
    signature = stated[0][1] if stated else None
    notes = _notes_in_first_key(file, [tick for tick, _ in stated[1:2]])
    weights = pitch_class_weights([(note.midi, note.end - note.start) for note in notes])
    if not notes:
        raise MusicError(
            "NO_KEY",
            "The file has no pitched notes, so it has no key to start from. Give semitones instead of to_key.",
            ["semitones"],
            "to_key",
        )
    ranked = rank_keys_of_notes(notes, signature.sharps if signature else None)
    is_true = signature is not None and not contradicts(weights, signature)
    if to_key.is_tonic_alone:
        is_minor = signature.is_minor if signature and is_true else ranked[0].mode == "minor"
        wanted = Key(wanted.step, wanted.alter, "minor" if is_minor else "major")
    mode: Mode = "minor" if wanted.is_minor else "major"
    heard = ranked[0].key
    if signature and (is_true or (signature.sharps - heard.sharps) % 12 == 0):
        key = key_of_signature(signature.sharps, mode)
    else:
        key = heard if ranked[0].mode == mode else key_of_signature(heard.sharps, mode)
        why = f"has the signature of {signature.name}, but" if signature else "has no key signature;"
        report.warnings.append(
            f"The file {why} it sounds like {heard.name}, so it was transposed from there to {wanted.name}."
        )
    is_modal = wanted.mode not in ("major", "minor")
    is_said = signature is not None and is_true and signature.is_minor == wanted.is_minor
    if is_modal or (ranked[0].mode != mode and not is_said):
        own = key_of_signature(key.sharps, ranked[0].mode)
        result = transpose_key(own, interval_between_keys(key, wanted)).name
        signed = "" if is_modal else f"has the signature of {wanted.name}, but "
        report.warnings.append(f"Transposing does not change the mode: the result {signed}sounds like {result}.")
    return key, wanted


def _notes_in_first_key(file: MidiFile, change: Sequence[int]) -> list[TimedNote]:
    """Return the pitched notes that start before the first key change.

    If there are none before it, return all pitched notes. `change` has the tick of the first key change, or is empty.
    """
    notes = [
        TimedNote(note.start, note.end, note.pitch, 16 * index + note.channel)
        for index, track in enumerate(file.tracks)
        for note in pair_notes(track).notes
        if note.channel != DRUM_CHANNEL
    ]
    return [note for note in notes if not change or note.start < change[0]] or notes


def with_shifted_signatures(
    file: MidiFile, more_sharps: int, chosen: Collection[int], channels: Collection[int], report: ChangeReport
) -> list[Track]:
    """Return the tracks with new key signatures in each piece whose pitched notes are all transposed.

    If only some notes of a piece are transposed, its key signatures do not change. Drums have no key.
    """
    tracks = list(file.tracks)
    places = range(len(tracks))
    pieces = [[index] for index in places] if file.format == 2 else [places]
    for piece in pieces:
        pitched = {index: channels_of_notes(tracks[index]) - {DRUM_CHANNEL} for index in piece}
        moves_all = all(not found or (index in chosen and found <= set(channels)) for index, found in pitched.items())
        if more_sharps and moves_all and any(pitched.values()):
            for index in piece:
                tracks[index] = _with_new_signatures(tracks[index], more_sharps, report)
    return tracks


def _with_new_signatures(track: Track, more_sharps: int, report: ChangeReport) -> Track:
    count = sum(shifted_signature(data, more_sharps) != data for data in _metas(track))
    if not count:
        return track
    report.changed["key_signatures"] += count
    with_metas: Callable[[Callable[[bytes], bytes]], Track] | None = getattr(track, "with_metas", None)
    if with_metas:  # the track is an EventColumns, but importing that class would import numpy
        return with_metas(lambda data: shifted_signature(data, more_sharps))
    return [
        (tick, status, shifted_signature(data, more_sharps)) if status == META else (tick, status, data)
        for tick, status, data in track
    ]


def _metas(track: Track) -> Iterator[bytes]:
    """Return an iterator over the data of the track's meta events."""
    metas: Sequence[bytes] | None = getattr(track, "metas", None)
    if metas is not None:
        return iter(metas)
    is_meta = bytes(map(itemgetter(1), track)).translate(IS_META)
    return map(itemgetter(2), compress(track, is_meta))


def shifted_signature(data: bytes, more_sharps: int) -> bytes:
    """Return the data of a meta event. If it is a key signature, add `more_sharps` sharps.

    A signature with more than seven accidentals is replaced by its enharmonic equivalent.
    """
    key = key_of_payload(data[1:]) if data[0] == META_KEY_SIGNATURE else None
    if key is None:
        return data
    sharps = key.sharps + more_sharps
    while abs(sharps) > MOST_SHARPS:
        sharps += -12 if sharps > 0 else 12
    return bytes((META_KEY_SIGNATURE, sharps % 256)) + data[2:]
