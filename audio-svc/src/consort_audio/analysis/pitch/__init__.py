"""Notes and intonation of one voice: the engine of detect_pitch.

- `yin`: the period of each frame by the difference function (YIN), and frequencies made exact by it
- `pitch_track`: pitch, voicing and level over time, from the swift-f0 model and YIN
- `attacks`: where new notes begin, heard in the spectrum
- `note_path`: the most likely sequence of notes (Viterbi)
- `notes`: `find_notes`, which joins these, and the tuning
- `intonation`: scores and problems of intonation
- `answer`: the answer of detect_pitch
"""
