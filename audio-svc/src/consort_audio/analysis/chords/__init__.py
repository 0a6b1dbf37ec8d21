"""Chords: which chord sounds when.

In reading order:
- `vocabulary`: the kinds of chords, their tones, basses and names
- `network_scores`, `template_scores`: how well each chord fits each frame, by the chord network or by chroma
- `change_scores`: where in a bar chords change
- `chord_path`: the best sequence of chords (Viterbi)
- `naming`: names that follow the key, Roman numerals
- `find`: all of it, `find_chords`
- `local_keys`: the key at each chord where the key changes
- `models`, `answer`, `routes`: the tool detect_chords
"""
