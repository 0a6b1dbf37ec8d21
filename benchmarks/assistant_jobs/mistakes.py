"""Sixty wrong calls. The message and suggestions of each error must say how to correct the call."""

import re
from dataclasses import dataclass
from typing import Any

from benchmarks.assistant_jobs.session import JobFailed, Session, expect

NO_SONG = "song_00000000000000000000000000"
NO_FILE = "midi_00000000000000000000000000"
NO_SCORE = "score_00000000000000000000000000"


@dataclass(frozen=True)
class AssistantMistake:
    tool: str
    arguments: dict[str, Any]
    correction: str
    """A regular expression for the correct value, which the error's text must match."""


def song_mistakes(song_id: str) -> list[AssistantMistake]:
    def on(tool: str, correction: str, **arguments: Any) -> AssistantMistake:
        return AssistantMistake(tool, {"song_id": song_id, **arguments}, correction)

    return [
        AssistantMistake("get_notes", {"song_id": NO_SONG}, "list_songs"),
        AssistantMistake("get_notes", {"song_id": "my song"}, "list_songs|song_"),
        AssistantMistake("create_song", {"title": "X", "tempo": "fast"}, "120|number"),
        AssistantMistake("create_song", {"title": "X", "tempo": -5}, r"\d+"),
        AssistantMistake("create_song", {"title": "X", "tracks": 5}, "Flute|{"),
        AssistantMistake("create_song", {"title": "X", "tracks": {"A": "Fluet"}}, "Flute"),
        AssistantMistake("create_song", {"title": "X", "time_signature": "4-4"}, "4/4"),
        AssistantMistake("create_song", {"title": "X", "key": "H major"}, "B"),
        AssistantMistake("create_song", {"titel": "X"}, "title"),
        on("add_notes", "Lead", notes={"Leed": "C4"}),
        on("add_notes", "C4|pitch", notes={"Lead": "X9 1"}),
        on("add_notes", "@", notes={"Lead": "C4 1 2 3"}),
        on("add_notes", "pitch", notes=[{"track": "Lead", "duration": 1}]),
        on("add_notes", "track", notes="C4; D4"),
        on("add_notes", "127", notes={"Lead": "C4 1 v200"}),
        on("add_notes", "beat|1/2", notes={"Lead": "C4 long"}),
        on("add_notes", "notes|score_id"),
        on("add_notes", "add_notes|compose|generate_melody|score", score_id=NO_SCORE),
        on("edit_notes", "transpose|change", track="Lead"),
        on("edit_notes", r"velocity|\+10", track="Lead", velocity="louder"),
        on("edit_notes", "Verse", section="Vers", transpose=2),
        on("get_notes", "first_bar|bar", first_bar=5, last_bar=2),
        on("get_notes", "pitch", pitches="C4"),
        on("get_notes", "Lead", track="Piano"),
        on("remove_notes_in_range", "end_time|start_time", start_time=8, end_time=4),
        on("add_section", "overlap|Verse", name="Chorus", start_measure=4, end_measure=12),
        on("add_section", "end_measure", name="Chorus", start_measure=12, end_measure=9),
        on("copy_section", "Verse", name="Chorus", to_measure=20),
        on("set_chords", "C|chord", chords="C | Hm7 | G"),
        on("add_track", "Lead|name", name="Lead", instrument="Oboe"),
        on("redo_last_action", "undo|Nothing"),
        AssistantMistake("delete_song", {}, "song_id"),
    ]


COMPOSER_MISTAKES = [
    AssistantMistake("generate_melody", {"key": "C", "length_measures": 0}, "1"),
    AssistantMistake("generate_melody", {"length_measures": 8}, "key"),
    AssistantMistake(
        "generate_melody", {"key": "C major", "length_measures": 8, "range_low": "C6", "range_high": "C4"}, "range"
    ),
    AssistantMistake("generate_melody", {"key": "C major", "length_measures": 8, "contour": "zigzag"}, "arch|wave"),
    AssistantMistake("transform_phrase", {"input_stream": "C4:q", "transformation": "flip"}, "inversion"),
    AssistantMistake("transform_phrase", {"phrase": "C4:q", "transformation": "inversion"}, "input_stream"),
    AssistantMistake("add_voice", {"existing_voice": "C4:x", "new_voice_type": "alto"}, "[whqes]"),
    AssistantMistake("add_voice", {"existing_voice": "C4:w", "new_voice_type": "cello"}, "alto|bass"),
    AssistantMistake("reharmonize", {"melody": NO_SCORE, "style": "pop"}, "score|30 days"),
    AssistantMistake("reharmonize", {"melody": "C4:q D4:q", "style": "metal"}, "jazz"),
    AssistantMistake("analyze_harmony", {"music": "C4:q", "species": 9}, "5"),
    AssistantMistake("analyze_harmony", {"midi_file_id": NO_FILE}, "list_midi"),
    AssistantMistake("realize_chord", {"chord_symbol": "Cmj7"}, "Cmaj7"),
    AssistantMistake("realize_chord", {"chord_symbol": "C", "instrument": "ukulele"}, "guitar"),
    AssistantMistake("realize_progression", {"chords": ["C", "Xm"]}, "chord|Xm"),
    AssistantMistake("compose_export_midi", {"score_id": NO_SCORE}, "stream|score"),
]

FILE_MISTAKES = [
    AssistantMistake("store_midi", {"base64": "AAAA", "name": "x.mid"}, "MThd|MIDI"),
    AssistantMistake("store_midi", {"path": "/etc/passwd"}, "import"),
    AssistantMistake("get_midi", {"midi_file_id": NO_FILE}, "list_midi"),
    AssistantMistake("get_midi", {"file": "x.mid"}, "midi_file_id|path|name"),
    AssistantMistake("validate_midi", {"text_midi": "C4 80"}, "midi_text"),
    AssistantMistake("transform_midi", {"midi_file_id": NO_FILE, "operations": [{"type": "transpose"}]}, "semitones"),
    AssistantMistake("transform_midi", {"midi_file_id": NO_FILE, "operations": [{"type": "reverse"}]}, "transpose"),
    AssistantMistake("transform_midi", {"midi_file_id": NO_FILE, "operations": "transpose"}, r"\[|type"),
    AssistantMistake("playback_midi", {}, "midi_file_id|song_id"),
    AssistantMistake("playback_midi", {"notes": "C4:q", "loop_start": "five"}, "9:1|5:1"),
    AssistantMistake(
        "control_playback", {"playback_id": "play_00000000000000000000000000", "seek": "9"}, "9:1|get_playback"
    ),
    AssistantMistake("send_midi", {"messages": ["hello"]}, "note_on|note"),
]


async def wrong_calls(session: Session) -> None:
    """Make sixty mistakes; each error must say how to correct the call."""
    song = await session.call(
        "create_song",
        title="Mistakes",
        tracks={"Lead": "Flute"},
        sections=[{"name": "Verse", "start_measure": 1, "end_measure": 8}],
    )
    mistakes = [*song_mistakes(song["song_id"]), *COMPOSER_MISTAKES, *FILE_MISTAKES]
    expect(len(mistakes) == 60, f"there are {len(mistakes)} mistakes")
    silent = []
    for mistake in mistakes:
        try:
            error = await session.call_that_fails(mistake.tool, **mistake.arguments)
        except JobFailed as accepted:
            silent.append(str(accepted))
            continue
        text = " ".join([error["message"], *map(str, error.get("suggestions") or [])])
        if not re.search(mistake.correction, text):
            silent.append(f"{mistake.tool} {mistake.arguments}: {text}")
    expect(not silent, "errors that do not say how to correct the call:\n" + "\n".join(silent))
