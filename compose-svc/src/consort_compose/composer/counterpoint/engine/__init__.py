"""The counterpoint generator: forward filtering, backward sampling over the states of a voice.

The rhythm of the new voice is chosen first. It is a list of slots, one for each note. The state of the voice in a slot
consists of:

- its line: direction, size of the last interval, the tone at which a change of direction would outline a tritone, and
  the number of repeated notes
- its tone
- the move that must follow a dissonance
- the perfect interval of the last downbeat
- the length of the current run of thirds or sixths

The search goes through the slots once (forward filtering). For each state it sums the weights of all ways to reach the
state, and remembers the ways. Then a voice is drawn from the last slot to the first, with a probability proportional to
its weight (backward sampling). So a voice that keeps every rule is found if one exists, and the same seed gives the
same voice. The cost is O(slots * states * tones); 16 bars take 10 to 40 ms of CPU time.

If a slot has no possible state, the rules are relaxed in a window of slots before it: first six slots, then twice as
many, until a state is found. Of the relaxed voices, those with the least severe breaches are kept, and each breach is
reported with its measure. The range is never relaxed, nor are parallel fifths and octaves (if they are to be avoided).
16 voices are drawn and the one with the best shape is returned: it has one highest point and does not repeat a figure
too often. A voice of the fourth species has as many ties as the other rules allow; each downbeat without a tie is
reported. A free voice keeps fewer rules and so has many states. Only the likely ones are followed (beam search).

- A cantus in equal notes is read note by note. The absolute note length does not matter, because species are defined
  by ratios. A melody in unequal notes is read note by note for species 1 and bar by bar for the others, with a warning.
- The sixth before the final octave is major, and the third before the final unison is minor. This rule alone decides
  where the leading tone is raised.

References: J. J. Fux, "Gradus ad Parnassum" (1725), and K. Jeppesen, "Counterpoint" (1931), for the rules of the
species; C. K. Carter and R. Kohn, "On Gibbs sampling for state space models", Biometrika 81 (1994), for sampling
backwards. `evaluation/checkers/counterpoint.py` states the rules a second time, independently of this engine.

In reading order:

    task_and_result      the input (CounterpointTask) and the results (NewVoice, NoVoiceFits)
    write_voice          chooses rhythms, runs the search and keeps the best voice
    rules                the rules as bits of a mask, ordered by severity
    note_slot            a place for one note
    existing_voice       the existing voice, its bars and chords, looked up by time
    species_rhythm       slots of the five species
    free_rhythm          slots of a free voice
    opening_and_cadence  allowed tones of the first note, of the note before the last, and of the last
    melodic_moves        moves of the new voice alone: allowed tones and their weights
    vertical_intervals   the interval of each tone with the existing voice in a slot
    transitions          two successive tones against the existing voice: motion, dissonances, ties
    voice_search         the dynamic program
"""
