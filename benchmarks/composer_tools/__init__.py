"""The parts of `consort bench compose`, one module per group of tools. Each has `run() -> Report`.

`notation`, `export`, `chords`, `melody`, `harmony`, `counterpoint`
"""

SIXTEEN_BARS = """
G4:q G4:e A4:e B4:q G4:q | A4:q A4:e B4:e C5:q A4:q | B4:q C5:e B4:e A4:q D5:q | B4:h G4:h
G4:qd A4:e B4:q C5:q | D5:h C5:q B4:q | A4:q B4:q C5:q F#4:q | G4:w
B4:q D5:q D5:e C5:e B4:q | C5:q E5:q E5:e D5:e C5:q | B4:q G4:q A4:q B4:q | A4:h D4:h
G4:q G4:e A4:e B4:q G4:q | A4:q C5:q B4:e A4:e G4:q | F#4:q A4:q D5:q C5:q | G4:w
"""
"""A tune in G major, as a note list."""
