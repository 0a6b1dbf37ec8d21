"""Notes of a song: as requests write them, as answers show them, and which of them a request selects.

Modules, in reading order:
    notes_for_track  NotesForTrack: the notes that a request adds to one track
    note_text        the short notation of `add_notes`, read and written
    note_input       the notes of an `add_notes` request: text or objects, by track
    from_score       the parts of a composed score as notes for tracks
    selection        the notes that a request selects, by track, bars, section, beats or pitch
    stored_notes     reading selected notes from a stored song
    pages            one page of `get_notes`
"""
