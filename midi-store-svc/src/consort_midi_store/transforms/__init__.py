"""What can be done to MIDI files, without web or database.

`models` is what an assistant may ask for, `apply` does it in order and reports what changed. Behind it one module an
idea: `notes` takes the notes of a track out and puts them back, `pitch`, `rhythm` and `velocity` change them, `tempo`
and `trim` change a file's time, `tracks` and `merge` what is in a file.
"""
