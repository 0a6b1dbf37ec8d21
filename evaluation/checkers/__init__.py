"""Independent checkers: they import nothing of the engine that they check.

- `counterpoint`: the rules of the five species.
- `harmony`: chord symbols, keys and the rules of the harmony styles.
- `tabs`: whether a left hand can play a tablature.
- `midi_codec`: checks that our MIDI reader rejects an input clearly or reads the same as mido.
- `midi_parts`: the notes of each channel in each track of a MIDI file, read by mido.
- `music21_notes`: the notes that music21 reads from a score or text.
- `music21_errors`: notations and files that music21 reads wrongly.
"""
