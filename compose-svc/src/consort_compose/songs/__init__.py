"""The multi-track song editor: sections, tracks and notes in exact beats, with undo, exported as a MIDI file.

A song is a small JSON document (title, tempos, metre, key, tracks, sections, planned chords) and notes. The notes of
a track are stored in chunks of about 512, in order of time. A chunk is never changed: an edit replaces the few chunks
it affects.

Undo: a song has numbered states, of which one is current. Each edit adds a state after the current one and deletes the
states that were undone before. A chunk stores the first state that has it (`born`) and the first that no longer has it
(`died`), so states share all chunks that an edit did not replace. Undo and redo only change the number of the current
state: they take the same few milliseconds for one note and for 100,000. Eleven states are kept (ten undo steps);
chunks that no kept state has are deleted.

Concurrency: every tool that changes a song locks its row for one transaction and adds one state, so the edits of
several clients happen one after another and none is lost. A request with `expected_version` is rejected only if the
same beats of the same track were changed since that version (`storage.changed_places`).

Cost: an edit reads and writes only the chunks around its notes. Chunks are found by comparing floats, which keep the
order of fractions; notes inside a chunk are compared exactly. A page of notes counts whole chunks and decodes only
those on the page. `consort bench songs` measures all of this against minimum speeds.

The word "beat" means a quarter note from 0, as an exact fraction, except where "beat of the metre" is written.
Measures (bars) count from 1.

Modules and packages, in reading order:
    document      the immutable song document: song, names, timeline, tempos, chord plan
    models        inputs and outputs of the tools
    storage       Postgres: chunks of notes, states, conflicts, the song that a client used last
    notes         notes as text, as objects and from scores; selecting and reading notes
    edits         what the changing tools do
    midi          songs from MIDI files and back
    checks        check_song
    descriptions  sections, tracks and overview for answers
    reader        SongReader: everything that only reads
    editor        SongEditor: everything that can be undone
    service       SongService: create, export and delete
    routes        the HTTP routes of the tools
"""
