"""Measure the pitch of a note by the centres of gravity of its partials.

A choir or a string section has no single pitch: its voices beat, and a pitch tracker follows now one and now another.
The mean frequency around each partial, weighted by the power in the whole note, does not jump.
"""

import numpy as np

from consort_audio.analysis.pitch.track.pitch_track import to_hz
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

_REACH_CENTS = 80.0
"""How far from the nominal pitch frequencies belong to a partial: less than a semitone, which may still ring."""
_FIRST_SHARE = 0.1
"""What comes before this share of the note is its attack."""
_PARTIALS = 6
_HIGHEST_HZ = 0.45 * RATE
_RESOLVED = 85.0
"""A partial counts if its frequency in Hz times the length in seconds is higher: then 40 cents can be told apart."""
_LEAST_SIZE = 32768


def pitch_by_partials(recording: Recording, note: PlayedNote, nominal: float) -> float | None:
    """Return the pitch (MIDI number) of a note that is near a nominal one, or None if the note is too short."""
    first, last = note.start + _FIRST_SHARE * (note.end - note.start), note.end
    samples = recording.samples[max(round(first * RATE), 0) : round(last * RATE)]
    hertz = to_hz(nominal)
    lowest = max(int(np.ceil(_RESOLVED / max(last - first, 1e-3) / hertz)), 1)
    highest = min(lowest + _PARTIALS, int(_HIGHEST_HZ / hertz) + 1)
    if lowest >= highest or not len(samples):
        return None
    size = max(_LEAST_SIZE, len(samples))
    power = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), size)) ** 2
    centres, strengths = [], []
    for number in range(lowest, highest):
        partial = number * hertz
        low, high = (partial * 2 ** (cents / 1200) * size / RATE for cents in (-_REACH_CENTS, _REACH_CENTS))
        places = np.arange(int(np.ceil(low)), int(high) + 1)
        around = power[places]
        if (total := float(around.sum())) > 0:
            centres.append(float(around @ np.log2(places * RATE / size / partial)) / total)
            strengths.append(np.sqrt(total))
    return nominal + 12 * float(np.average(centres, weights=strengths)) if centres else None
