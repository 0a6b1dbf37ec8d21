"""Put the lyrics of a MIDI file (lyric events, one a syllable) below the notes that they are sung to.

The part that sings is the one with a note at most of the syllables. A syllable that ends with a hyphen goes on in the
next one. In files that end words with spaces (as karaoke files do), so does one without a space after it.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from consort_music.midi.model import DRUM_CHANNEL, META, MidiFile
from consort_music.midi.notes import PairedNote
from consort_music.notation.limits import MAX_SYLLABLE
from consort_music.notation.performance_to_score.reading import PerformanceReading, notes_of
from consort_music.notation.writing.notated_score import NotatedChord, NotatedScore
from consort_music.score import Lyric
from consort_music.texts.visible_text import visible_text

_META_LYRIC = 0x05
_LINE_ENDS = "\r\n/\\"
_NEAR = 8
"""A syllable belongs to a note that starts within this part of a quarter note."""
_LEAST_SUNG = 0.5
"""The least share of syllables that have a note in a part that sings."""


class _Syllable(NamedTuple):
    tick: int
    text: str


def with_midi_lyrics(reading: PerformanceReading, file: MidiFile) -> NotatedScore:
    """Return the score that was read, with the lyrics of its file if there are any."""
    score = reading.score
    syllables = _syllables(file)
    notes = notes_of(file)
    sung = _sung_notes(syllables, notes, file.division) if syllables else {}
    if not sung:
        return score
    parts = sorted({(note.track, note.channel) for note in notes})
    first = notes[next(iter(sung.values()))]
    number = parts.index((first.track, first.channel))
    lyrics = _lyrics(syllables)
    by_start: dict[Fraction, Lyric] = {}
    for index, note in sung.items():
        place = reading.places[note]
        if place is not None and lyrics[index].text:
            by_start.setdefault(place.start, lyrics[index])
    if number >= len(score.parts):
        return score
    part = score.parts[number]
    staff = part.staves[0]

    def sing(chord: NotatedChord) -> NotatedChord:
        lyric = by_start.pop(chord.start, None)
        return replace(chord, lyrics=(lyric,)) if lyric else chord

    sounding = replace(staff, voices=tuple(tuple(map(sing, voice)) for voice in staff.voices))
    changed = replace(part, staves=(sounding, *part.staves[1:]))
    return replace(score, parts=(*score.parts[:number], changed, *score.parts[number + 1 :]))


def _syllables(file: MidiFile) -> list[_Syllable]:
    found = [
        _Syllable(tick, _decoded(data[1:]))
        for track in file.tracks
        for tick, status, data in track
        if status == META and data[0] == _META_LYRIC
    ]
    return sorted((one for one in found if one.text.strip(_LINE_ENDS)), key=lambda one: one.tick)


def _decoded(text: bytes) -> str:
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        decoded = text.decode("latin-1")
    return visible_text(decoded)


def _sung_notes(syllables: Sequence[_Syllable], notes: Sequence[PairedNote], division: int) -> dict[int, int]:
    """Return the index of the note of each syllable, by index, in the part that has most of them."""
    starts: dict[tuple[int, int], dict[int, int]] = {}
    for index, note in enumerate(notes):
        if note.channel != DRUM_CHANNEL:
            starts.setdefault((note.track, note.channel), {}).setdefault(note.start, index)
    near = max(division // _NEAR, 1)
    best: dict[int, int] = {}
    for found in starts.values():
        ordered = sorted(found)
        sung = {}
        place = 0
        for index, syllable in enumerate(syllables):
            while place < len(ordered) and ordered[place] < syllable.tick - near:
                place += 1
            if place < len(ordered) and abs(ordered[place] - syllable.tick) <= near:
                sung[index] = found[ordered[place]]
        if len(sung) > len(best):
            best = sung
    return best if len(best) >= _LEAST_SUNG * len(syllables) else {}


def _lyrics(syllables: Sequence[_Syllable]) -> list[Lyric]:
    texts = [one.text for one in syllables]
    has_spaces = sum(text != text.strip(" ") for text in texts) * 4 >= len(texts)
    goes_on = []
    for place, text in enumerate(texts):
        after = texts[place + 1] if place + 1 < len(texts) else " "
        is_open = has_spaces and text[-1] not in " " + _LINE_ENDS and after[0] not in " " + _LINE_ENDS
        goes_on.append(text.rstrip().endswith("-") or is_open)
    found = []
    for place, text in enumerate(texts):
        before = place > 0 and goes_on[place - 1]
        syllabic = {(False, False): "single", (False, True): "begin", (True, True): "middle", (True, False): "end"}
        shown = text.strip(" " + _LINE_ENDS).rstrip("-")[:MAX_SYLLABLE]
        found.append(Lyric(shown, syllabic[before, goes_on[place]]))
    return found
