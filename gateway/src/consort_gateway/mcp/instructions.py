"""The instructions about the studio that an assistant gets when it connects."""

INTRODUCTION = """\
Consort is a music studio. Its tools work together through ids: a tool that makes or stores music returns an id \
(midi_file_id and the like), and other tools take that id, so pass ids on instead of repeating music. \
Give the user the links in results unchanged: those of audio expire after a day, others after an hour. \
The `message` of an error says what to change, and its `suggestions` list what would work. SERVICE_DOWN means: wait \
a few seconds and try again."""

TOOLSETS = {
    "compose": (
        "compose: write and analyze music using music theory. Every result has a score_id: give it to the next "
        "composer tool, to add_notes or to compose_export_midi, which stores it as a MIDI file. generate_melody "
        "writes a tune, transform_phrase develops a motif, add_voice adds a second voice to a melody and returns both "
        "as one score. reharmonize finds chords for a melody, analyze_harmony names the chords of music and checks "
        "voice leading and counterpoint. realize_progression voices a list of chords, realize_chord a single one "
        "(guitar frets too). find_scores finds known pieces, such as chorales and folk songs, as corpus:… "
        "for any tool that takes music. midi_to_notation writes any music as sheet music or tabs, as pages to print."
    ),
    "songs": (
        "songs: write a song of several tracks. create_song takes tracks and sections at once, one add_notes call can "
        "fill all tracks (as short text), song_export_midi stores the song as a MIDI file and returns the "
        "midi_file_id for pictures, sound and playback. Beats are quarter notes from 0, bars count from 1. Pass "
        "song_id on; without it, your last used song is used. add_notes with first_bar, last_bar and replace rewrites "
        "bars in one step, and takes a score_id; get_notes reads notes back as text; get_song_info with overview "
        "shows what is missing, check_song what may be wrong; undo_last_action undoes anything but delete_song."
    ),
    "midi": (
        "midi: store, read and change MIDI files. To compose, write MIDI text and give it to validate_midi, which "
        "stores it (also ABC, MusicXML or a note list). store_midi takes a file as base64, from a path in the data "
        "folder, or returns an upload link for a large file. list_midi finds files, get_midi describes one, "
        "read_midi_notes reads its notes back (as MIDI text to change and validate again), transform_midi transposes, "
        "quantizes, trims, splits, merges and more, render_piano_roll shows it as a picture. export_midi copies a "
        "file into the user's export folder; delete_midi cannot be undone. Where a midi_file_id is taken, the id of a "
        "song or score works too, except in delete_midi."
    ),
    "audio": (
        "audio: record, store and cut sound. store_audio takes a path in the data folder or small base64, or returns "
        "an upload_url: a page where the user uploads a file. Each audio_file_id has a listen_url, a page that plays "
        "it: give it to the user. get_audio_info describes a file and makes download links in other formats, "
        "render_waveform shows it as a picture, segment_audio cuts a part into a new file, list_audio finds files; "
        "delete_audio cannot be undone. midi_to_audio renders a MIDI file, song or score to sound that plays in any "
        "browser, also without a sound device: with its own instruments or another, parts muted, count-in and "
        "metronome for play-along. request_audio_recording returns a record_url: give it to the user, who records "
        "there; get_recording returns the audio_file_id when it is done. Long work returns a job_id: ask get_job for "
        "the result."
    ),
    "listening": (
        "listening: hear what was played. analyze_audio sums up a take: tempo, pitch and rhythm at once. Details: "
        "analyze_tempo, detect_pitch, analyze_rhythm; more: detect_key, detect_chords, analyze_dynamics, "
        "detect_articulation, segment_phrases, analyze_timbre. transcribe_audio writes down what it hears as a MIDI "
        "file. compare_to_reference grades a take, recorded or MIDI, against a scale, an exercise, a MIDI file, a song "
        "or a score, and names every fault; practice_report shows that as a picture. compare_audio says what changed "
        "between two takes. A lesson: request_audio_recording, get_recording, compare_to_reference, practice_report, "
        "a second take, compare_audio. Every figure has a confidence: below 0.5 say that it is a guess."
    ),
    "playback": (
        "playback: play music on the user's own MIDI devices or the built-in synth. playback_midi starts playing and "
        "returns a playback_id immediately; get_playback returns the position, control_playback pauses, restarts, "
        "seeks, loops, changes tempo, mutes; stop_playback ends one, or all. list_devices shows the ports. To edit a "
        "song while it plays, play its song_id with loop: each round plays the latest version."
    ),
    "strudel": (
        "strudel: write live code with the real Strudel engine. A project keeps a script and every version of it: "
        "get_song reads it, update_song patches it (checked first), list_versions and restore_version go back. Give "
        "the user the listen_url: a page that plays the script and follows your changes. validate_script checks code, "
        "analyze_song_structure finds the lines of voices and sections, preview_events shows what plays. "
        "render_strudel makes sound of it (audio_file_id), compare_strudel says what a change does for the ear, "
        "strudel_export_midi makes a MIDI file, midi_to_strudel code of any music. Mini-notation is in double quotes, "
        "plain text in single ones: s(\"bd*4\"), samples('github:…')."
    ),
    "strudel_library": (
        "strudel_library: find clips, packs, words and functions for Strudel. search_clips finds code by a wish in "
        "words and by tags, find_similar_clips by code that you have; put it into a song with update_song. save_clip "
        'keeps what the user likes. query_vocab turns words ("darker", "swing", a genre) into code to chain or play. '
        "identify_pattern does the reverse: it says what code does. "
        "query_packs finds sample packs with the line that loads them and the names of their sounds. "
        "get_function_info explains a function, with examples that run, or finds functions by what they do: ask it "
        "instead of guessing names."
    ),
}
"""`TOOLSETS[name]` says what a toolset is for, and how its tools work together."""

SEARCHING = "Only two tools are listed: find others with search_tools, then run them with call_tool."
READ_ONLY = "The studio is read-only: tools that store, change or delete are disabled, including those described above."


def instructions_for(toolsets: set[str], *, searching: bool = False, read_only: bool = False) -> str:
    lines = [INTRODUCTION, *(text for name, text in TOOLSETS.items() if name in toolsets)]
    lines += [SEARCHING] * searching + [READ_ONLY] * read_only
    return "\n".join(lines)
