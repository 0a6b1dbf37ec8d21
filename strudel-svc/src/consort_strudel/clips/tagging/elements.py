"""Which element of a song a clip is."""

import re
from collections import Counter

from consort_strudel.clips.tagging.clip_reading import ClipReading
from consort_strudel.clips.tagging.vocabularies import ClipElement
from consort_strudel.clips.tagging.voice_reading import VoiceReading

_LOW = 48
"""C3. Voices with a lower middle are a bass."""
_LONG_S = 1.6
_SLOW_ATTACK_S = 0.25
_MOSTLY = 0.5
_CHORD_CALLS = ("chord", "voicing", "voicings", "rootNotes")
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
    if voice.is_drums:
        return "rhythm"
    if voice.fx_share > _MOSTLY:
        return "fx"
    if voice.noise_share > _MOSTLY:
        return _noise_element(voice)
    is_long = voice.length_s >= _LONG_S or voice.largest("attack") >= _SLOW_ATTACK_S
    is_low = voice.register is not None and voice.register < _LOW
    if is_low and (voice.chord_share <= _MOSTLY):
        return "texture" if voice.largest("attack") >= 1 else "bass"
    if voice.has_bass_sound and voice.chord_share <= _MOSTLY:
        return "bass"
    if voice.chord_share > _MOSTLY:
        return "texture" if is_long and voice.largest("attack") >= _SLOW_ATTACK_S else "harmony"
    if voice.has_pad_sound and is_long:
        return "texture"
    if is_long and len(voice.onsets) <= voice.cycles:
        return "texture"
    if any(re.search(rf"\b{name}\(", voice.text) for name in _CHORD_CALLS) and "arp" not in voice.text:
        return "harmony"
    if not voice.pitches:
        return "rhythm" if voice.density >= 1 else "fx"
    return "melody"


def _noise_element(voice: VoiceReading) -> ClipElement:
    if voice.density >= 1 and voice.length_s < _LONG_S:
        return "rhythm"
    return "fx" if voice.has("cutoff", "hcutoff", "bandf", "lpenv") else "texture"
