"""Decide in which octave a note was played, if the pitch tracker and the reference differ.

Organs and bright strings sound in several octaves at once, and trackers jump between them. A note with the expected
name in another octave is believed to be an octave off only if

- few notes of the take are (a take with many is of an instrument whose octave cannot be heard),
- it is not so short that its partials cannot be told from those of its neighbours, and
- the partials say so: the odd partials of the lower of the two pitches are much weaker (or stronger) than in the notes
  whose octave is certain, and about as weak (or strong) as those an octave below these notes (or of these notes).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.pitch_track import to_hz
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

_AMBIGUOUS_SHARE = 0.12
_WINDOW = 4096
_SHORTEST_S = 0.18
_LEAST_DIFFERENCE_DB = 12.0
_NEAR_SHARE = 0.7
"""How far the odd partials must be on the way from those of one octave to those of the other."""
_SILENT_DB = -18.0


def odd_partials_db(recording: Recording, note: PlayedNote, lower: float) -> float:
    """Return the level of the partials 1, 3 and 5 of a pitch (MIDI number) against that of 2, 4 and 6."""
    spectrum = mean_spectrum(recording, note.start, note.end)
    hertz = to_hz(lower)
    odd = sum(partial_power(spectrum, hertz * number) for number in (1, 3, 5))
    even = sum(partial_power(spectrum, hertz * number) for number in (2, 4, 6))
    return float(10 * np.log10((odd + 1e-12) / (even + 1e-12)))


def mean_spectrum(recording: Recording, start: float, end: float) -> NDArray[np.float64]:
    """Return the mean power spectrum of windows of 186 ms between two times."""
    first, last = round(start * RATE), max(round(end * RATE), round(start * RATE) + _WINDOW // 2)
    starts = range(first, max(last - _WINDOW // 2, first + 1), _WINDOW // 4)
    total = np.zeros(_WINDOW // 2 + 1)
    for begin in list(starts)[:12]:
        piece = recording.samples[max(begin, 0) : max(begin, 0) + _WINDOW]
        total += np.abs(np.fft.rfft(piece * np.hanning(len(piece)), _WINDOW)) ** 2 if len(piece) > 64 else 0
    return total


def partial_power(spectrum: NDArray[np.float64], hertz: float) -> float:
    """Return the highest power within 3% of a frequency."""
    low, high = (int(hertz * factor * _WINDOW / RATE) for factor in (0.97, 1.03))
    if low >= len(spectrum):
        return 0.0
    return float(spectrum[max(low, 1) : max(high + 1, low + 2)].max(initial=0.0))


def right_octaves(
    recording: Recording, pairs: Sequence[tuple[PlayedNote, int, bool]], shift: float
) -> list[PlayedNote]:
    """Return the notes, moved to the expected octave where the other one is not believed.

    `pairs` are notes with their expected pitch and whether they have the expected name. `shift` is how much higher
    than the reference the take is, in semitones.
    """
    off = [round(note.pitch - shift) - expected if is_same else 0 for note, expected, is_same in pairs]
    same = [index for index, (_, _, is_same) in enumerate(pairs) if is_same]
    wrong = [index for index in same if off[index]]
    if not wrong:
        return [note for note, _, _ in pairs]
    is_ambiguous = len(wrong) > max(_AMBIGUOUS_SHARE * len(same), 2)
    certain = [index for index in same if not off[index]]
    found = [note for note, _, _ in pairs]
    if not is_ambiguous and certain:
        chosen = certain[:: max(len(certain) // 12, 1)]
        usual = {
            octave: float(np.median([_odd(recording, pairs[index], shift, octave) for index in chosen]))
            for octave in (0, -12)
        }
    for index in wrong:
        note, expected, _ = pairs[index]
        is_long = note.end - note.start >= _SHORTEST_S
        if is_long and not is_ambiguous and certain and abs(off[index]) == 12:
            heard = odd_partials_db(recording, note, min(note.pitch, expected + shift))
            # if it is played higher, the odd partials of the expected pitch are missing; if lower, they are there
            way = max(_NEAR_SHARE * (usual[0] - usual[-12]), _LEAST_DIFFERENCE_DB)
            if off[index] > 0 and heard < min(usual[0] - way, 0.0):
                continue
            if off[index] < 0 and heard > usual[-12] + way:
                continue
        found[index] = note._replace(pitch=note.pitch - off[index])
    return found


def _odd(recording: Recording, pair: tuple[PlayedNote, int, bool], shift: float, octave: int) -> float:
    note, expected, _ = pair
    return odd_partials_db(recording, note, expected + shift + octave)
