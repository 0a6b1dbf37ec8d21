"""Find the key of a performance and its changes, and spell its pitches.

Bars are explained by keys with a Viterbi search: the score of a key in a bar is the log probability of its pitch
classes (weighted by length) in that key, and a change of key costs as much as several bars that fit badly. A key that
does not last is not written. Where the notes leave it open, the signature has few signs. Notes outside the scale are
spelled by where they lead: a step up suggests a sharp, a step down a flat.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from consort_music.key_finding.pitch_classes import sharps_of
from consort_music.keys import Key, key_of_signature
from consort_music.pitch import STEPS, Pitch

_MAJOR = (0.184, 0.014, 0.120, 0.019, 0.166, 0.114, 0.022, 0.176, 0.024, 0.090, 0.016, 0.055)
_MINOR = (0.186, 0.018, 0.118, 0.152, 0.014, 0.112, 0.024, 0.188, 0.094, 0.016, 0.036, 0.042)
"""How often each degree occurs (after Temperley's Kostka-Payne profiles)."""
_MAJOR_SCALE = (0.135, 0.011, 0.135, 0.011, 0.135, 0.135, 0.011, 0.135, 0.011, 0.135, 0.011, 0.135)
_MINOR_SCALE = (0.135, 0.011, 0.135, 0.135, 0.011, 0.135, 0.011, 0.135, 0.125, 0.020, 0.090, 0.030)
"""The same if only the scale counts, not the tonic: a signature is chosen to avoid accidentals."""
_SCALE_SHARE = 0.9
_SIGN_COST, _FLATS_COST = 0.5, 1.0
"""How much rarer a signature is for each of its signs, and with flats instead of sharps (in nats)."""
_MOST_BEATS = 4.0
"""A note counts for at most this many quarters."""
_CHANGE = 16.0
_LEAST_BARS = 8
_TONIC_LAST = 0.3
_BASS_LAST = 0.3


def find_keys(
    bars: Sequence[Sequence[tuple[int, float]]], last_pitches: Sequence[int]
) -> tuple[list[tuple[int, Key]], float]:
    """Return the keys as pairs of a bar's index and the key from there on, and the certainty of the first (0 to 1).

    `bars` has the pitches and lengths in quarters that start in each bar; `last_pitches` are those of the last chord.
    """
    tables = [_log_profile(_MAJOR, _MAJOR_SCALE), _log_profile(_MINOR, _MINOR_SCALE)]
    keys = [(tonic, mode) for mode in (0, 1) for tonic in range(12)]
    state = [_prior(_signature(key)) for key in keys]
    origins = []
    totals = list(state)
    for number, bar in enumerate(bars):
        weights = [0.0] * 12
        for pitch, length in bar:
            weights[pitch % 12] += math.sqrt(min(length, _MOST_BEATS))
        gains = [
            0.5 * sum(weights[pitch] * tables[mode][(pitch - tonic) % 12] for pitch in range(12) if weights[pitch])
            for tonic, mode in keys
        ]
        if number == len(bars) - 1 and last_pitches:
            lowest = min(last_pitches)
            gains = [
                gain
                + _TONIC_LAST * any(pitch % 12 == tonic for pitch in last_pitches)
                + _BASS_LAST * (lowest % 12 == tonic)
                for gain, (tonic, _) in zip(gains, keys, strict=True)
            ]
        best = max(range(len(keys)), key=state.__getitem__)
        origins.append([place if state[place] >= state[best] - _CHANGE else best for place in range(len(keys))])
        state = [max(own, state[best] - _CHANGE) + gain for own, gain in zip(state, gains, strict=True)]
        totals = [total + gain for total, gain in zip(totals, gains, strict=True)]
    path = []
    at = max(range(len(keys)), key=state.__getitem__)
    for origin in reversed(origins):
        path.append(at)
        at = origin[at]
    path.reverse()
    return _lasting(path, keys), _certainty(totals, keys)


def _prior(sharps: int) -> float:
    return -_SIGN_COST * abs(sharps) - _FLATS_COST * (sharps < 0)


def _log_profile(degrees: Sequence[float], scale: Sequence[float]) -> list[float]:
    total = sum(degrees)
    return [
        (1 - _SCALE_SHARE) * math.log(degree / total) + _SCALE_SHARE * math.log(tone)
        for degree, tone in zip(degrees, scale, strict=True)
    ]


def _lasting(path: list[int], keys: list[tuple[int, int]]) -> list[tuple[int, Key]]:
    """Return the keys that last; a first, short one is replaced by the next."""
    spans: list[list[int]] = []
    for place, key in enumerate(path):
        if spans and _signature(keys[spans[-1][2]]) == _signature(keys[key]):
            spans[-1][1] = place + 1
        else:
            spans.append([place, place + 1, key])
    kept = [span for span in spans if span[1] - span[0] >= min(_LEAST_BARS, max(len(path) // 2, 1))]
    if not kept and spans:
        kept = [max(spans, key=lambda span: span[1] - span[0])]
    found: list[tuple[int, Key]] = []
    for start, _, key in kept:
        named = _named(keys[key])
        if not found or found[-1][1].sharps != named.sharps:
            found.append((start if found else 0, named))
    return found


def _signature(key: tuple[int, int]) -> int:
    return sharps_of(key[0], "minor" if key[1] else "major")


def _named(key: tuple[int, int]) -> Key:
    return key_of_signature(_signature(key), "minor" if key[1] else "major")


def _certainty(totals: list[float], keys: list[tuple[int, int]]) -> float:
    best = max(range(len(keys)), key=totals.__getitem__)
    others = [total for total, key in zip(totals, keys, strict=True) if _signature(key) != _signature(keys[best])]
    return 1 - math.exp(-max(totals[best] - max(others), 0.0) / 4)


def spell_notes(notes: Sequence[tuple[Fraction, int]], keys: Sequence[tuple[Fraction, Key]]) -> list[Pitch]:
    """Spell the notes of one line, given as (start, pitch) and sorted by start."""
    found = []
    place = 0
    for index, (start, pitch) in enumerate(notes):
        while place + 1 < len(keys) and keys[place + 1][0] <= start:
            place += 1
        key = keys[place][1]
        spelled = key.spell(pitch)
        if pitch % 12 not in key.pitch_classes and not (key.is_minor and (pitch - key.tonic) % 12 in (9, 11)):
            after = next((other for at, other in notes[index + 1 : index + 6] if at > start), None)
            spelled = _by_direction(pitch, after, spelled, key)
        found.append(spelled)
    return found


def _by_direction(pitch: int, after: int | None, spelled: Pitch, key: Key) -> Pitch:
    """Spell a note outside the scale as the letter below if it leads up by a semitone, above if it leads down."""
    if after is None or abs(after - pitch) != 1:
        return spelled
    goal = key.spell(after)
    staff = goal.staff - 1 if after > pitch else goal.staff + 1
    natural = Pitch(STEPS[staff % 7], 0, staff // 7)
    alter = pitch - (natural.midi if 0 <= natural.octave <= 8 else pitch)
    is_usual = abs(alter) <= 1 and 0 <= natural.octave <= 8
    return Pitch(natural.step, alter, natural.octave) if is_usual else spelled
