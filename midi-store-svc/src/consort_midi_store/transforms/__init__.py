"""transform_midi: change a MIDI file by a list of operations, and store the result as a new file.

- `models`: the input and the result of the tool
- `routes`: the tool
- `service`: find the music, transform it, store the results
- `schema/`: the pydantic models of the operations, shown to an assistant as one flat object
- `transform_bytes`: read, transform and write a file; this runs in a child process for large files
- `apply_operations`: apply the operations in order to the parsed file
- `operation_parameters`: the checked parameters of each operation, as dataclasses
- `operations/`: the code of the operations
- `notes/`: select tracks, repair the notes of a track, and move notes to new positions
- `large_files/`: the same as `notes/` for long tracks of large files, with numpy
- `note_cache`: caches the repaired tracks during one call
- `timeline/`: find ranges in ticks, and the programs, controllers, tempo and so on that are in force at a tick
- `event_kinds`: kinds of events that several operations distinguish
- `change_report`: counts what an operation changed
- `result_names`: make names for the resulting files

How it works
------------
A parsed file is a list of tracks, and a track is a sequence of events `(tick, status, data)` with ticks from the start
of the music. An operation never changes a track in place. It returns a list of tracks. For a track that does not
change, this list has the same object, so that the writer copies its original bytes. Events that an operation does not
change keep their order.

An operation on notes works in four steps:

1. `notes.repair` pairs note-ons with note-offs (first in, first out for each key) and repairs broken notes. The pairs
   are cached, because the next operation often needs the same pairs.
2. The operation computes new starts, ends, pitches or velocities, as lists with one value per note.
3. `notes.note_positions` resolves collisions: notes on one key that now overlap or start together.
4. `notes.note_positions` then merges the moved notes with the other events, by one stable sort by tick.

Each operation counts its changes in a `ChangeReport`, and adds warnings for the user.

Large files
-----------
In a file with at least 150,000 events, transpose, quantize, swing and velocity change long tracks as columns: numpy
arrays of ticks, statuses and data bytes (`large_files/`). Notes are paired by a stable sort by key, and the bytes of a
track are written directly from the arrays. Plain Python code still repairs tracks with broken notes, and resolves
collisions of notes that start together or overlapped before. Property tests check that the results and reports are the
same with and without columns. Files of this size are changed in a child process, so the service never imports numpy.

Cost
----
Time and memory are linear in the number of events, except for the sorts. The largest allowed file (10 MB, about 3.5
million events) takes about 3 s of CPU time and 0.5 GB with columns. `consort bench midi` compares this with mido.
"""
