"""How well a chord suits a slot, by two models that were trained on Bach's chorales and on songbooks.

beat_features    the features of a beat that the chord model uses
chord_model      the probability that Bach would use a chord at a beat; weights in chord_model_weights.json
song_model       how well a chord suits a slot of a song; weights in song_model_weights.json
slot_scores      score each chord in each slot by one of these two models
"""
