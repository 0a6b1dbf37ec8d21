"""A MIDI file as a score: a part for each track and channel, in exact beats, with pitches spelled.

Spelling follows the key signature that holds; where the file has none, or only one that its notes speak against, the
key that the notes suggest, which is then not claimed to be the key. What was played rather than written is moved to a
grid (`performed`), with a warning.
"""

from collections.abc import Iterable
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.key_finding import contradicts, pitch_class_weights, rank_keys
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.midi.as_text import ppq_of, text_of
from consort_music.midi.key_signatures import keys_of
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.track_names import title_of
from consort_music.midi_text import MidiText, TextNote
from consort_music.notation.limits import MAX_NOTES, refuse_too_long
from consort_music.notation.performed import on_a_grid, was_performed
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score


def score_from_midi(file: MidiFile, quantise: bool | None = None) -> tuple[Score, list[str]]:
    """The score and warnings; `quantise` moves notes to a grid, or None: if most of them are on none.

    Raises NEEDS_BEATS, EMPTY_INPUT or TOO_LARGE.
    """
    ppq = ppq_of(file)
    notes = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    notes = [note for note in notes if note.end > note.start]
    if not notes:
        raise MusicError("EMPTY_INPUT", "The MIDI file has no notes. Give one with at least one note.")
    if len(notes) > MAX_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The MIDI file has {len(notes):,} notes. A score has at most {MAX_NOTES:,}; give a part of it.",
        )
    text = text_of(file, notes)
    warnings = []
    if quantise or (quantise is None and was_performed(note.start for track in text.tracks for note in track.notes)):
        for track in text.tracks:
            track.notes = on_a_grid(track.notes)
        warnings.append("Notes were moved to a grid of halves, thirds or quarters of a beat, chosen beat by beat.")
    keys = [(Fraction(tick, ppq), key) for tick, key in keys_of(file.tracks)]
    spelling = _believed(keys, text) or [(Fraction(0), _suggested_key(text))]
    metres, pickup = _metres(text)
    score = Score(
        parts=tuple(
            Part.of(track.name, _spelled(track.notes, spelling), track.instrument.name) for track in text.tracks
        ),
        metres=metres,
        keys=tuple(keys),
        tempos=tuple(text.tempos),
        pickup=pickup,
        title=title_of(file),
        is_spelled=False,
    )
    return refuse_too_long(score), warnings


def _believed(keys: list[tuple[Fraction, Key]], text: MidiText) -> list[tuple[Fraction, Key]]:
    """Return the keys that the file states; none if there is one only, and the notes speak against it."""
    return [] if len(keys) == 1 and contradicts(_weights(text), keys[0][1]) else keys


def _suggested_key(text: MidiText) -> Key:
    return rank_keys(_weights(text))[0].key


def _weights(text: MidiText) -> list[float]:
    melodic = [note for track in text.tracks if not track.instrument.is_drums for note in track.notes]
    return pitch_class_weights([(note.pitch, float(note.duration)) for note in melodic])


def _spelled(notes: Iterable[TextNote], keys: list[tuple[Fraction, Key]]) -> Iterable[Note]:
    """The notes in the order of time, each spelled by the key that holds."""
    known: dict[int, Pitch] = {}
    place = 0
    for note in sorted(notes, key=lambda note: note.start):
        while place + 1 < len(keys) and keys[place + 1][0] <= note.start:
            place, known = place + 1, {}
        pitch = known.get(note.pitch)
        if pitch is None:
            pitch = known[note.pitch] = keys[place][1].spell(note.pitch)
        yield Note(note.start, note.duration, pitch, note.velocity)


def _metres(text: MidiText) -> tuple[tuple[tuple[Fraction, Metre], ...], Fraction]:
    """The metres, and the pickup: a first bar that is shorter than the metre that follows it at once."""
    found = [(at, Metre(upper, lower)) for at, upper, lower in text.time_signatures]
    if found[0][0] > 0:
        found.insert(0, (Fraction(0), Metre(4, 4)))
    if len(found) > 1 and found[1][0] == found[0][1].bar < found[1][1].bar:
        pickup, metre = found[1]
        return ((Fraction(0), metre), *found[2:]), pickup
    return tuple(found), Fraction(0)
