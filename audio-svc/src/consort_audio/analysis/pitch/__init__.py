"""Notes and intonation of one voice: the engine of detect_pitch.

- `yin`: the period of each frame by the difference function (YIN), and frequencies made exact by it
- `partials`: octaves checked in the spectrum, and very high tones
- `pitch_track`: pitch, voicing and level over time, from the swift-f0 model and YIN
- `tuning_drift`: the tuning and its drift
- `note_path`: the most likely sequence of notes (Viterbi)
- `harmonic_level`: how loud the harmonics of a pitch are over time
- `note_starts`: where the notes of the path begin
- `repeats`: where the same pitch is played again
- `note_evidence`: how likely a segment is a note
- `music_evidence`: whether the recording is music at all
- `notes`: `find_notes`, which joins these, and the tuning
- `intonation`: scores and problems of intonation
- `polyphony`: whether several notes sound at once
- `answer`: the answer of detect_pitch
"""
