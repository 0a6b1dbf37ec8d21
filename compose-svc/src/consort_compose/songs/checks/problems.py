"""Find likely mistakes in a song and where they are, for `check_song`. Some may be intended.

- `collision`: a note starts while the same pitch still sounds in its track.
- `out_of_range`: a note is too low or too high for its instrument.
- `outside_key`: a note is neither in the key nor in the planned chord.
- `outside_chord`: a note is not in the planned chord, and is on a beat of the metre or at least a quarter note long.
- `passing`: instead of these two, for a single short note, not on a downbeat, that moves by step from the previous note
  and to the next, or by a semitone to a next note that fits. Notes outside key or chord that start together are one
  problem and never passing.
- `empty_track` and `empty_bar`: there are no notes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from consort_compose.songs.checks.instrument_ranges import INSTRUMENT_RANGES
from consort_compose.songs.document.chord_plan import ChordFinder, chord_pitch_classes
from consort_compose.songs.document.song import Song, SongNote, Track
from consort_compose.songs.document.timeline import Timeline, measures_with_music
from consort_compose.songs.models.checks import ProblemKind
from consort_music.instruments import DRUM_MAP
from consort_music.keys import Key
from consort_music.metre import DOWNBEAT, OFFBEAT

_STEP = 2
"""Largest step of a passing note, in semitones."""


@dataclass(frozen=True)
class Problem:
    """A likely mistake. `start` is its beat.

    `group_message` replaces `message` if several similar problems of a track are reported together. `bars` names the
    bars concerned if the problem is not at a single beat.
    """

    kind: ProblemKind
    start: Fraction
    message: str
    group_message: str
    track: str | None = None
    bars: str | None = None


def find_problems(song: Song, notes: Mapping[int, list[SongNote]]) -> list[Problem]:
    """Return all problems, sorted by beat. `notes` has the sorted notes of each track, by track id."""
    found: list[Problem] = []
    harmony = _Harmony(song)
    for track in song.tracks:
        played = notes.get(track.id, [])
        if not played:
            text = f"{track.name} has no notes."
            found.append(Problem("empty_track", Fraction(0), text, text, track.name))
        found += _collisions(track, played)
        found += _out_of_range(track, played)
        if not track.is_drums:
            found += harmony.problems_of(track, played)
    found += _empty_bars(song, notes)
    found.sort(key=lambda problem: (float(problem.start), problem.kind))
    return found


def _collisions(track: Track, notes: list[SongNote]) -> Iterator[Problem]:
    """Yield a problem for each note that starts while the same pitch is sounding.

    Floats are compared first, because comparing fractions is slow.
    """
    latest: dict[int, tuple[float, SongNote]] = {}
    for note in notes:
        start = float(note.start)
        end = start + float(note.duration)
        rough_end, before = latest.get(note.pitch, (-1.0, note))
        if rough_end > start - 1e-6 and before.end > note.start:
            name = track.pitch_name(note.pitch)
            if before.start == note.start:
                text, group_message = f"{name} occurs twice.", "Notes occur twice."
            else:
                text = f"{name} starts while the {name} from beat {before.start} still sounds."
                group_message = "Notes start while the same pitch still sounds."
            yield Problem("collision", note.start, text, group_message, track.name)
        if end >= rough_end:
            latest[note.pitch] = end, note


def _out_of_range(track: Track, notes: list[SongNote]) -> Iterator[Problem]:
    kit = (min(DRUM_MAP), max(DRUM_MAP))
    for note in notes:
        instrument = track.instrument_at(note.start)
        lowest, highest = kit if track.is_drums else INSTRUMENT_RANGES.get(instrument.program, (0, 127))
        if not lowest <= note.pitch <= highest:
            side = "below" if note.pitch < lowest else "above"
            what = "a drum kit" if track.is_drums else instrument.name
            name, low, high = (track.pitch_name(pitch) for pitch in (note.pitch, lowest, highest))
            where = f"{side} the range of {what} ({low} to {high})."
            yield Problem("out_of_range", note.start, f"{name} is {where}", f"Notes are {where}", track.name)


class _Harmony:
    """Finds notes outside the key and outside the planned chords."""

    def __init__(self, song: Song) -> None:
        self._timeline = Timeline(song)
        self._chords = ChordFinder(song)
        self._pitch_classes: dict[Key, frozenset[int]] = {}

    def problems_of(self, track: Track, notes: list[SongNote]) -> Iterator[Problem]:
        """Yield the problems of a track. Notes that start together are one problem."""
        index = 0
        for start, struck in groupby(notes, key=lambda note: note.start):
            together = list(struck)
            before, after = notes[max(index - 1, 0) : index], notes[index + len(together) : index + len(together) + 1]
            index += len(together)
            symbol = self._chords.at(start)
            chord = chord_pitch_classes(symbol) if symbol else None
            outside = [note for note in together if chord is None or note.pitch % 12 not in chord]
            key = self._key_at(start) if outside else None
            outside_key = [note for note in outside if key is not None and note.pitch % 12 not in key[1]]
            prominent = [
                note for note in outside if chord is not None and note not in outside_key and self._is_prominent(note)
            ]
            is_passing = (
                (outside_key or prominent) and len(together) == 1 and self._is_passing(before, together[0], after)
            )
            if key is not None and outside_key:
                names = [key[0].spell(note.pitch).name for note in outside_key]
                yield _outside_problem("outside_key", start, names, key[0].name, track, bool(is_passing))
            if symbol is not None and prominent:
                names = [key[0].spell(n.pitch).name if key else track.pitch_name(n.pitch) for n in prominent]
                yield _outside_problem("outside_chord", start, names, symbol, track, bool(is_passing))

    def _key_at(self, beat: Fraction) -> tuple[Key, frozenset[int]] | None:
        """Return the key at a beat and its pitch classes, or None if the song has no key there."""
        key = self._timeline.key_at(beat)
        if key is None:
            return None
        if key not in self._pitch_classes:
            self._pitch_classes[key] = frozenset(key.pitch_classes)
        return key, self._pitch_classes[key]

    def _is_prominent(self, note: SongNote) -> bool:
        if note.duration >= 1:
            return True
        return self._strength(note.start) > OFFBEAT

    def _strength(self, beat: Fraction) -> int:
        return self._timeline.bars.strength(beat)

    def _is_passing(self, before: list[SongNote], note: SongNote, after: list[SongNote]) -> bool:
        """Return whether a note of at most a beat, not on a downbeat, moves by step from and to its neighbours.

        Moving by a semitone to a next note that fits (see `_fits`) is also accepted. `before` and `after` have the
        neighbours, or are empty.
        """
        if not after or note.duration > 1 or note.end < after[0].start or self._strength(note.start) == DOWNBEAT:
            return False
        if abs(after[0].pitch - note.pitch) == 1 and self._fits(after[0]):
            return True
        is_reached = bool(before) and before[0].end >= note.start
        return is_reached and all(0 < abs(other.pitch - note.pitch) <= _STEP for other in (before[0], after[0]))

    def _fits(self, note: SongNote) -> bool:
        """Return whether a note is in the planned chord or, if none is planned there, in the key."""
        symbol = self._chords.at(note.start)
        chord = chord_pitch_classes(symbol) if symbol else None
        if chord is not None:
            return note.pitch % 12 in chord
        key = self._key_at(note.start)
        return key is None or note.pitch % 12 in key[1]


def _outside_problem(
    kind: ProblemKind, start: Fraction, names: list[str], what: str, track: Track, is_passing: bool
) -> Problem:
    if is_passing:
        return Problem(
            "passing",
            start,
            f"{names[0]} is a passing note outside {what}.",
            "Passing notes are outside the key or chord.",
            track.name,
        )
    text = f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} not in {what}."
    letters = list(dict.fromkeys(name.rstrip("0123456789-") or name for name in names))
    group_message = f"{', '.join(letters)} {'are' if len(letters) > 1 else 'is'} not in {what}."
    return Problem(kind, start, text, group_message, track.name)


def _empty_bars(song: Song, notes: Mapping[int, list[SongNote]]) -> Iterator[Problem]:
    timeline = Timeline(song)
    everything = [note for each in notes.values() for note in each]
    end = max((note.end for note in everything), default=Fraction(0))
    sounding = measures_with_music(timeline, everything)
    first: int | None = None
    for measure in range(1, timeline.last_measure(end) + 2):
        is_empty = measure <= timeline.last_measure(end) and measure not in sounding
        if is_empty and first is None:
            first = measure
        elif not is_empty and first is not None:
            bars = f"bar {first}" if measure - 1 == first else f"bars {first} to {measure - 1}"
            text = f"{bars.capitalize()} {'is' if measure - 1 == first else 'are'} empty."
            yield Problem("empty_bar", timeline.start_of(first), text, "Bars are empty.", bars=bars)
            first = None
