"""The notes of one voice.

- `note_path`: the most likely sequence of notes (Viterbi)
- `harmonic_level`: how loud the harmonics of a pitch are over time
- `note_starts`: where the notes of the path begin
- `repeats`: where the same pitch is played again
- `note_evidence`: how likely a segment is a note
- `music_evidence`: whether the recording is music at all
- `find`: `find_notes`, which joins these, and the tuning
"""
