"""Beats: from the file, or from the notes.

beat_map         seconds and beats
file_beats       whether the beats of the file are those of the music
salience         how much each moment sounds like a beat
beat_tracking    beats from the notes alone: a semi-Markov Viterbi search
"""
