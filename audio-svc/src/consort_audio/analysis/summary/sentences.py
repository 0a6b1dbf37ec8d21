"""Sum up the answers of the baseline tools in words, numbers and the worst spots."""

from typing import Any

MOST_PROBLEMS = 5
LEAST_BEAT = 0.25
"""A tempo with less confidence is not mentioned."""
SURE_KEY, LEAST_KEY = 0.6, 0.25
"""From the first on a key is probable; with less confidence than the second it is not mentioned."""
CLEAR_VOICE = 0.95
"""From this confidence of detect_pitch on, it hears one voice also where several notes sound."""
SEVERAL = "Use transcribe_audio for the notes, detect_key for the key and detect_chords for the chords."
_SEVERITIES = ("major", "moderate", "minor")
"""From the worst on."""
REFERENCE = (
    "Good: intonation_accuracy and timing_accuracy of 0.9 or more, pitch_stability of 0.85 or more, is_steady true. "
    "A figure whose confidence is below 0.5 is a guess."
)


def summarize(analyses: dict[str, dict[str, Any]], duration: float, is_several: bool) -> dict[str, Any]:
    """Return the fields of analyze_audio's answer from those of the baseline tools.

    If several notes sound at once, the notes of detect_pitch are a guess at a melody: nothing is said about them,
    unless they are heard as clearly as a melody whose strings or room ring.
    """
    tempo, pitch, rhythm = (analyses[tool] for tool in ("analyze_tempo", "detect_pitch", "analyze_rhythm"))
    has_beat = bool(tempo.get("bpm")) and tempo["confidence"] >= LEAST_BEAT and _is_heard(pitch, rhythm)
    has_voice = not is_several or pitch["confidence"] >= CLEAR_VOICE
    scored = [(rhythm, "timing_accuracy")]
    if has_voice:
        scored += [(pitch, "intonation_accuracy"), (pitch, "pitch_stability")]
    problems = _worst([*(pitch.get("problems", []) if has_voice else []), *rhythm.get("beat_deviations", [])])
    return {
        "summary": " ".join(_sentences(analyses, duration, has_beat, is_several, has_voice)),
        "duration": round(duration, 2),
        "bpm": tempo.get("bpm") if has_beat else None,
        "is_steady": tempo.get("is_steady") if has_beat else None,
        "key": None if is_several else _key(pitch),
        "note_count": pitch["note_count"] if has_voice else None,
        "scores": {name: found[name] for found, name in scored if found.get(name) is not None},
        "confidence": {tool: found["confidence"] for tool, found in analyses.items() if "confidence" in found},
        "problems": problems or None,
        "method": {tool: found["method"] for tool, found in analyses.items()},
        "reference": REFERENCE,
    }


def _is_heard(pitch: dict[str, Any], rhythm: dict[str, Any]) -> bool:
    return bool(pitch.get("notes") or rhythm.get("onsets"))


def _worst(problems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    def rank(problem: dict[str, Any]) -> tuple[int, float]:
        return _SEVERITIES.index(problem.get("severity", _SEVERITIES[-1])), problem["time"]

    return sorted(problems, key=rank)[:MOST_PROBLEMS]


def _sentences(
    analyses: dict[str, dict[str, Any]], duration: float, has_beat: bool, is_several: bool, has_voice: bool
) -> list[str]:
    tempo, pitch, rhythm = (analyses[tool] for tool in ("analyze_tempo", "detect_pitch", "analyze_rhythm"))
    if not _is_heard(pitch, rhythm):
        return [f"{duration:.1f} s without a note that can be heard."]
    lines = [f"{duration:.1f} s, {_notes(pitch, is_several, has_voice)}."]
    if has_beat:
        steady = "steady" if tempo.get("is_steady") else "not steady"
        lines.append(f"About {tempo['bpm']:.0f} BPM, {steady} ({_sure(tempo['confidence'])}).")
    else:
        lines.append("No clear beat.")
    timing = _figure(rhythm.get("timing_accuracy"))
    if not has_voice:
        lines.append(f"Timing {timing}.")
    elif pitch.get("intonation_accuracy") is not None:
        lines.append(f"Intonation {pitch['intonation_accuracy']:.2f}, timing {timing}.")
    return lines + ([SEVERAL] if is_several else pitch.get("warnings") or [])


def _notes(pitch: dict[str, Any], is_several: bool, has_voice: bool) -> str:
    """Return how many notes there are, with their range and, if one sounds at a time, their key."""
    if not has_voice:
        return "several notes at once"
    count, key = pitch["note_count"], _key(pitch)
    notes = f"{count} {'note' if count == 1 else 'notes'}{_range(pitch)}"
    if is_several:
        return f"several notes at once; the clearest voice has {notes}"
    probable = "probably" if pitch["key_confidence"] >= SURE_KEY else "perhaps"
    return notes + (f", {probable} in {key}" if key else "")


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _range(pitch: dict[str, Any]) -> str:
    lowest, highest = pitch.get("lowest"), pitch.get("highest")
    if lowest is None:
        return ""
    return f", all {lowest}" if lowest == highest else f" from {lowest} to {highest}"


def _key(pitch: dict[str, Any]) -> str | None:
    return pitch["detected_key"] if pitch["key_confidence"] >= LEAST_KEY else None


def _sure(confidence: float) -> str:
    if confidence >= 0.85:
        return "sure"
    return "likely" if confidence >= 0.6 else "a guess"
