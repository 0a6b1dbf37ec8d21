"""What is broken, and which calls try it. A new service or tool joins by a row here, not by new code."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil

from consort_kit.ids import new_id
from consort_kit.services import SERVICES
from tests.midi_files import as_base64, tune
from tests.studio import Studio

EXAMPLES: dict[str, Callable[[], dict[str, Any]]] = {
    "generate_melody": lambda: {"key": "C major", "length_measures": 2},
    "transform_phrase": lambda: {"input_stream": "C4:q D4:q E4:h", "transformation": "inversion"},
    "add_voice": lambda: {"existing_voice": "C4:q D4:q E4:h", "new_voice_type": "bass"},
    "reharmonize": lambda: {"melody": "C4:q D4:q E4:h", "style": "pop"},
    "analyze_harmony": lambda: {"music": "C4:q D4:q E4:h"},
    "realize_chord": lambda: {"chord_symbol": "Cmaj7", "instrument": "guitar", "previous_voicing": ["C4", "E4"]},
    "realize_progression": lambda: {"chords": ["Dm7", "G7", "C"], "instrument": "satb"},
    "compose_export_midi": lambda: {"stream": "C4:q D4:q E4:h"},
    "create_song": lambda: {"title": new_id("fault"), "tracks": {"Lead": "Flute"}},
    "get_song_info": dict,
    "add_section": lambda: {"name": new_id("fault"), "start_measure": 1, "end_measure": 2},
    "edit_section": lambda: {"name": "Verse", "description": "quiet"},
    "remove_section": lambda: {"name": "Verse"},
    "get_sections": dict,
    "copy_section": lambda: {"name": "Verse", "to_measure": 20},
    "add_track": lambda: {"name": new_id("fault"), "instrument": "Flute"},
    "edit_song": lambda: {"tempo": 96},
    "edit_track": lambda: {"name": "Lead", "volume": 90},
    "remove_track": lambda: {"name": "Lead"},
    "get_tracks": dict,
    "add_notes": lambda: {"track": "Lead", "notes": "C4 1; E4"},
    "edit_notes": lambda: {"track": "Lead", "transpose": 1},
    "remove_notes_in_range": lambda: {"track": "Lead", "start_time": 0, "end_time": 4},
    "get_notes": lambda: {"track": "Lead", "limit": 5},
    "set_chords": lambda: {"chords": "Dm7 | G7 | C"},
    "check_song": lambda: {"limit": 5},
    "undo_last_action": dict,
    "redo_last_action": dict,
    "song_export_midi": lambda: {"name": f"{new_id('fault')}.mid"},
    "list_songs": lambda: {"limit": 5},
    "delete_song": lambda: {"song_id": new_id("song")},
    "store_midi": lambda: {"base64": as_base64(tune(3)), "name": f"{new_id('fault')}.mid"},
    "get_midi": lambda: {"path": "kept.mid"},
    "list_midi": lambda: {"limit": 5},
    "export_midi": lambda: {"path": "kept.mid", "export_name": f"{new_id('fault')}.mid"},
    "delete_midi": lambda: {"midi_file_id": new_id("midi")},
    "read_midi_notes": lambda: {"path": "kept.mid", "limit": 5},
    "validate_midi": lambda: {"midi_text": "tempo 120\nC4 80\n"},
    "transform_midi": lambda: {"path": "kept.mid", "operations": [{"type": "transpose", "semitones": 2}]},
    "render_piano_roll": lambda: {"path": "kept.mid"},
    "list_devices": dict,
    "playback_midi": lambda: {"notes": "C4:s E4:s", "tempo_scale": 4},
    "stop_playback": lambda: {"all": True},
    "control_playback": lambda: {"playback_id": new_id("play"), "action": "pause"},
    "get_playback": dict,
    "send_midi": lambda: {"notes": "C4:s"},
}
"""For every tool: arguments that are in order (a file `kept.mid` is stored, a song was made)."""

PROBES = {"compose": "list_songs", "midi-store": "list_midi", "playback": "get_playback"}
"""For every service that has tools: one that reads."""

KEEPERS = {"compose": "create_song", "midi-store": "store_midi"}
"""For every service that keeps things: the tool that is called all the time while something breaks."""

KEEP_NOTHING = {"playback"}
"""Services that change something but keep nothing."""


def same_file(studio: Studio, told: dict[str, Any]) -> bool:
    row = studio.call("get_midi", midi_file_id=told["midi_file_id"], include_base64=True)
    return bool(row["base64"] == told["sent"]["base64"])


def same_song(studio: Studio, told: dict[str, Any]) -> bool:
    row = studio.call("get_song_info", song_id=told["song_id"])
    return bool((row["title"], row["tracks"]) == (told["sent"]["title"], ["Lead: Flute"]))


STILL_THERE: dict[str, Callable[[Studio, dict[str, Any]], bool]] = {
    "store_midi": same_file,
    "create_song": same_song,
}
"""For every keeper: whether what it answered, with what it was `sent`, is there unchanged."""


@dataclass(frozen=True)
class Fault:
    name: str
    inflict: Callable[[Studio], None]


def pid_of(studio: Studio, part: str) -> int:
    pid: int = studio.status()["services"][part]["pid"]
    return pid


def kill(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGKILL)


def hang(part: str) -> Callable[[Studio], None]:
    return lambda studio: os.kill(pid_of(studio, part), signal.SIGSTOP)


def kill_backend(studio: Studio) -> None:
    """One Postgres process that serves a client: Postgres then restarts all of them."""
    for child in psutil.Process(pid_of(studio, "postgres")).children(recursive=True):
        if "midi_store" in " ".join(child.cmdline()) or " consort " in " ".join(child.cmdline()):
            child.kill()
            return
    raise AssertionError("no backend was found")


FAULTS = [
    *(Fault(f"kill -9 {part}", kill(part)) for part in (*PROBES, "gateway", "postgres")),
    Fault("kill -9 a Postgres backend", kill_backend),
    Fault("midi-store hangs", hang("midi-store")),
]

MORE_FAULTS = [
    *(Fault(f"kill -9 {part}", kill(part)) for part in SERVICES if part not in PROBES),
    *(Fault(f"{part} hangs", hang(part)) for part in PROBES if part != "midi-store"),
]
"""For the long run: services without tools; and how a hanging service is found out is the same for all."""

HOSTILE_TEXTS = {
    "SQL": "'; drop table midi_store.files; --",
    "SQL union": "x' union select rolpassword from pg_authid --",
    "format": "%s%n{0}{{7*7}}${jndi:ldap://x}",
    "markup": "<script>alert(1)</script>",
    "long": "x" * 100_000,
    "NUL": "a\0b",
    "half a surrogate pair": "a\ud800b",
    "direction": "a\u202egpj.b",
    "newlines": "a\r\nX-Evil: 1\r\n\r\nb",
    "absolute": "/etc/passwd",
    "parent": "../../../../etc/passwd",
    "parent in a folder": "import/../../token",
    "backslash": "..\\..\\token",
    "drive": "C:\\Windows\\win.ini",
    "reserved": "con.mid",
    "300 characters": "n" * 300,
    "link": "import/link-out.mid",
    "empty": "",
    "dots": "..",
}
"""Put into every string of every tool."""
