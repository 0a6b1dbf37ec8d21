"""Sounds with known truth, for tuning and measuring what listens: `items(task, split)` lists them.

`pieces.json` lists the pieces and the seed, `conditions.py` the instruments, tempos and degradations. Both were
committed before anything was tuned. A piece is in one part only: `tune` is for tuning, `test` is for figures.

    for item in items("melody", "tune"):
        samples, truth = item.load()

Tasks: melody, plucked and tuning (one voice), piano, tempo, steadiness, key, chords, phrases, articulation, dynamics;
practice (takes with faults), noisy and flawless (the same takes with noise and a room, and without the faults), perfect
and humanised (other takes without faults). `data_folder` adds sounds from data sets that are not part of Consort.
Sounds are rendered when they are first used and kept in CONSORT_SOUND_CACHE, or in the temporary folder.

- `items`, `truth`: the sounds, and what is true of them
- `choose_pieces`, `pieces`, `excerpts`, `conditions`: the music and how it is played
- `melodies`, `ensembles`, `harmonies`, `practice`: the sounds of each task; `tempo_clock`: their seconds
- `playing`, `partials`, `voices`, `degrading`: make the sound: soundfont, partials, synthetic voices, noise and a room
- `data_folder`, `cache_folder`: further data sets, and where sounds are kept

Changed after that commit: takes are corrected for the soundfont's own tuning, and the task tuning is played as partials
(`partials.TIMBRES`), because an independent pitch tracker found the soundfont's notes up to ten cents off.
"""

from evaluation.sounds.items import SPLITS, TASKS, SoundItem, items
from evaluation.sounds.truth import TrueChord, TrueFault, TrueNote, Truth

__all__ = ["SPLITS", "TASKS", "SoundItem", "TrueChord", "TrueFault", "TrueNote", "Truth", "items"]
