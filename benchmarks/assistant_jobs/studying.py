"""Jobs of a teacher and a student: mark an exercise, voice chords."""

from benchmarks.assistant_jobs.session import Session, expect

CANTUS = "D4:w F4:w E4:w D4:w G4:w F4:w A4:w G4:w F4:w E4:w D4:w"
STUDENT = "R:h A4:h D5:h C5:h B4:h C5:h D5:h A4:h B4:h D5:h C5:h D5:h C5:h F5:h B4:h D5:h A4:h C5:h B4:h C#5:h D5:w"


async def mark_counterpoint(session: Session) -> None:
    """Mark a student's second species counterpoint. Each fault is reported with its measure and beat."""
    marked = await session.call(
        "analyze_harmony", music=f"student: {STUDENT}\ncantus: {CANTUS}", species=2, key="D dorian"
    )
    expect("chords" not in str(marked["data"].keys()), "no chord table unless asked for")
    expect(bool(marked["data"]["faults"]), "faults are named")


async def voice_chords(session: Session) -> None:
    """Voice a progression for guitar and for choir."""
    shape = await session.call("realize_chord", chord_symbol="Fmaj7", instrument="guitar")
    expect("frets" in str(shape), "the guitar has frets")
    chords = "Fmaj7 | Gm7 C7 | Am7 D7 | Gm7 C7 | F6"
    for instrument in ("guitar", "satb"):
        voiced = await session.call("realize_progression", chords=chords, instrument=instrument)
        expect(voiced["score_id"].startswith("score_"), "the voicing is a score")
