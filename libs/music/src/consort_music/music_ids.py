"""The ids of music: which service stores each kind, at which route, and which tools list or convert such ids.

An id is a prefix and 26 letters and digits, or a reference such as `corpus:bach/bwv66.6` (`consort_kit.ids`).
Services pass these tables to the service client and to the app factory of `consort_kit`, which do not know about music.
"""

MUSIC_ROUTES = {
    "midi": ("midi-store", "/files/{id}"),
    "song": ("compose", "/songs/{id}.mid"),
    "score": ("compose", "/scores/{id}.mid"),
    "corpus:": ("compose", "/library/{id}.mid"),
}
"""For each id prefix: the service that stores the music, and the route that returns it as a MIDI file."""

MUSIC_ID_FIELDS = {"midi": "midi_file_id", "song": "song_id", "score": "score_id", "corpus:": "midi_file_id"}
"""For each id prefix: the field of answers that has such an id."""

MUSIC_ALIASES = dict.fromkeys(("file_id", "song_id", "score_id"), "midi_file_id")
"""Other names that tools accept for their field `midi_file_id`, which takes any music."""

ID_KINDS = {
    "midi": "a MIDI file",
    "song": "a song",
    "score": "a score",
    "corpus:": "a piece of the score library",
    "audio": "an audio file",
    "rec": "a recording",
    "job": "a job",
    "printjob": "a job",
    "soundjob": "a job",
    "play": "a playback",
    "clip": "a clip",
}
"""For each id prefix: what has such ids."""

TOOLS_THAT_CONVERT = {
    ("midi", "song"): "song_export_midi",
    ("midi", "score"): "compose_export_midi",
    ("midi", "corpus:"): "compose_export_midi",
    **dict.fromkeys((("audio", prefix) for prefix in MUSIC_ROUTES), "midi_to_audio"),
    ("audio", "rec"): "get_recording",
    ("audio", "job"): "get_job",
}
"""For (expected prefix, given prefix): the tool that returns an id of the expected kind for the given one."""

TOOLS_THAT_LIST = {
    "midi": "list_midi",
    "song": "list_songs",
    "play": "get_playback",
    "audio": "list_audio",
    "clip": "search_clips",
    "corpus:": "find_scores",
}
"""For each id prefix: the tool that lists such ids."""
