"""Which element of a song a clip is."""

import re
from collections import Counter

from consort_strudel.clips.tagging.clip_reading import ClipReading
from consort_strudel.clips.tagging.vocabularies import ClipElement
from consort_strudel.clips.tagging.voice_reading import VoiceReading

_LOW = 48
"""C3. Voices with a lower middle are a bass."""
_LONG_S = 1.6
_VERY_LONG_S = 6.0
_DRONE_S = 3.0
_SLOW_ATTACK_S = 0.5
_MOSTLY = 0.5
_SELDOM = 0.5
"""Onsets a cycle of a voice that marks places of a song."""
_LARGE_SWEEP = 12
"""Semitones."""
_ROLL = 4
"""How many times as many onsets the last cycle of a build-up has as the first."""
_CHORD_CALLS = ("chord", "voicing", "voicings", "rootNotes")
_RAMP = re.compile(r"\b(i?saw2?|tri2?)\b(\.\w+\([^()]*\))*\.slow\(")
"""A value that rises or falls over several cycles."""
_GRAINS = re.compile(r"\.striate\(")
_ORDER: tuple[ClipElement, ...] = ("melody", "harmony", "bass", "rhythm", "texture", "fx")
"""Of elements with as many voices, the first is that of the clip."""


def element_of(reading: ClipReading) -> ClipElement:
    """Return the element of most voices. A fragment is an effect, and so is a clip without sound."""
    if reading.is_fragment or not reading.voices:
        return "fx"
    elements = [_voice_element(voice) for voice in reading.voices]
    counts = Counter(elements)
    return max(_ORDER, key=lambda element: counts[element])


def _voice_element(voice: VoiceReading) -> ClipElement:
    if voice.noise_share > _MOSTLY:
        return _noise_element(voice)
    if voice.fx_share > _MOSTLY or _is_effect(voice):
        return "fx"
    if voice.is_drums:
        return "rhythm"
    if _GRAINS.search(voice.text):
        return "texture"
    return _pitched_element(voice) if voice.pitches else "rhythm" if voice.density >= 1 else "fx"


def _is_effect(voice: VoiceReading) -> bool:
    """Return whether a voice marks a place of a song: a hit now and then, a sweep of pitch, a roll that gets faster."""
    is_hit = voice.onsets_per_cycle <= _SELDOM and voice.sounding_share <= _SELDOM
    is_sweep = not voice.is_drums and not _is_low(voice) and voice.smallest_size("penv") >= _LARGE_SWEEP
    return is_hit or is_sweep or voice.growth >= _ROLL


def _is_low(voice: VoiceReading) -> bool:
    return voice.register is not None and voice.register < _LOW


def _pitched_element(voice: VoiceReading) -> ClipElement:
    is_slow = voice.largest("attack") >= _SLOW_ATTACK_S
    is_long = voice.length_s >= _LONG_S or is_slow
    if voice.chord_share > _MOSTLY:
        return "texture" if (is_long and is_slow) or voice.length_s >= _VERY_LONG_S else "harmony"
    if _is_low(voice):
        is_drone = len(set(voice.pitches)) == 1 and voice.length_s >= _DRONE_S
        return "texture" if is_drone else "bass"
    if voice.has_bass_sound:
        return "bass"
    if is_long and (voice.has_pad_sound or len(voice.onsets) <= voice.cycles):
        return "texture"
    if any(re.search(rf"\b{name}\(", voice.text) for name in _CHORD_CALLS) and "arp" not in voice.text:
        return "harmony"
    return "melody"


def _noise_element(voice: VoiceReading) -> ClipElement:
    if _RAMP.search(voice.text) or _is_effect(voice):
        return "fx"
    is_continuous = voice.sounding_share >= 1 and not voice.has("decay", "release")
    return "rhythm" if voice.density >= 1 and voice.length_s < _LONG_S and not is_continuous else "texture"
