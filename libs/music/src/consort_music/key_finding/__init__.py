"""Find keys.

- `pitch_classes`: rank the keys for the lengths of pitch classes (Krumhansl-Schmuckler)
- `evidence`: rank the keys by weighted evidence
- `melody`: the key of a melody that sounds alone; its weights are in `melody_weights`
- `voices`: the key of voices and chords; its weights are in `voice_weights`
- `notes`: the key of timed notes or of a score, melody or voices
"""
