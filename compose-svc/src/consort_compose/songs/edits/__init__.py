"""The changes that song tools make. Each function returns a changed document, or changes the notes of a locked song.

Modules, in reading order:
    properties    title, tempo, metre and key of a song
    sections      adding, changing and removing sections
    tracks        adding, changing and removing tracks
    change_notes  adding, removing and changing notes of a locked song
    note_edit     the change that `edit_notes` makes to a single note
    rhythm        quantize, swing and humanize
    add_notes     `add_notes`: finding bar and tracks, removing old notes, adding the new ones
    key_change    moving pitches and chords from one key to another
    copy_section  `copy_section`
"""
