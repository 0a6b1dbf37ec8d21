"""The job that plays music, asks what plays, stops it, and names a missing device."""

from benchmarks.assistant_jobs.session import Session, expect


async def play_and_stop(session: Session) -> None:
    """Name a device that does not exist, start two pieces, stop both, and ask what plays."""
    missing = await session.call_that_fails("playback_midi", notes="C4:q D4:q E4:h", port_name="Roland TR-9999")
    expect("list_devices" in str(missing) or bool(missing["suggestions"]), "the error says which devices there are")
    await session.call("list_devices")
    tune = await session.call("generate_melody", key="C major", length_measures=16, seed=5)
    first = await session.call("playback_midi", score_id=tune["score_id"])
    await session.call("playback_midi", notes="C3:w C3:w C3:w C3:w C3:w C3:w C3:w C3:w", loop=True)
    several = await session.call_that_fails("stop_playback")
    expect(first["playback_id"] in str(several), "with several playing, stop_playback lists them")
    await session.call("stop_playback", playback_id=first["playback_id"])
    await session.call("stop_playback")
    silent = await session.call("get_playback")
    expect("playing" not in [each.get("status") for each in silent.get("playbacks", [])], "nothing plays any more")
