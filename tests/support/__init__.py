"""Helpers that only tests use. Helpers for tests and benchmarks are in the package `evaluation`.

- `servers`: a whole studio, and other servers that tests start.
- `errors_and_faults`: check errors, and cause faults that the studio must survive.
- `journey`: an assistant's calls over a real MCP client, with the bytes that came back.
- `skill_calls`, `documented_conversations`: the calls in the guides, and those in the documentation with their answers.
- `song_services`: the song services on a Postgres, without HTTP.
- `scheduler_simulation`: the playback scheduler on a simulated clock.
- `midi_files`: a scale made by mido, and the real files that come with music21.
- `chorale_midi_files`, `varied_midi_files`: chorales with all kinds of messages; fifty files by many programs.
- `transform_inputs`: events, tracks and operations for the tests of the transforms.
- `midi_strategies`, `score_strategies`: Hypothesis strategies for MIDI files and scores.
- `planted_counterpoint_faults`: correct counterpoint with one wrong note.
"""
