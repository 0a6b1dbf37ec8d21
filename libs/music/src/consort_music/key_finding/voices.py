"""Find the key of voices or of chords: of any music in which several notes sound together, or a figure implies it.

The model is that of `evidence.py`. The tables count

- the end: the bass of the last chord, by its third; the same bass again, if it falls a fifth from a chord with the
  leading tone (an authentic cadence); and the highest note of the last chord. So a minor piece may end with a Picardy
  third or on its dominant,
- the bass of the first chord, by its third,
- where chords rest, and where authentic cadences lead, by the third of the chord, and where the last cadence leads
  (a plagal ending may follow it),
- the time that each pitch class is the bass, and on which notes the bass rests,
- leading tones that rise to their tonic in one voice.

Which third sounds is counted without the last chord. `benchmarks/training/fit_voice_keys.py` fitted the weights
(`voice_weights.py`). The running time is O(n log n) in the number of notes.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from consort_music.key_finding.evidence import RESTING, EvidenceForKeys, general_evidence, rank_by_evidence
from consort_music.key_finding.pitch_classes import KeyGuess, pitch_class_weights
from consort_music.key_finding.voice_weights import WEIGHTS

_THIRDS = ("major", "minor")
VOICE_TABLES = (
    "leading tones",
    "bass",
    "bass rests",
    "top of the last chord",
    "cadence to the last chord",
    "last cadence",
    *(
        f"{place}, {third}"
        for place in ("first chord", "last chord", "resting chords", "cadences")
        for third in _THIRDS
    ),
)
"""What is counted for each pitch class, in the order of the rows of the weights."""
_DIGITS = 3
"""Times are equal if they are after rounding to this many digits."""
_FOURTH = 5
_LEADING_TONE = 11


class TimedNote(NamedTuple):
    """A note of one voice; times may have any unit. Voices matter only for leading tones."""

    start: float
    end: float
    midi: int
    voice: int = 0


class _SoundingChord(NamedTuple):
    """What sounds from an onset to the next, or while the bass stays."""

    bass: int
    """MIDI number."""
    tones: frozenset[int]
    """The pitch classes."""
    length: float
    arrival: frozenset[int]
    """The pitch classes at the onset."""


def rank_keys_of_voices(notes: Sequence[TimedNote], sharps: int | None = None) -> list[KeyGuess]:
    """Return all 24 keys, the best first. `sharps` are those of the key signature.

    The difference of two scores is the logarithm of how many times likelier one key is.
    """
    return rank_by_evidence(voice_evidence(notes), WEIGHTS, sharps)


def voice_evidence(notes: Sequence[TimedNote]) -> EvidenceForKeys:
    """Return what is known of music, which must have notes."""
    ordered = sorted(notes)
    chords = _chords(ordered)
    steps = _bass_steps(chords)
    last_notes = _last_chord(ordered)
    last_pitches = [note.midi for note in last_notes]
    last = _chord_of(last_pitches)
    before_last = [step for step in steps[-3:] if step.bass % 12 != last.bass % 12][-1:]
    first = next((chord for chord in chords if len(chord.tones) > 2), chords[0])
    chord_mean = sum(chord.length for chord in chords) / len(chords)
    step_mean = sum(step.length for step in steps) / len(steps)
    cadences = [after for before, after in pairwise(steps) if _is_cadence(before, after)]
    tables = [
        _leading_tones(ordered),
        _shares([(chord.bass, chord.length) for chord in chords]),
        _shares([(step.bass, 1.0) for step in steps if step.length >= RESTING * step_mean]),
        pitch_class_weights([(max(last_pitches), 1.0)]),
        pitch_class_weights([(last.bass, float(_is_cadence(before, last))) for before in before_last]),
        pitch_class_weights([(chord.bass, 1.0) for chord in cadences[-1:]]),
        *_by_third([(first, 1.0)]),
        *_by_third([(last, 1.0)]),
        *_by_third([(chord, chord.length) for chord in chords[:-1] if chord.length >= RESTING * chord_mean]),
        *_by_third([(chord, 1.0) for chord in cadences]),
    ]
    durations, last_durations = _durations(ordered), _durations(last_notes)
    inner = [whole - end for whole, end in zip(durations, last_durations, strict=True)]
    total = sum(durations) or 1.0
    length = [duration / total for duration in durations]
    count = _shares([(note.midi, 1.0) for note in ordered])
    return EvidenceForKeys(tables, general_evidence(length, count, inner if len(last.tones) > 1 else length), length)


def _chords(ordered: Sequence[TimedNote]) -> list[_SoundingChord]:
    """Return what sounds from each onset to the next."""
    found = []
    sounding: list[tuple[float, int]] = []
    onsets = sorted({note.start for note in ordered})
    end = max(note.end for note in ordered)
    place = 0
    for onset, after in pairwise([*onsets, end]):
        sounding = [timed for timed in sounding if timed[0] > onset]
        while place < len(ordered) and ordered[place].start <= onset:
            sounding.append((ordered[place].end, ordered[place].midi))
            place += 1
        found.append(_chord_of([midi for _, midi in sounding], after - onset))
    return found


def _chord_of(pitches: Sequence[int], length: float = 0.0) -> _SoundingChord:
    tones = frozenset([midi % 12 for midi in pitches])
    return _SoundingChord(min(pitches), tones, length, tones)


def _bass_steps(chords: Sequence[_SoundingChord]) -> list[_SoundingChord]:
    """Return the chords with all tones that sound while the bass stays."""
    found: list[_SoundingChord] = []
    for chord in chords:
        if found and found[-1].bass == chord.bass:
            last = found[-1]
            found[-1] = _SoundingChord(last.bass, last.tones | chord.tones, last.length + chord.length, last.arrival)
        else:
            found.append(chord)
    return found


def _last_chord(ordered: Sequence[TimedNote]) -> list[TimedNote]:
    """Return the notes that sound halfway between the last onset and the end."""
    moment = (ordered[-1].start + max(note.end for note in ordered)) / 2
    return [note for note in ordered if note.end >= moment]


def _is_cadence(before: _SoundingChord, after: _SoundingChord) -> bool:
    """Return whether the bass falls a fifth (or rises a fourth) from a chord with the leading tone of the next."""
    is_fall = (after.bass - before.bass) % 12 == _FOURTH
    return is_fall and (after.bass + _LEADING_TONE) % 12 in before.tones


def _by_third(chords: Sequence[tuple[_SoundingChord, float]]) -> tuple[list[float], list[float]]:
    """Return the shares of the basses of chords with a major third, and of those with a minor third.

    `chords` are pairs of a chord and its weight. A chord without a third, or with both, counts a half in each.
    """
    total = sum(weight for _, weight in chords) or 1.0
    found = ([0.0] * 12, [0.0] * 12)
    for chord, weight in chords:
        major, minor = ((chord.bass + third) % 12 in chord.arrival for third in (4, 3))
        for has, other, table in ((major, minor, found[0]), (minor, major, found[1])):
            table[chord.bass % 12] += weight / total * (0.5 if has == other else float(has))
    return found


def _leading_tones(notes: Sequence[TimedNote]) -> list[float]:
    """Return, for each pitch class, the share of notes on it that follow the semitone below in the same voice."""
    ends = {(voice, round(end, _DIGITS), midi) for _, end, midi, voice in notes}
    found = [0.0] * 12
    for start, _, midi, voice in notes:
        if (voice, round(start, _DIGITS), midi - 1) in ends:
            found[midi % 12] += 1 / len(notes)
    return found


def _durations(notes: Sequence[TimedNote]) -> list[float]:
    return pitch_class_weights([(note.midi, note.end - note.start) for note in notes])


def _shares(weights: Sequence[tuple[int, float]]) -> list[float]:
    """Return the share of each pitch class in all weights. `weights` are pairs of a pitch and its weight."""
    found = pitch_class_weights(weights)
    total = sum(found) or 1.0
    return [weight / total for weight in found]
