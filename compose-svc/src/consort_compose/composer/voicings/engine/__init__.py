"""The voicing engine: pure functions from chord symbols to MIDI numbers.

In reading order:

    styles           the shapes of close, open, drop 2, drop 3 and quartal voicings above a bass
    quartal          chords in fourths
    string_quartet   which player plays which notes
    least_motion     the voicing of a chord with the least motion from the previous notes
    single_chord     one chord for one instrument, with alternatives
    cheapest_path    the Viterbi search for the cheapest path through layers of choices
    satb_voicings    the voicings of one chord for four voices
    satb_faults      the part-writing faults of four voices
    satb             a progression for four voices, without part-writing faults where possible
    progression      a progression for any of the instruments

How it works:

- **One chord.** A style is a shape above the requested bass. The shape is moved to the octave nearest to the middle of
  the range. Guitar shapes are enumerated fret by fret, for a hand with four fingers over four frets. If an instrument
  cannot play the style, the nearest shape that it can play is used, with a warning. There is also a warning if a
  voicing has no room for a characteristic tone of the chord.
- **One chord after given notes** (`least_motion`). Dynamic programming over the previous notes, from the lowest up. The
  state is the index of the last voice moved, the number of voices split or joined, the last note, and the set of tones
  reached so far (as bits). The result has the least motion in semitones, for any number of notes. For minimal voice
  leading see D. Tymoczko, "The Geometry of Musical Chords", Science 313 (2006).
- **A progression on piano or guitar.** Viterbi over at most 28 voicings per chord. The cost of a step is its motion
  and, on the guitar, the movement of the hand. The first and the last chord are in root position if possible.
- **Four voices and strings** (`satb`). Viterbi over at most 36 voicings per chord, with soprano, alto, tenor and bass
  in their ranges if possible. `satb.py` lists the faults that it avoids and the smaller costs.
- **Cost.** A chord takes 0.5 to 2.5 ms, a progression of 16 chords 17 to 40 ms (`consort bench compose`).

Guitar shapes are those of `consort_music.frets.chord_shapes`; `consort_music.chords.tone_weights` says which tones of a
chord can be left out or doubled.

Inside the engine, voicings are MIDI numbers. `ChordSymbol` spells them at the end.
"""
