"""Jobs that write songs."""

from benchmarks.assistant_jobs.session import Session, expect

AMAZING_GRACE = (
    "X:1\nT:Amazing Grace\nM:3/4\nL:1/4\nK:G\n"
    "D | G2 B/G/ | B2 A | G2 E | D2 D | G2 B/G/ | B2 A | d3- | d2 B |"
    " d2 B/G/ | B2 A | G2 E | D2 D | G2 B/G/ | B2 A | G3- | G2 |]"
)
STYLES = ("classical", "pop", "jazz", "modal")
BIG_SONG_BARS = 64


async def waltz(session: Session) -> None:
    """Write an eight-bar waltz for flute and cello, and show it."""
    tune = await session.call("generate_melody", key="G major", time_signature="3/4", length_measures=8, seed=11)
    duet = await session.call("add_voice", existing_voice=tune["score_id"], new_voice_type="bass", seed=3)
    song = await session.call(
        "create_song",
        title="Waltz",
        tempo=132,
        time_signature="3/4",
        key="G major",
        tracks={"Flute": "Flute", "Cello": "Cello"},
    )
    added = await session.call(
        "add_notes", song_id=song["song_id"], score_id=duet["score_id"], parts={"1": "Flute", "2": "Cello"}
    )
    expect(added["title"] == "Waltz", "the answer of add_notes names the song")
    await session.picture("render_piano_roll", song_id=song["song_id"])
    exported = await session.call("song_export_midi", song_id=song["song_id"])
    file = await session.call("get_midi", midi_file_id=exported["midi_file_id"])
    names = [track["name"] for track in file["metadata"]["tracks"] if track.get("note_count")]
    expect(names == ["Flute", "Cello"], f"the file has both tracks: {names}")


async def looping_beat(session: Session) -> None:
    """Write a lo-fi beat and change its drums while it loops, without a gap."""
    song = await session.call(
        "create_song", title="Lo-fi", tempo=76, key="Dm", tracks={"Keys": "Electric Piano 1", "Kit": "drums"}
    )
    beat = {
        "Keys": "D4,F4,A4,C5 4 v60; G3,B3,D4,F4 4; C4,E4,G4,B4 4; A3,C4,E4,G4 4",
        "Kit": "[kick 1; snare; kick; snare; @0 closedhat 1/2 x8] x4",
    }
    await session.call("add_notes", song_id=song["song_id"], notes=beat)
    await session.call("playback_midi", song_id=song["song_id"], loop=True)
    other = await session.call("create_song", title="Another", tracks={"Kit": "drums"})
    await session.call("add_notes", song_id=other["song_id"], notes={"Kit": "kick 1"})
    drums = {"Kit": "[kick 3/2; kick 1/2; snare 1; R 1; @0 closedhat 1/3 x12] x4"}
    changed = await session.call("add_notes", song_id=song["song_id"], notes=drums, replace=True)
    expect(changed["song_id"] == song["song_id"], "the drums are in the song that loops")
    playing = await session.call("get_playback")
    expect("Lo-fi" in str(playing), "get_playback names the title")
    await session.call("stop_playback")
    first = await session.call("get_notes", song_id=song["song_id"], track="Kit", first_bar=1, last_bar=1)
    expect("1/3" in str(first) and "snare" in str(first), "the new drums replaced the old")


async def four_styles(session: Session) -> None:
    """Harmonize Amazing Grace in four styles, and put the four versions into one song, one after the other."""
    song = await session.call("create_song", title="Amazing Grace", tempo=84, time_signature="3/4", key="G major")
    for number, style in enumerate(STYLES):
        found = await session.call("reharmonize", melody=AMAZING_GRACE, style=style, num_options=1, texture="satb")
        best = found["data"]["harmonizations"][0]
        names = ("Soprano", "Alto", "Tenor", "Bass")
        tracks = {name: "Choir Aahs" for name in names}
        if not number:
            for name, instrument in tracks.items():
                await session.call("add_track", song_id=song["song_id"], name=name, instrument=instrument)
        await session.call(
            "add_notes",
            song_id=song["song_id"],
            score_id=best["score_id"],
            measure=2 + 17 * number,
            parts={str(place): name for place, name in enumerate(names, 1)},
        )
    checked = await session.call("check_song", song_id=song["song_id"], kinds=["empty_track", "out_of_range"])
    expect(not checked["problems"], f"no track is empty or out of range: {checked['problems']}")


async def song_with_bridge(session: Session) -> None:
    """Write an AABA song whose bridge is in another key, check it, and undo the last edit."""
    song = await session.call(
        "create_song",
        title="AABA",
        key="F major",
        tempo=110,
        tracks={"Lead": "Trumpet", "Bass": "Acoustic Bass"},
        sections=[{"name": "A", "start_measure": 1, "end_measure": 8}],
    )
    sid = song["song_id"]
    await session.call("set_chords", song_id=sid, chords="F | Dm7 | Gm7 | C7 | F | Dm7 | Gm7 C7 | F", measure=1)
    line = "[F4 1; A4; C5; A4; D4; F4; A4; F4; G4; Bb4; D5; Bb4; C5; Bb4; G4; E4] x2"
    bass = "[F2 2; A2; D2; F2; G2; Bb2; C3; C2] x2"
    await session.call("add_notes", song_id=sid, notes={"Lead": line, "Bass": bass})
    await session.call("copy_section", song_id=sid, name="A", to_measure=9, new_name="A2")
    await session.call("copy_section", song_id=sid, name="A", to_measure=17, new_name="Bridge", key="Ab major")
    await session.call("copy_section", song_id=sid, name="A", to_measure=25, new_name="A3")
    checked = await session.call("check_song", song_id=sid)
    expect(not [each for each in checked["problems"] if each["kind"] == "outside_key"], "the bridge is in its key")
    await session.call("edit_notes", song_id=sid, section="A3", track="Lead", transpose=12)
    undone = await session.call("undo_last_action", song_id=sid)
    expect(undone["song_id"] == sid and undone["title"] == "AABA", "undo names the song")
    sections = await session.call("get_sections", song_id=sid)
    expect([each["name"] for each in sections["sections"]] == ["A", "A2", "Bridge", "A3"], "all sections are there")


async def big_song(session: Session) -> None:
    """Change bars 17 to 24 of a long song, and copy a section up a tone."""
    sections = [
        {"name": f"Part {number + 1}", "start_measure": number * 8 + 1, "end_measure": number * 8 + 8}
        for number in range(BIG_SONG_BARS // 8)
    ]
    tracks = {"Lead": "Violin", "Pad": "String Ensemble 1", "Bass": "Electric Bass (finger)", "Kit": "drums"}
    song = await session.call("create_song", title="Long", key="D major", tracks=tracks, sections=sections)
    sid = song["song_id"]
    notes = {
        "Lead": f"[D5 1/2; E5; F#5; A5; G5; F#5; E5; D5] x{BIG_SONG_BARS}",
        "Pad": f"[D4,F#4,A4 4; G4,B4,D5 4] x{BIG_SONG_BARS // 2}",
        "Bass": f"[D2 1; A2; D2; A2; G2; D2; G2; D2] x{BIG_SONG_BARS // 2}",
        "Kit": f"[kick 1; snare; kick; snare; @0 closedhat 1/2 x8] x{BIG_SONG_BARS}",
    }
    await session.call("add_notes", song_id=sid, notes=notes)
    await session.call("set_chords", song_id=sid, chords=" | ".join(["D", "G"] * (BIG_SONG_BARS // 2)))
    await session.call("get_notes", song_id=sid, track="Lead", first_bar=17, last_bar=18)
    await session.call("edit_notes", song_id=sid, track="Lead", first_bar=17, last_bar=24, velocity="+20")
    await session.call("remove_notes_in_range", song_id=sid, track="Kit", first_bar=24, last_bar=24)
    copied = await session.call(
        "copy_section", song_id=sid, name="Part 3", to_measure=BIG_SONG_BARS + 1, new_name="Up", transpose=2
    )
    expect(copied["section"]["key"] == "E major", f"the key follows: {copied['section'].get('key')}")
    await session.call("check_song", song_id=sid)
