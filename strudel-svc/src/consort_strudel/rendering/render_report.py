"""What a render tells about itself, for an answer: levels of voices, what was silent, replaced, missing or failed."""

import math
from typing import Any

from consort_music.texts.plurals import counted
from consort_strudel.rendering.models import HeardVoice
from consort_strudel.rendering.renderer import ScriptSound, VoiceLevel

SILENT_PEAK = 0.001
"""A voice below -60 dB is not heard."""
_MOST_NAMES = 50
_MOST_MESSAGES = 10


def report_of(rendering: ScriptSound) -> dict[str, Any]:
    """Return the fields of the answer that tell about a render."""
    silent = [voice.name for voice in rendering.voices if voice.events and is_silent(voice)]
    return {
        "event_count": rendering.events,
        "turned_down": round(-20 * math.log10(rendering.gain), 1) if rendering.gain < 1 else None,
        "voices": [
            HeardVoice(voice=voice.name, event_count=voice.events, peak=decibels(voice.peak)).model_dump()
            for voice in rendering.voices
        ],
        "silent_voices": silent or None,
        "replaced_sounds": _first(rendering.substituted),
        "missing_sounds": _first(rendering.missing),
        "failed_sounds": _first(rendering.failed),
        "warnings": _warnings(rendering, silent) or None,
    }


def is_silent(voice: VoiceLevel) -> bool:
    return voice.peak < SILENT_PEAK and not voice.is_wet_only


def decibels(peak: float) -> float | None:
    return round(20 * math.log10(peak), 1) if peak > 1e-6 else None


def _first(values: dict[str, Any]) -> dict[str, Any] | None:
    return dict(list(values.items())[:_MOST_NAMES]) or None


def _warnings(rendering: ScriptSound, silent: list[str]) -> list[str]:
    found = []
    if not rendering.events:
        found.append("Nothing plays in these cycles. preview_events shows what other cycles play.")
    elif rendering.peak < SILENT_PEAK:
        found.append("The sound is silent although there are events: look at gain, filters and missing_sounds.")
    elif silent:
        names = ", ".join(silent)
        found.append(f"Voices that are not heard: {names}. Look at their gain, filters, envelope and sounds.")
    if rendering.peak < 0:
        found.append("The sound has values that are no numbers: an effect got a value that it cannot use.")
    idle = [voice.name for voice in rendering.voices if not voice.events]
    if idle and rendering.events:
        found.append(f"Voices without events in these cycles: {', '.join(idle)}.")
    if rendering.gain < 1:
        peak = decibels(rendering.peak)
        found.append(
            f"It would clip (peak {peak:+.1f} dB), so it was turned down. Lower the gain of the loudest voices."
        )
    if rendering.substituted:
        count = counted(len(rendering.substituted), "sound")
        found.append(f"{count} not on this machine: replaced_sounds says what played instead.")
    if rendering.missing:
        count = counted(sum(rendering.missing.values()), "event")
        found.append(f"{count} left out, because the sound is not on this machine: {', '.join(rendering.missing)}.")
    found += list(dict.fromkeys(rendering.messages))[:_MOST_MESSAGES]
    return found
