"""The key of a file that is transposed: which one it is, how far it moves, and how its signatures are written then."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import compress
from operator import itemgetter
from typing import NamedTuple

from consort_midi_store.transforms.models import Transpose
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.tracks import channels_of_notes
from consort_music.errors import MusicError
from consort_music.intervals import Interval
from consort_music.key_finding import Mode, contradicts, pitch_class_weights, rank_keys
from consort_music.keys import Key, key_of_signature, parse_key
from consort_music.midi.key_signatures import MOST_SHARPS, key_of_payload, keys_of
from consort_music.midi.model import DRUM_CHANNEL, META, META_KEY_SIGNATURE, MidiFile, Track
from consort_music.midi.notes import pair_notes
from consort_music.transposition import between_keys, fifths, readable_interval, transposed_key

_IS_META = bytes(status == META for status in range(256))
_TONIC_ALONE = re.compile("[A-G][#♯b♭]?")  # a small letter means minor


class Move(NamedTuple):
    """How far notes move, and how many sharps more the signatures get."""

    semitones: int
    more_sharps: int


def distance(file: MidiFile, operation: Transpose, report: Report) -> Move:
    """How far to transpose: by the semitones asked for, or the shortest way to a key (a tritone leads down).

    The interval is spelled so that the file's signatures get the fewest accidentals, or those of the key asked for. A
    signature that the notes speak against becomes that of the key asked for.
    """
    stated = [key for _, key in keys_of(file.tracks)]
    if operation.semitones is not None:
        return _move(readable_interval(operation.semitones, (key.sharps for key in stated)))
    assert operation.to_key is not None
    key, wanted = _keys(file, operation.to_key, report)
    move = _move(between_keys(key, wanted))
    is_false = len(set(stated)) == 1 and (stated[0].sharps - key.sharps) % 12 != 0
    return move._replace(more_sharps=wanted.sharps - stated[0].sharps) if is_false else move


def _move(interval: Interval) -> Move:
    return Move(interval.semitones, fifths(interval))


def _keys(file: MidiFile, to_key: str, report: Report) -> tuple[Key, Key]:
    """The file's key, and the one asked for. A tonic alone means the file's own mode.

    If that is the other mode, the file's key is the one of that mode with the same signature.
    """
    wanted = parse_key(to_key)
    stated = keys_of(file.tracks)
    signature = stated[0][1] if stated else None
    weights = pitch_class_weights(_notes_in_first_key(file, [tick for tick, _ in stated[1:2]]))
    if not any(weights):
        raise MusicError(
            "NO_KEY",
            "The file has no pitched notes, so there is no key to move from; give semitones instead of to_key.",
            ["semitones"],
            "to_key",
        )
    ranked = rank_keys(weights, sharps=signature.sharps if signature else None)
    is_true = signature is not None and not contradicts(weights, signature)
    if _TONIC_ALONE.fullmatch(to_key.strip()):
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
            f"The file {why} it sounds like {heard.name}, so it was moved from there to {wanted.name}."
        )
    is_modal = wanted.mode not in ("major", "minor")
    is_said = signature is not None and is_true and signature.is_minor == wanted.is_minor
    if is_modal or (ranked[0].mode != mode and not is_said):
        own = key_of_signature(key.sharps, ranked[0].mode)
        result = transposed_key(own, between_keys(key, wanted)).name
        signed = "" if is_modal else f"has the signature of {wanted.name}, but "
        report.warnings.append(f"Transposing does not change the mode: the result {signed}sounds like {result}.")
    return key, wanted


def _notes_in_first_key(file: MidiFile, change: Sequence[int]) -> list[tuple[int, float]]:
    """Pitch and length of the pitched notes up to the first change of key; of all, if none are before it."""
    notes = [note for track in file.tracks for note in pair_notes(track).notes if note.channel != DRUM_CHANNEL]
    first = [note for note in notes if not change or note.start < change[0]]
    return [(note.pitch, float(note.end - note.start)) for note in first or notes]


def with_moved_signatures(
    file: MidiFile, more_sharps: int, chosen: Collection[int], channels: Collection[int], report: Report
) -> list[Track]:
    """The tracks with key signatures for notes that are moved, where all pitched notes of a piece are.

    Where only some of them move, the piece stays in its key; drums alone have none.
    """
    tracks = list(file.tracks)
    places = range(len(tracks))
    pieces = [[index] for index in places] if file.format == 2 else [places]
    for piece in pieces:
        pitched = {index: channels_of_notes(tracks[index]) - {DRUM_CHANNEL} for index in piece}
        moves_all = all(not found or (index in chosen and found <= set(channels)) for index, found in pitched.items())
        if more_sharps and moves_all and any(pitched.values()):
            for index in piece:
                tracks[index] = _resigned(tracks[index], more_sharps, report)
    return tracks


def _resigned(track: Track, more_sharps: int, report: Report) -> Track:
    count = sum(moved_signature(data, more_sharps) != data for data in _metas(track))
    if not count:
        return track
    report.changed["key_signatures"] += count
    with_metas: Callable[[Callable[[bytes], bytes]], Track] | None = getattr(track, "with_metas", None)
    if with_metas:  # of columns, which this module must not import: they need numpy
        return with_metas(lambda data: moved_signature(data, more_sharps))
    return [
        (tick, status, moved_signature(data, more_sharps)) if status == META else (tick, status, data)
        for tick, status, data in track
    ]


def _metas(track: Track) -> Iterator[bytes]:
    """The data of the meta events."""
    metas: Sequence[bytes] | None = getattr(track, "metas", None)
    if metas is not None:
        return iter(metas)
    is_meta = bytes(map(itemgetter(1), track)).translate(_IS_META)
    return map(itemgetter(2), compress(track, is_meta))


def moved_signature(data: bytes, more_sharps: int) -> bytes:
    """The data of a meta event; if it is a key signature, that of a key with so many sharps more.

    A signature of more than seven accidentals is written as that of the same key with another name.
    """
    key = key_of_payload(data[1:]) if data[0] == META_KEY_SIGNATURE else None
    if key is None:
        return data
    sharps = key.sharps + more_sharps
    while abs(sharps) > MOST_SHARPS:
        sharps += -12 if sharps > 0 else 12
    return bytes((META_KEY_SIGNATURE, sharps % 256)) + data[2:]
