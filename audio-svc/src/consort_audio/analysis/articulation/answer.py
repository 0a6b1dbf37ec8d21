"""Answer detect_articulation. How a note is called is in `held_notes`, what an accent is in `accents`.

`legato_percentage`, `staccato_percentage` and `detached_percentage` are shares of the notes and add up to 1.
`confidence` is the mean over notes of the note's confidence times the probability of its side (staccato or not), mapped
to the share of right notes by a table that was fitted on the tune part of the truth set.
"""

from typing import Any

from consort_audio.analysis.articulation.accents import find_accents
from consort_audio.analysis.articulation.held_notes import HeldNote, held_notes
from consort_audio.analysis.calibration import calibrated
from consort_audio.analysis.known_bars import KnownBars
from consort_audio.analysis.pitch.answer import note_name
from consort_audio.analysis.pitch.intonation import semitone_of
from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.polyphony import SEVERAL_FROM, polyphony
from consort_audio.signals.recording import Recording

MOST_ACCENTS = 20
LEAST_SHARE = 0.1
CONFIDENCE_MAP = ((0.0, 0.0), (0.33, 0.28), (0.5, 0.45), (0.62, 0.64), (0.81, 0.84), (0.94, 0.92), (0.99, 0.97))
KINDS = ("legato", "detached", "staccato")
REFERENCE = (
    "Legato notes are held until the next one begins. Staccato notes end clearly before it: in a dry room they last up "
    "to 80% of the time, and an echo prolongs them. include_notes shows how long each note is held. Even playing has "
    "one type above 0.9; accents of 0.3 (4 dB) and more are heard."
)


def answer(recording: Recording, options: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of detect_articulation."""
    voice, notes = find_notes(recording), held_notes(recording)
    accents = find_accents(notes)
    shares = {kind: sum(note.articulation == kind for note in notes) / max(len(notes), 1) for kind in KINDS}
    bars = KnownBars(recording)
    found: dict[str, Any] = {
        "articulation_types": [
            kind for kind in sorted(KINDS, key=lambda kind: -shares[kind]) if shares[kind] >= LEAST_SHARE
        ],
        **{f"{kind}_percentage": round(share, 2) for kind, share in shares.items()},
        "accents": [
            {"time": round(each.time, 3), "intensity": round(each.intensity, 2), **bars.bar_and_beat(each.time)}
            for each in accents[:MOST_ACCENTS]
        ],
        "accent_count": len(accents),
        "note_count": len(notes),
        "confidence": round(sum(map(_certainty, notes)) / max(len(notes), 1), 2),
        "method": f"held share of the notes heard by {voice.track.method}",
        "reference": REFERENCE,
    }
    if options.get("include_notes"):
        found["notes"] = [
            {
                "time": round(each.note.start, 3),
                "pitch": note_name(semitone_of(voice.without_drift(each.note), voice.tuning), None),
                "articulation": each.articulation,
                "held": round(each.held, 2),
                "confidence": round(_certainty(each), 2),
            }
            for each in notes
        ]
    if not notes:
        found["warnings"] = ["No notes with a clear pitch are heard, so there is no articulation."]
    elif (polyphony(recording) or 0.0) >= SEVERAL_FROM:
        found["warnings"] = ["Several notes sound at once: this describes a guess at the melody."]
    return found


def _certainty(held: HeldNote) -> float:
    return calibrated(held.note.confidence * max(held.staccato, 1 - held.staccato), CONFIDENCE_MAP)
