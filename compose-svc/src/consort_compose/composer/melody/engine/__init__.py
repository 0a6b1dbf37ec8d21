"""The melody generator: a Markov model of folk tunes, sampled under hard constraints.

A whole melody is sampled at once by forward filtering, backward sampling (FFBS) with the time direction reversed:
messages run backward, sampling runs forward. The state of a note is (previous pitch, current pitch). The message of a
state is the total weight of all its continuations. A pitch is drawn with a probability proportional to its weight times
its message. A pitch or move that violates the range, scale, first note, last note or largest leap has weight 0. So
every drawn melody meets these constraints, and no draw runs into a dead end. A sampler costs at most
O(notes * pitches^3): each of pitches^2 states has up to `pitches` successors. A melody of 8 bars takes about 6 ms of
CPU time.

1. A breadth-first search over the allowed moves proves that the hard constraints can be met, or names the conflict.
2. The profile of a folk tune is drawn whose metre, mode, density, length and pickup suit the request: its style (song
   or dance), its density and its shares of wide leaps, thirds, repeats and turns. Songs and dances have tables of their
   own: a song has a smaller range and a longer last note, a dance has more thirds and repeats more bars. A plan is
   chosen: a form (which bar repeats which), a rhythm, and a register (the part of the range to use), all of them most
   likely from tunes of this style and about this density. Of two forms and rhythms the one that is more like a folk
   tune is used (`folk_likeness`). A blues has the form of call and response.
3. The weights of pitches and moves are counts from folk tunes (`folk_statistics.json`, 108 KB), adjusted to the request
   and the profile. Random factors make some moves, figures and rhythms typical of this melody, as samples of a
   Dirichlet distribution vary around its mean: a tune is less varied than all tunes together. Leaps of more than a
   fifth get less weight than in the counts, and moves that turn back after them get more.
4. Several melodies are drawn from the plan. Among those that meet the wishes best, the one that is most like a folk
   tune is kept. Then the same is done with the bars repeated that the form repeats, and the notes that lead into them.
   Where the form repeats only a part of a bar, the other part is made different.
5. The contour and, if requested, the share of steps are measured. If the melody misses one of them, the weights are
   corrected and a new plan is made. If the share of steps is still missed at the end, a second dynamic program, over
   sets of leap counts, decides whether any melody meets it, and draws one that does.
6. Each wish that the melody still misses is reported with its measure.

`python -m benchmarks.training.count_folk_statistics` makes the counts. They contain no tunes: each row is a count, or a
few numbers about one tune. The tunes that `consort bench melody` uses for comparison are not among the counted tunes.
`python -m benchmarks.training.fit_folk_likeness` fits the weights of `folk_likeness` to the same tunes.
The same request and seed give the same melody on every machine.

References: L. R. Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (1989), for forward and backward
messages; C. K. Carter and R. Kohn, "On Gibbs sampling for state space models", Biometrika 81 (1994), for FFBS;
F. Pachet, P. Roy and G. Barbieri, "Finite-length Markov processes with constraints", IJCAI 2011, for melodies.

In reading order:

    request_and_result  the input (MelodyRequest) and the results (Melody, MelodyConflict)
    generate            the steps above, in order
    conflict_check      proves by breadth-first search whether the hard constraints can be met
    musical_form        which bar repeats which
    rhythm              note values for every metre and density
    pitch_register      which part of the range a melody uses
    move_weights        how likely each move from pitch to pitch is
    pitch_weights       how likely each pitch is at each note
    contour             contours as curves, and how well a melody follows one
    pitch_sampler       draws whole melodies from those weights
    motif_repetition    copies pitches of earlier bars into later ones
    folk_likeness       says which of several drafts is most like a folk tune
    step_share          measures the share of steps and meets it exactly
    relaxed_wishes      finds the wishes that a melody misses
    folk_statistics     loads the counts of folk tunes
"""
