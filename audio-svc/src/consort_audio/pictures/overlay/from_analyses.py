"""Turn the outcomes of the listening tools into notes, beats, chords and faults that can be drawn."""

from typing import Any

from consort_audio.analysis.confidence_limits import SURE
from consort_audio.pictures.overlay.model import (
    OverlayBeat,
    OverlayChord,
    OverlayFault,
    OverlayNote,
    OverlayVoice,
)
from consort_music.pictures import colours

_COLOUR = colours.PALETTE[2]


def heard_voices(notes: list[list[float]]) -> tuple[OverlayVoice, ...]:
    """Return the voice of notes given as start, end and pitch."""
    found = tuple(OverlayNote(start, end, pitch) for start, end, pitch in notes)
    return (OverlayVoice("Notes heard", "", _COLOUR, False, found),) if found else ()


def heard_beats(heard: dict[str, Any]) -> tuple[OverlayBeat, ...]:
    """Return the beats of analyze_audio's outcome, if it is sure enough of them."""
    if heard["beat_confidence"] < SURE:
        return ()
    return tuple(OverlayBeat(time, bar, beat) for time, bar, beat in heard["beats"])


def heard_chords(outcome: dict[str, Any]) -> tuple[OverlayChord, ...]:
    """Return the chords of detect_chords."""
    return tuple(
        OverlayChord(each["time"], each["time"] + each["duration"], each["chord"]) for each in outcome["chords"]
    )


def compared_bars(drawing: dict[str, Any]) -> tuple[OverlayBeat, ...]:
    """Return the bar lines of a comparison: those of the reference, at the player's own tempo."""
    return tuple(OverlayBeat(time, bar, 1) for time, bar in drawing["bars"])


def compared_faults(drawing: dict[str, Any]) -> tuple[OverlayFault, ...]:
    """Return the errors of a comparison with a reference."""
    return tuple(OverlayFault(time, kind, text) for time, kind, text, *_ in sorted(drawing["faults"]))


def heard_faults(analyses: dict[str, Any]) -> tuple[OverlayFault, ...]:
    """Return what the baseline tools report without a reference: notes out of tune, and notes off the beat."""
    pitch, rhythm = analyses["detect_pitch"], analyses["analyze_rhythm"]
    found = [
        OverlayFault(each["time"], each["kind"], f"{each['pitch']} {abs(each['cents'])} cents {each['kind']}")
        for each in pitch["problems"]
    ]
    if rhythm["confidence"] >= SURE:
        for each in rhythm["beat_deviations"]:
            kind = "early" if each["deviation_ms"] < 0 else "late"
            found.append(OverlayFault(each["time"], kind, f"{abs(each['deviation_ms'])} ms {kind}"))
    return tuple(sorted(found))
