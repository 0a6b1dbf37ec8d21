"""Sum up the answers of the baseline tools in words, numbers and the worst spots."""

from typing import Any

MOST_PROBLEMS = 5
LEAST_BEAT = 0.25
"""A tempo with less confidence is not mentioned."""
SURE_KEY = 0.6
_SEVERITIES = ("major", "moderate", "minor")
"""From the worst on."""
REFERENCE = (
    "Good: intonation_accuracy and timing_accuracy of 0.9 or more, pitch_stability of 0.85 or more, is_steady true. "
    "A figure whose confidence is below 0.5 is a guess."
)


def summarize(analyses: dict[str, dict[str, Any]], duration: float) -> dict[str, Any]:
    """Return the fields of analyze_audio's answer from those of the baseline tools."""
    tempo, pitch, rhythm = (analyses[tool] for tool in ("analyze_tempo", "detect_pitch", "analyze_rhythm"))
    scores = {
        name: analysis[name]
        for analysis, name in (
            (pitch, "intonation_accuracy"),
            (pitch, "pitch_stability"),
            (rhythm, "timing_accuracy"),
        )
        if analysis.get(name) is not None
    }
    is_heard = _is_heard(pitch, rhythm)
    problems = _worst([*pitch.get("problems", []), *rhythm.get("beat_deviations", [])])
    return {
        "summary": " ".join(_sentences(tempo, pitch, rhythm, duration)),
        "duration": round(duration, 2),
        "bpm": tempo.get("bpm") if is_heard else None,
        "is_steady": tempo.get("is_steady") if is_heard else None,
        "key": pitch.get("detected_key"),
        "note_count": pitch.get("note_count", len(pitch.get("notes", []))),
        "scores": scores,
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


def _sentences(tempo: dict[str, Any], pitch: dict[str, Any], rhythm: dict[str, Any], duration: float) -> list[str]:
    notes = pitch.get("notes", [])
    if not _is_heard(pitch, rhythm):
        return [f"{duration:.1f} s without a note that can be heard."]
    count = pitch.get("note_count", len(notes))
    lines = [f"{duration:.1f} s, {count} {'note' if count == 1 else 'notes'}{_range(pitch)}{_key(pitch)}."]
    if tempo.get("bpm") and tempo["confidence"] >= LEAST_BEAT:
        steady = "steady" if tempo.get("is_steady") else "not steady"
        lines.append(f"About {tempo['bpm']:.0f} BPM, {steady} ({_sure(tempo['confidence'])}).")
    else:
        lines.append("No clear beat.")
    if pitch.get("intonation_accuracy") is not None:
        lines.append(f"Intonation {pitch['intonation_accuracy']:.2f}, timing {_figure(rhythm.get('timing_accuracy'))}.")
    lines += pitch.get("warnings") or []
    return lines


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _range(pitch: dict[str, Any]) -> str:
    lowest, highest = pitch.get("lowest"), pitch.get("highest")
    if lowest is None:
        return ""
    return f", all {lowest}" if lowest == highest else f" from {lowest} to {highest}"


def _key(pitch: dict[str, Any]) -> str:
    if not pitch.get("detected_key"):
        return ""
    return f", {'probably' if pitch['key_confidence'] >= SURE_KEY else 'perhaps'} in {pitch['detected_key']}"


def _sure(confidence: float) -> str:
    if confidence >= 0.85:
        return "sure"
    return "likely" if confidence >= 0.6 else "a guess"
