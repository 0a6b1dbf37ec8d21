"""Search the best harmonization, and others with another idea.

harmony_task     a melody to harmonize with its options; a chord with its bass
cadence_scores   score the moves to the ends of phrases
dominant_costs   score dominants by the leading tone and the seventh in the melody
chord_lattice    score each chord and bass in each slot, and each move
lattice_paths    find the best paths through a lattice, and others that differ from them
harmonic_ideas   the ideas by which options differ
find_harmonies   find the best harmonization, and others with another idea: `harmonize`
"""
