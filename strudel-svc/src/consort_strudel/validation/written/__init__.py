"""Rules on the syntax tree: what is written, with its exact place.

names             unknown functions and methods
quotes            strings in the wrong quotes
arguments         wrong kinds of arguments, values out of range, notes, vowels
scale_names       scales that do not exist
sound_names       sounds and banks that do not exist, or cannot be heard offline
chord_names       chords that are silent
kabelsalat        programs of `K(...)` that are silent
silent_patterns   patterns that are not heard
"""
