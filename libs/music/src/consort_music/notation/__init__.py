"""Written music: readers and writers of MusicXML and ABC, the way to and from MIDI files, and which of them a text is.

All of them turn a `consort_music.score.Score` into something else or back, in exact time.
"""
