"""Programs that make the learned data in compose-svc. They need numpy; compose-svc does not.

- `train_chord_model`: train the chord model of reharmonize on Bach's chorales.
- `choose_folk_tunes`: choose the folk tunes and split them into three parts.
- `count_folk_statistics`: count the tables of generate_melody in one of these parts.
"""
