"""Music that tests and benchmarks use as input.

- `cantus_firmi`: forty cantus firmi in every mode, for species counterpoint.
- `chorales`: Bach's four-part chorales, the root of each beat, and the split into training and test tunes.
- `chord_symbols`: chord symbols as lead sheets write them, with the notes of each.
- `folk_tunes`: folk tunes as plain numbers, split into tunes for learning, for comparison and for requests.
- `guitar_openings`: openings of well-known pieces as guitarists play them.
- `random_tabs`: random pieces that can be played on fretted instruments.
- `hostile_midi`: random, mutated, truncated and spliced MIDI files.
- `lead_sheets`: well-known tunes with the chords that musicians usually play, split into tunes for tuning and for
  testing.
- `music21_files`: the files of music21's corpus; `music21_cache` keeps what was read from them.
- `roman_numerals`: analyses of chorales and madrigals by musicians.
- `stated_keys`: chorales and folk tunes with the key that their file states.
- `music21_tunes`: the tunes of music21's corpus in the notations that our readers support.
"""
