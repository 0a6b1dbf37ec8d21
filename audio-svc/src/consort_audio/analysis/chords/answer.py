"""Answer detect_chords."""

from typing import Any

from consort_audio.analysis.chords.find import FoundChord, find_chords
from consort_audio.analysis.chords.local_keys import key_at, moved_to_chords, numerals
from consort_audio.analysis.chords.models import MOST_CHORDS
from consort_audio.analysis.chords.naming import chord_name
from consort_audio.analysis.key.changes import find_key_sections, main_key
from consort_audio.analysis.known_bars import KnownBars
from consort_audio.signals.recording import Recording
from consort_music.keys import Key

_LONGEST_PROGRESSION = 32
_REFERENCE = (
    "Confidence is the probability that root and kind are right: above 0.8 trust a chord, below 0.5 check it by ear. "
    "Steady harmony changes on beats, most often at the start of a bar."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the chords between `start_time` and `end_time`, the progression and its numerals."""
    track = find_chords(recording)
    first, last = float(options.get("start_time", 0.0)), float(options.get("end_time") or recording.duration)
    chords = [_cut(chord, first, last) for chord in track.chords if chord.end > first and chord.start < last]
    key, sections = main_key(recording).key, moved_to_chords(find_key_sections(recording), track.chords)
    collapsed = _collapsed(chords)
    lengths = sum(chord.end - chord.start for chord in chords)
    certainty = sum(chord.confidence * (chord.end - chord.start) for chord in chords)
    bars = KnownBars(recording)
    return {
        "chords": [_heard(chord, key_at(chord, sections), bars) for chord in chords[:MOST_CHORDS]],
        "chord_count": len(chords),
        "progression": [
            chord_name(chord.chord._replace(bass=chord.chord.root), key_at(chord, sections)) for chord in collapsed
        ],
        "numerals": numerals(collapsed, sections),
        "key": key.name if key else None,
        "confidence": round(certainty / lengths, 2) if lengths else 0.0,
        "method": track.method,
        "reference": _REFERENCE,
    }


def _cut(chord: FoundChord, first: float, last: float) -> FoundChord:
    return chord._replace(start=max(chord.start, first), end=min(chord.end, last))


def _collapsed(chords: list[FoundChord]) -> list[FoundChord]:
    """Return the chords without those that only change the bass of the one before, and without a repeated pattern."""
    found: list[FoundChord] = []
    for chord in chords:
        if not found or (found[-1].chord.root, found[-1].chord.kind) != (chord.chord.root, chord.chord.kind):
            found.append(chord)
    return _one_round(found)[:_LONGEST_PROGRESSION]


def _one_round(chords: list[FoundChord]) -> list[FoundChord]:
    """Return the pattern if all chords are one pattern of at least two chords, played twice or more."""
    names = [(chord.chord.root, chord.chord.kind.suffix) for chord in chords]
    for length in range(2, len(names) // 2 + 1):
        if all(name == names[place % length] for place, name in enumerate(names)):
            return chords[:length]
    return chords


def _heard(chord: FoundChord, key: Key | None, bars: KnownBars) -> dict[str, Any]:
    return {
        "time": round(chord.start, 2),
        "duration": round(chord.end - chord.start, 2),
        "chord": chord_name(chord.chord, key),
        "confidence": round(chord.confidence, 2),
        **bars.bar_and_beat(chord.start),
    }
