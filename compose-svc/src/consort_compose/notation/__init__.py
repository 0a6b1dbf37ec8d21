"""Sheet music and tablature: the tool midi_to_notation.

- `models`: the tool's input and output
- `routes`: the tool, pages and files for a browser, and reports on jobs
- `service`: read the music, engrave it as a job, keep the pages for 30 days
- `sources`: music by id or typed, as the parameters of a job
- `song_score`: a song as a score, with its spelling, chords and sections
- `make_notation`: the whole work of a job, in a child process: from music to MusicXML, text and pages
- `engraving/`: MusicXML to SVG pages (verovio), text as outlines, PDF
- `store`: all SQL

A score or a song is engraved from its own notes and spelling. A MIDI file is read as a performance
(`consort_music.notation.performance_to_score`), which can be corrected by parameters.
"""
