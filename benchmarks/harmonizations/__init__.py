"""The parts of `consort bench harmony`.

- `chorales`: chords under sopranos of Bach's chorales, compared with Bach's.
- `printed_chords`: chords of songs and dances, compared with the printed ones, and their cadences.
- `jazz_idioms`: dominants and their ii, tonic chords, and clashes with held notes, in jazz.
- `lead_sheets`: write ten tunes in four styles as lead sheets, to be judged by a musician.
"""
