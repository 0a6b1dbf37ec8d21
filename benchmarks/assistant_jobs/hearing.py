"""The job of listening: what plays, how to stop it, and a device that is missing."""

from benchmarks.assistant_jobs.session import Session, expect


async def play_and_stop(session: Session) -> None:
    """Start two pieces, ask what plays, stop them, and ask for a device that is not there."""
    missing = await session.refused("playback_midi", notes="C4:q D4:q E4:h", port_name="Roland TR-9999")
    expect("list_devices" in str(missing) or bool(missing["suggestions"]), "the error says which devices there are")
    await session.call("list_devices")
    tune = await session.call("generate_melody", key="C major", length_measures=16, seed=5)
    first = await session.call("playback_midi", score_id=tune["score_id"])
    await session.call("playback_midi", notes="C3:w C3:w C3:w C3:w C3:w C3:w C3:w C3:w", loop=True)
    several = await session.refused("stop_playback")
    expect(first["playback_id"] in str(several), "with several playing, stop_playback lists them")
    await session.call("stop_playback", playback_id=first["playback_id"])
    await session.call("stop_playback")
    silent = await session.call("get_playback")
    expect("playing" not in [each.get("status") for each in silent.get("playbacks", [])], "nothing plays any more")
