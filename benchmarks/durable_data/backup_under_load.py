"""Back up a studio with 1,000 files and 50 songs while it is used, restore it elsewhere, and compare everything."""

import base64
import tempfile
import time
from pathlib import Path

from benchmarks.durable_data.writers import Ledger, OwnStudio, midi_file, writing
from benchmarks.support.report import Report, Requirement, Row
from evaluation.studio_content import read_content, undo_everything

FILES = 1000
SONGS = 50
STEPS = 6


def run() -> Report:
    with tempfile.TemporaryDirectory() as folder:
        here, there = OwnStudio(Path(folder) / "here"), OwnStudio(Path(folder) / "there")
        file = Path(folder) / "studio.tar.gz"
        here.consort("up", "--detach")
        try:
            songs = _fill(here)
            before = read_content(here.call)
            ledger = Ledger()
            with writing(here, ledger, pause_s=0.02):
                while len(ledger) < 50:
                    time.sleep(0.02)
                already, stored = set(ledger.files), len(ledger)
                began = time.monotonic()
                here.consort("backup", str(file))
                backup_s = time.monotonic() - began
                meanwhile = len(ledger) - stored
            began = time.monotonic()
            there.consort("restore", str(file))
            restore_s = time.monotonic() - began
            there.consort("up", "--detach")
            after = read_content(there.call)
            different = [
                key for kind, rows in before.items() for key, row in rows.items() if after[kind].get(key) != row
            ]
            different += sorted(already - after["midi"].keys())
            different += [
                song_id
                for song_id in songs
                if undo_everything(here.call, song_id) != undo_everything(there.call, song_id)
            ]
            megabytes = file.stat().st_size / 1e6
        finally:
            here.consort("down")
            there.consort("down")
    row: Row = {
        "trial": f"backup of {FILES} files and {SONGS} songs",
        "stored meanwhile": meanwhile,
        "different": len(different),
        "MB": megabytes,
        "backup s": backup_s,
        "restore s": restore_s,
    }
    return Report(
        title="A backup under load, restored elsewhere",
        rows=[row],
        summary=f"{len(different)} things differ in the restored studio {different[:5] or ''}.".strip(),
        requirements=[Requirement("things that differ in the restored studio", len(different), 0)],
    )


def _fill(studio: OwnStudio) -> list[str]:
    """Store files, some of them twice, and songs with steps to undo and to redo. Return the ids of the songs."""
    connection = studio.connect()
    for number in range(FILES):
        content = base64.b64encode(midi_file(10_000_000 + number)).decode()
        connection.call_tool("store_midi", {"base64": content, "name": f"file {number}.mid"})
        if number % 10 == 0:
            newer = base64.b64encode(midi_file(20_000_000 + number)).decode()
            connection.call_tool("store_midi", {"base64": newer, "name": f"file {number}.mid", "overwrite": True})
    connection.close()
    songs = []
    for number in range(SONGS):
        made = studio.call("create_song", title=f"Song {number}", tracks={"Lead": "Flute", "Bass": "Acoustic Bass"})
        song_id = made["song_id"]
        for step in range(STEPS):
            notes = f"C{3 + step % 3} {step % 4 + 1}; E4; G4 @{number % 7}"
            studio.call("add_notes", song_id=song_id, track="Lead", notes=notes)
        for _ in range(number % 3):
            studio.call("undo_last_action", song_id=song_id)
        songs.append(song_id)
    studio.call("store_audio", base64=base64.b64encode(_second_of_sound()).decode(), name="take.wav", wait_s=0)
    return songs


def _second_of_sound() -> bytes:
    frames = b"".join((1000 * (index % 50) - 25_000).to_bytes(2, "little", signed=True) for index in range(8000))
    head = b"fmt " + (16).to_bytes(4, "little") + bytes([1, 0, 1, 0]) + (8000).to_bytes(4, "little")
    head += (16_000).to_bytes(4, "little") + bytes([2, 0, 16, 0])
    body = b"WAVE" + head + b"data" + len(frames).to_bytes(4, "little") + frames
    return b"RIFF" + len(body).to_bytes(4, "little") + body
