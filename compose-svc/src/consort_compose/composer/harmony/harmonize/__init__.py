"""Find chords for a melody in four styles: the engine and tool of `reharmonize`.

In reading order:

    styles/          the chords, progressions, cadences and weights of each style
    slots/           when chords may begin, and what the melody requires of them
    chord_scores/    how well a chord suits a slot: two trained models
    search/          find the best harmonization, and others with another idea
    writing/         write the chords as music: four voices, keyboard, lead sheet
    scoring          compute the scores of a harmonization
    reharmonize      return several harmonizations, with their music, scores and remarks
    models, service, routes   the tool

How it works:

- **Chord model.** A neural network with one hidden layer (tanh) scores each chord class (root and family) from the
  binary features of a beat. A linear-chain conditional random field (CRF) adds scores for the move from chord to chord,
  which depend on the metre. The forward-backward algorithm gives the probability of each class at each beat. The
  weights (140 KB) were trained by `benchmarks/training/train_chord_model.py` on Bach's chorales in music21's corpus.
  The tunes that `consort bench harmony` measures were held out: the split was committed before the first model was
  trained. References: J. Lafferty, A. McCallum and F. Pereira, "Conditional Random Fields: Probabilistic Models for
  Segmenting and Labeling Sequence Data", ICML 2001; M. Allan and C. K. I. Williams, "Harmonising Chorales by
  Probabilistic Inference", NIPS 2004.
- **Lattice.** It has one layer per slot (bar, half bar or beat), and one state per chord and bass. The score of a state
  is made of the model's log probability, the share of the melody's time on chord tones, and the preferences of the
  style. The score of a move is made of the style's common progressions and the bass motion. Chord tones on strong beats
  have much larger scores than the requested bass motion, and this has larger scores than everything else. So a rule is
  broken only if there is no other way.
- **Song model.** With one chord per bar, classical and pop style use a log-linear model of the chords that songbooks
  print instead, and jazz uses a mixture. It was trained by `benchmarks/training/train_song_model.py` (a structured
  support vector machine) on the tune split of the lead sheets that `consort bench harmony` measures.
- **Dissonances.** A note on a strong beat may be a suspension or appoggiatura: it must resolve by step within the
  chord. Every other note that is foreign to the chord has a cost, by how the melody reaches and leaves it
  (`foreign_notes.py`): little for passing notes and neighbours, much for a note of a beat or longer that is left by
  leap.
- **Styles.** Classical style prepares its dominants by ii, IV, the six-four chord or the dominant of the dominant,
  writes the seventh that the melody sings, and uses first inversions for a bass that moves by step. Pop prefers vi and
  IV. In jazz, vi and iii replace I, ii replaces IV or half of V (`REPLACED` in `slot_scores.py`). Modal style has the
  major dominant only under the leading tone; a major melody without a seventh degree becomes mixolydian.
- **Split bars.** The bars in which a phrase closes, and those that no single chord suits, may have two chords
  (`harmony_slots.py`). Phrases are found from the rhythm of the melody.
- **Search.** Viterbi finds the best path. Each idea (circle of fifths, pedal, ...) adds a bonus to some chords or
  moves, and Viterbi finds the best path with it. It becomes an option if it shows the idea and differs enough. Before
  each further option is searched, the states of the earlier ones, and similar states, get a penalty. If that yields
  nothing new, the next best paths are enumerated in exact order of score (best-first search with the Viterbi scores as
  exact bounds). This also proves when there are no more paths. The search for one path takes O(layers * states²).
- **Long chords.** The chorale model scores single beats. Therefore the share of chord tones in the melody counts more
  for a chord of several beats. Changing only the extensions of a chord (G7 to G9) costs more than staying, and options
  that differ only in extensions are treated as nearly equal.
- **Phrase ends.** At a phrase end within the tune, a move that is no cadence has a cost. Classical style with fermatas
  does not need this, because the model has learned it.
- **Jazz.** A dominant after its ii gets a bonus, other dominants and tonic chords within a phrase a cost. No chord tone
  may be a semitone away from a held melody note, unless the note is an accepted tension.
- **Modes and blues.** In the church modes each style uses the chords of the mode. Chords from outside the style are
  used only where none of the style's chords contains a strong note. They are chords of a parallel mode, or dominants
  and leading-tone chords of a triad of the mode. The blues has dominant sevenths on I, IV and V; their sharp ninth is
  the minor third above the root.
- **Music.** Four voices get a voicing at every note of the melody, not only at every chord. Otherwise there could be
  parallels between a passing note and the next chord (`voicings/engine/satb.py`).

`evaluation/checkers/harmony.py` implements the rules again, without code of the engine. Tests use it.
"""
