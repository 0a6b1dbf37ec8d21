"""Harmony: find chords for a melody (`harmonize/`), and name the chords of given music (`analyze/`).

In reading order:

    degree_chords        a chord as a degree of a key: its tones, function and symbol
    numerals             name the chords of a progression by Roman numeral and function
    melody_grid          a melody with the beats of its bars, in integer ticks
    phrase_ends          find where the phrases of a melody certainly end
    phrase_structure     divide a melody into phrases by its rhythm
    sounding_notes       find the notes that sound at a time, and their usual spelling
    broken_chords        find the notes of arpeggios, and how long they ring
    chord_recognition    recognize chords from the notes of a score
    score_chord_symbols  read the chord symbols above a score, if the notes support them
    blues_key            detect whether music is a blues, and find its key
    limits               the largest input of the tools
    harmonize/           `reharmonize`: the chord model, the styles, the search and the four voices
    analyze/             `analyze_harmony`: chords, cadences and part-writing faults

`analyze` imports `harmonize` for the implied chords of a melody; `harmonize` does not import `analyze`.
"""
