"""What can be done to MIDI files.

`models` is what an assistant may ask for (shown in one piece by `flat_schema`), `apply` does it in order and reports
what changed, without web or database; `service` reads and stores the files around it. Behind `apply` one module an
idea: `notes` makes the notes of a track whole and `placement` puts them back; `pitch`, `rhythm`, `humanize` and
`velocity` change notes, `key_changes` the key signatures; `tempo`, `trim` and `cut` change a file's time (`ranges`
finds a stretch, `state` is what was in force at its edges); `tracks`, `merge` and `sequence` change what is in a
file.
"""
