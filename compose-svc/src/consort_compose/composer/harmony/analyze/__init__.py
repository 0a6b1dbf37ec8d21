"""Name the chords of given music and check its voice leading: the engine and tool of `analyze_harmony`.

In reading order:

    named_chord        a chord with its place, symbol, numeral and function
    augmented_sixths   distinguish augmented sixth chords from dominant sevenths, by spelling and resolution
    local_keys         find the key of each chord
    cadences           find the cadence at the end of each phrase
    analysis           find the chords and cadences of a score: `analyze_harmony`
    part_writing       find the faults between two to four voices, as lines of text
    models, service, routes   the tool

How it works:

- **Chords.** They are recognized from the notes, by template matching smoothed with Viterbi
  (`harmony/chord_recognition.py` explains the method and its running time). Chord symbols above the music have
  priority if the notes support them. A melody without chords gets the chords of its best classical harmonization
  (`harmonize/`), and the answer says that they are only implied.
- **Names.** `harmony/numerals.py` returns the numeral and function of each chord. `reharmonize` uses the same module,
  so a harmonization that is analyzed again gets the same names.
- **Keys.** `local_keys.py` finds changes of key by a Viterbi search over the keys. If the caller gives a key, all
  chords are named in it.
- **Cadences** are named at phrase ends only (`harmony/phrase_ends.py`): at fermatas; at notes much longer than their
  neighbours, if the bass under them does not move; and at the end.
- **Part writing.** `composer/voice_leading.py` checks two to four voices with one note at a time. With `species`,
  `composer/species_marking` marks two voices as strict counterpoint.
- **Running time.** Linear in the number of notes; four voices over 16 bars take 15 ms (`consort bench compose`).
"""
