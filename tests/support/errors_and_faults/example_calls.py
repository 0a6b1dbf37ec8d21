"""One valid example call for every tool. A new tool gets a line here."""

from collections.abc import Callable
from typing import Any

from consort_kit.ids import new_id
from tests.support.audio_files import wav_header
from tests.support.midi_files import as_base64, tune

EXAMPLE_CALLS: dict[str, Callable[[], dict[str, Any]]] = {
    "generate_melody": lambda: {"key": "C major", "length_measures": 2},
    "transform_phrase": lambda: {"input_stream": "C4:q D4:q E4:h", "transformation": "inversion"},
    "add_voice": lambda: {"existing_voice": "C4:q D4:q E4:h", "new_voice_type": "bass"},
    "reharmonize": lambda: {"melody": "C4:q D4:q E4:h", "style": "pop"},
    "analyze_harmony": lambda: {"music": "C4:q D4:q E4:h"},
    "realize_chord": lambda: {"chord_symbol": "Cmaj7", "instrument": "guitar", "previous_voicing": ["C4", "E4"]},
    "realize_progression": lambda: {"chords": ["Dm7", "G7", "C"], "instrument": "satb"},
    "compose_export_midi": lambda: {"stream": "C4:q D4:q E4:h"},
    "midi_to_notation": lambda: {"music": "C4:q D4:q E4:h"},
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
    "store_audio": lambda: {"base64": as_base64(wav_header(2_000) + bytes(2_000)), "name": "fault.wav"},
    "get_audio_info": lambda: {"audio_file_id": new_id("audio")},
    "list_audio": lambda: {"limit": 5},
    "delete_audio": lambda: {"audio_file_id": new_id("audio")},
    "request_audio_recording": lambda: {"prompt": "Play a scale", "tempo": 90, "count_in": 1},
    "get_recording": lambda: {"recording_id": new_id("rec")},
    "segment_audio": lambda: {"audio_file_id": new_id("audio"), "start_time": 1, "end_time": 2},
    "render_waveform": lambda: {"audio_file_id": new_id("audio"), "start_time": 1, "end_time": 2},
    "midi_to_audio": lambda: {"midi_file_id": new_id("midi"), "instrument": "violin"},
    **{
        tool: lambda: {"audio_file_id": new_id("audio")}
        for tool in (
            *("analyze_audio", "analyze_tempo", "detect_pitch", "analyze_rhythm", "detect_key", "detect_chords"),
            *("analyze_timbre", "segment_phrases", "analyze_dynamics", "detect_articulation", "transcribe_audio"),
        )
    },
    "compare_audio": lambda: {"audio_file_id_1": new_id("audio"), "audio_file_id_2": new_id("audio")},
    **{
        tool: lambda: {
            "audio_file_id": new_id("audio"),
            "reference_type": "scale",
            "reference_params": {"scale": "D major"},
        }
        for tool in ("compare_to_reference", "practice_report")
    },
    "get_job": lambda: {"job_id": new_id("job")},
    "list_devices": dict,
    "playback_midi": lambda: {"notes": "C4:s E4:s", "tempo_scale": 4},
    "stop_playback": lambda: {"all": True},
    "control_playback": lambda: {"playback_id": new_id("play"), "action": "pause"},
    "get_playback": dict,
    "send_midi": lambda: {"notes": "C4:s"},
    "get_song": lambda: {"project_name": "kept"},
    "update_song": lambda: {
        "project_name": "kept",
        "patch_instructions": {"action": "append", "new_content": '$: s("hh*8")'},
        "reason": "hats",
    },
    "validate_script": lambda: {"script_content": '$: s("bd*4").bank("tr909")'},
    "analyze_song_structure": lambda: {"script_content": '$: s("bd*4")'},
    "identify_pattern": lambda: {"code_snippet": '.late("[0 .01]*4")', "top_k": 3},
    "query_packs": lambda: {"query": {"text": "lo-fi drums", "tags": "kit|vinyl", "type": "drums"}, "limit": 3},
    "query_vocab": lambda: {"concept": "darker", "limit": 3},
    "list_projects": lambda: {"filters": {"tags": ["dark"]}, "limit": 5},
    "create_project": lambda: {"name": new_id("fault"), "initial_script": '$: s("bd*4")'},
    "get_project_metadata": lambda: {"project_name": "kept"},
    "update_project_metadata": lambda: {"project_name": "kept", "metadata_updates": {"tempo": 120}},
    "delete_project": lambda: {"project_name": new_id("fault"), "confirm": True},
    "list_versions": lambda: {"project_name": "kept", "limit": 5},
    "restore_version": lambda: {"project_name": "kept", "version": 1},
    "preview_events": lambda: {"script_content": '$: s("bd*4")', "cycles": 1},
    "strudel_export_midi": lambda: {"script_content": '$: note("c3 e3")', "cycles": 1},
    "midi_to_strudel": lambda: {"midi_file_id": new_id("midi")},
    "get_function_info": lambda: {"function_name": "lpf"},
    "render_strudel": lambda: {"script_content": '$: note("c3")', "cycles": 1, "tail": 0},
    "compare_strudel": lambda: {"script_content": 'note("c3")', "new_script_content": 'note("c4")', "cycles": 1},
    "find_scores": lambda: {"query": "bach", "key": "F# minor", "parts": 4, "bars": "8-16", "limit": 3},
    "search_clips": lambda: {"query": {"text": "dark bass", "element": "bass|melody", "tempo_min": 90}, "limit": 3},
    "get_clip": lambda: {"clip_id": new_id("clip")},
    "save_clip": lambda: {
        "clip_data": {"name": new_id("fault"), "description": "A beat.", "code": 's("bd*4")', "tags": {"genre": ["x"]}}
    },
    "update_clip": lambda: {"clip_id": new_id("clip"), "updates": {"description": "A beat."}},
    "delete_clip": lambda: {"clip_id": new_id("clip"), "confirm": True},
    "find_similar_clips": lambda: {"code_snippet": 's("bd*4")', "top_k": 3, "filters": {"genre": "techno"}},
}
"""For every tool, a function that returns valid arguments. A file `kept.mid` and a song must exist."""
