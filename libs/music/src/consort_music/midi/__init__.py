"""Standard MIDI Files without loss: `model` holds what a file says, `reader` reads and `writer` writes it.

`summary` describes a file, `notes` pairs its notes.
"""
