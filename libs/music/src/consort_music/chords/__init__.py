"""Read, spell and transpose chord symbols as on lead sheets, and place them on bars.

    symbol          `ChordSymbol`: tones, bass, spelling and canonical name
    grammar         `parse_chord`: read a symbol such as `Bbm7b5/E`
    suffix          read the part of a symbol between root and bass
    formula         the content of a suffix (triad, seventh, added and altered tones), its degrees and its name
    suggestions     find symbols that are similar to unreadable text
    transposition   transpose symbols
    tone_weights    how important each tone of a chord is
    timed_chords    chords with a start and an end
    progression     chords typed bar by bar: `C | Am | F G`

`grammar` splits off the root and the bass with regular expressions. `suffix` reads the rest from left to right, without
backtracking, and collects a `ChordFormula`; the time is linear in the length of the text. The accidental after the
letter belongs to the root, and `-` means minor. Text that musicians read in two ways (`C-5`, `Abb5`, `C b9`) is an
error that suggests both spellings. The formula is normalised, so symbols with the same meaning are equal and have one
canonical name. Results are cached.

Tests compare the parser with the table `evaluation/corpora/chord_symbols.txt`, which was written by hand.
"""
