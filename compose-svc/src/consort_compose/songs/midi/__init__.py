"""Songs from MIDI files and back. No database and no web framework: imports run in a child process.

Modules, in reading order:
    import_midi      a MIDI file as a song: notes, tracks, tempos
    import_sections  the sections that the metres, keys and markers of a file become
    import_losses    warnings about what a song cannot hold
    export_midi      a song as a MIDI file
"""
