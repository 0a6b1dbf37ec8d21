"""Rhythm: where notes begin, and how they lie on the player's own beat.

- `onset_features`: moments at which a note may begin, and what is heard around them
- `onsets`: `find_onsets`, which chooses among them
- `grid`: the place of each onset in beats, and how early or late it is
- `note_values`: the names of the rhythm
- `models`, `answer`, `routes`: the tool analyze_rhythm
"""
