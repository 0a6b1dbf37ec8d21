"""What can be done to MIDI files.

`models` is what an assistant may ask for, `apply` does it in order and reports what changed, without web or database;
`service` reads and stores the files around it. Behind `apply` one module an idea: `notes` finds the notes of a track
and `placement` puts them back; `pitch`, `rhythm`, `humanize` and `velocity` change notes; `tempo` and `trim` change a
file's time (`state` is what was in force at a cut); `tracks` and `merge` change what is in a file.
"""
