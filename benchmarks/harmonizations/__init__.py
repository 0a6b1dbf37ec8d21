"""The parts of `consort bench harmony`.

- `chorales`: chords under sopranos of Bach's chorales, compared with Bach's.
- `printed_chords`: chords of songs and dances, compared with the printed ones, and their cadences.
"""
