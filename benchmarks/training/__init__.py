"""Programs that make the learned data of the engines.

- `train_chord_model`: train the chord model of reharmonize on Bach's chorales.
- `train_song_model`: train the song model of reharmonize on printed chords.
- `choose_folk_tunes`: choose the folk tunes and split them into three parts.
- `count_folk_statistics`: count the tables of generate_melody in one of these parts.
- `fit_folk_likeness`: fit the weights with which generate_melody chooses between drafts, to the same part.
- `train_performance_reading`: fit the weights with which performances are read as scores.
- `train_metre_choice`: fit the weights with which beats and bars are chosen on a steady pulse.
- `train_onset_network`, `train_tempo_readings`: train the networks of analyze_rhythm and analyze_tempo.
- `fit_takes_confidence`: fit the confidence of compare_audio.
- `train_chord_takes`: fit how likely notes of chords were played, for compare_to_reference.
- `train_pitch_engine`: fit the models of detect_pitch and detect_articulation.
- `fit_melody_keys`: fit the weights with which the key of a melody is found.
- `fit_key_weights`: fit the weights of detect_key.
- `logistic`, `confidence_tables`: logistic regression and tables of confidence, for these programs.
"""
