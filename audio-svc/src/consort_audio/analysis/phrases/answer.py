"""Answer segment_phrases."""

from typing import Any

from consort_audio.analysis.known_bars import KnownBars
from consort_audio.analysis.phrases.models import MOST_PHRASES
from consort_audio.analysis.phrases.segment import PhraseSpan, find_phrases
from consort_audio.signals.recording import Recording

_METHOD = "rests, long notes and changes of harmony, weighed against usual lengths of phrases"
_REFERENCE = (
    "Phrases usually last 2 to 8 s, or two or four bars, and are of similar length. A player shows them by a breath, a "
    "longer last note, or playing softer towards the end."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the phrases, with the bar in which each begins if the beat is known."""
    phrases = find_phrases(recording)
    bars = KnownBars(recording)
    lengths = [phrase.end - phrase.start for phrase in phrases]
    later = phrases[1:]
    return {
        "phrases": [_heard(phrase, bars) for phrase in phrases[:MOST_PHRASES]],
        "phrase_count": len(phrases),
        "average_length": round(sum(lengths) / len(lengths), 1) if lengths else None,
        "confidence": round(sum(phrase.confidence for phrase in later) / len(later), 2)
        if later
        else 0.5 * bool(phrases),
        "method": _METHOD,
        "reference": _REFERENCE,
    }


def _heard(phrase: PhraseSpan, bars: KnownBars) -> dict[str, Any]:
    return {
        "start": round(phrase.start, 2),
        "end": round(phrase.end, 2),
        "type": phrase.kind,
        "confidence": round(phrase.confidence, 2),
        **bars.bar(phrase.start),
    }
