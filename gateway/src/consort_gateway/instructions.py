"""What an assistant is told about the studio before it sees a tool."""

INTRODUCTION = """\
Consort is a music studio. Its tools work together through ids: a tool that makes or stores music answers an id \
(midi_file_id and the like), and every tool that takes music takes that id, so pass ids on instead of repeating music. \
Give the user the links in answers (download_url, upload_url) as they are; they expire after an hour. \
An error says in `message` what to change and in `suggestions` what would work; SERVICE_DOWN means wait some seconds \
and try again."""

TOOLSETS = {
    "compose": (
        "compose: music by theory. Every result is kept as a score_id: give that to the next composer tool, to "
        "add_notes or to compose_export_midi, which makes a stored MIDI file of it. generate_melody writes a tune, "
        "transform_phrase develops a motif, add_voice writes a second voice to a melody and answers both as one score. "
        "reharmonize finds chords for a melody, analyze_harmony names those that music has and a student's faults. "
        "realize_progression voices a list of chords, realize_chord a single one (guitar frets too)."
    ),
    "songs": (
        "songs: write a song of several tracks. create_song takes tracks and sections at once, one add_notes call can "
        "fill all tracks (as short text), song_export_midi makes the midi_file_id for pictures, sound and playback. "
        "Beats are quarter notes from 0, bars count from 1. Pass song_id on; left out, it means the song that you used "
        "last. add_notes with first_bar, last_bar and replace rewrites bars in one step, and takes a score_id; "
        "get_notes reads notes back as text; get_song_info with overview shows what is missing, "
        "check_song what may be wrong; undo_last_action takes back anything but delete_song."
    ),
    "midi": (
        "midi: keep, read and write MIDI files. To compose, write MIDI text and give it to validate_midi, which stores "
        "it (ABC, MusicXML or a note list too). store_midi takes a file as base64, from a path in the data folder, or "
        "by a link for the user to upload a big one. list_midi finds files, get_midi describes one, read_midi_notes "
        "reads its notes back (as MIDI text to change and validate again), transform_midi transposes, quantizes, "
        "trims, splits, merges and more, render_piano_roll shows it as a picture. export_midi puts a file where the "
        "user finds it on disk; delete_midi is for good. All but delete_midi take the id of a song or score too."
    ),
    "playback": (
        "playback: let the user hear music on their own MIDI devices or the built-in synth. playback_midi starts and "
        "answers at once, with a playback_id; get_playback tells where it is, control_playback pauses, restarts, "
        "seeks, loops, changes tempo, mutes; stop_playback ends one, or all. list_devices shows the ports. To work on "
        "a song while it is heard, play its song_id with loop: each round plays it as it is by then."
    ),
}
"""One line for each toolset: what it is for and how its tools follow each other."""

SEARCHING = "Only two tools are listed: find others with search_tools, then run them with call_tool."


READ_ONLY = "The studio is read-only now: tools that store, change or delete are switched off, whatever is said above."


def instructions_for(toolsets: set[str], *, searching: bool = False, read_only: bool = False) -> str:
    lines = [INTRODUCTION, *(text for name, text in TOOLSETS.items() if name in toolsets)]
    lines += [SEARCHING] * searching + [READ_ONLY] * read_only
    return "\n".join(lines)
