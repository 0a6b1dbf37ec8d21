"""The operations of transform_midi.

- `transpose`: transpose notes
- `transpose_keys`: find the key of a file and change its key signatures
- `quantize_and_swing`: move notes towards a grid, or delay offbeats
- `humanize`: change starts and velocities a little at random
- `velocity`: change how loud notes are
- `tempo`: change how fast the music is
- `trim`: keep a part of the music
- `cut`: remove a part of the music
- `merge`: merge files so that they sound together, and merge tracks into one
- `merge_in_sequence`: merge files so that they sound one after another
- `extract_and_split`: keep some tracks, or make a file for each track or channel
"""
