"""The tool `compose_export_midi`: store a score as a MIDI file, plain or humanized.

In reading order:

    performance       apply a velocity curve to a score, and humanize it
    service           perform the score, write the MIDI file, store it
    models, routes    the tool
    uploaded_music    convert uploaded notation to MIDI, for the MIDI store
"""
