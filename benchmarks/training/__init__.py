"""Programs that make the learned data in compose-svc and `consort_music`. They need numpy; these do not.

- `train_chord_model`: train the chord model of reharmonize on Bach's chorales.
- `choose_folk_tunes`: choose the folk tunes and split them into three parts.
- `count_folk_statistics`: count the tables of generate_melody in one of these parts.
- `train_performance_reading`: fit the weights with which performances are read as scores.
"""
