"""Stored MIDI files: each has a row in Postgres, and its bytes in a blob.

- `models`: the inputs and results of the tools
- `routes`: the tools, and the routes that download and upload bytes
- `service`: does the work of each tool
- `sources`: find the music that a tool was given
- `other_music`: convert an uploaded file in another notation, such as MusicXML or kern
- `writer`: store a file, for all tools; decides what happens if its name is taken
- `store`: all SQL
- `names`: make file names: find a free one, shorten it, add `.mid`
- `readable_paths`: the path under which a user finds a file
- `file_summary`: summarize a file: duration, tracks, tempos, keys
"""
