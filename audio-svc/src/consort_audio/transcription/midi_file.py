"""Write the notes as a MIDI file with tempo, metre and key, and the first of them as text."""

from fractions import Fraction

from consort_audio.transcription.note_grid import NoteGrid, PlacedNote
from consort_music.instruments import find_instrument
from consort_music.keys import Key
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.model import NoteSequence, SequenceNote, SequenceTrack
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.pitch import Pitch

MOST_SHOWN = 32
"""Notes or chords in the text."""
CHORD_BEATS = Fraction(1, 16)
"""Notes that begin within this part of a beat are one chord in the text. A note so little before a bar line is written
behind it."""
TRACKS = {"voice": ("Voice", 53), "mono": ("Melody", 0), "piano": ("Piano", 0), "any": ("Transcription", 0)}
"""The name of the track and its General MIDI program, by what was heard."""


def midi_bytes(notes: list[PlacedNote], grid: NoteGrid, heard_as: str, key: Key | None, title: str) -> bytes:
    """Return a MIDI file of type 1 with one track of notes."""
    name, program = TRACKS[heard_as]
    track = SequenceTrack(
        name,
        find_instrument(program),
        [SequenceNote(note.pitch, note.velocity, note.start, note.duration) for note in notes],
    )
    music = NoteSequence(
        tempos=grid.tempos,
        time_signatures=[(Fraction(0), grid.beats_per_bar, 4)],
        tracks=[track],
        key_signatures=[(Fraction(0), key.sharps, key.is_minor)] if key is not None else [],
        title=title,
    )
    return write_midi(sequence_to_midi(music))


def first_notes(notes: list[PlacedNote], grid: NoteGrid, key: Key | None) -> str:
    """Return the first notes as text: `C4 E4+G4 | D4`, with + in chords, and | at bar lines if the tempo is known."""
    chords = _chords(notes)
    words: list[str] = []
    bar = 0
    flats = key is not None and key.sharps < 0
    for chord in chords[:MOST_SHOWN]:
        here = int((chord[0].start + CHORD_BEATS) // grid.beats_per_bar)
        if grid.is_known and words and here > bar:
            words.append("|")
        bar = here
        pitches = sorted({note.pitch for note in chord})
        words.append("+".join(Pitch.from_midi(pitch, prefer_flats=flats).name for pitch in pitches))
    return " ".join(words) + (" …" if len(chords) > MOST_SHOWN else "")


def _chords(notes: list[PlacedNote]) -> list[list[PlacedNote]]:
    """Return the notes in groups that begin together."""
    groups: list[list[PlacedNote]] = []
    for note in notes:
        if groups and note.start - groups[-1][0].start <= CHORD_BEATS:
            groups[-1].append(note)
        else:
            groups.append([note])
    return groups
