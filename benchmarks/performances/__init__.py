"""The parts of `consort bench notation`.

- `corpus_scores`: 100 scores of music21's corpus, and how each is turned into a performance.
- `real_performances`: performances by people, aligned with their scores note by note.
- `measures`: how a reading is compared with the score.
- `music21_quantizer`: the baseline.
"""
