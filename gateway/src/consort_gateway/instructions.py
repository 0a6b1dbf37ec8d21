"""What an assistant is told about the studio before it sees a tool."""

INTRODUCTION = """\
Consort is a music studio. Its tools work together through ids: a tool that makes or stores music answers an id \
(midi_file_id and the like), and every tool that takes music takes that id, so pass ids on instead of repeating music. \
Give the user the links in answers (download_url, upload_url) as they are; they expire after an hour. \
An error says in `message` what to change and in `suggestions` what would work; SERVICE_DOWN means wait some seconds \
and try again."""

TOOLSETS = {
    "midi": (
        "midi: keep, read and write MIDI files. To compose, write MIDI text and give it to validate_midi, which stores "
        "it. store_midi takes a file as base64, from a path in the data folder, or by a link for the user to upload a "
        "big one. list_midi finds files, get_midi describes one, read_midi_notes reads its notes back (as MIDI text "
        "to change and validate again), transform_midi transposes, quantizes, trims, splits, merges and more, "
        "render_piano_roll shows it as a picture. export_midi puts a file where the "
        "user finds it on disk; delete_midi is for good."
    ),
}
"""One line for each toolset: what it is for and how its tools follow each other."""

SEARCHING = "Only two tools are listed: find others with search_tools, then run them with call_tool."


READ_ONLY = "The studio is read-only now: tools that store, change or delete are switched off, whatever is said above."


def instructions_for(toolsets: set[str], *, searching: bool = False, read_only: bool = False) -> str:
    lines = [INTRODUCTION, *(text for name, text in TOOLSETS.items() if name in toolsets)]
    lines += [SEARCHING] * searching + [READ_ONLY] * read_only
    return "\n".join(lines)
