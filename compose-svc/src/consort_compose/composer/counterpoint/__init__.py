"""add_voice: write a second voice to a melody, as species counterpoint or as a free countermelody.

In reading order:

    models              input and output of the tool
    routes              the tool
    service             makes a request from the tool's fields, and describes the result
    add_voice_to_score  chooses the existing part, and the side and range of the new voice; adds it to the score
    spelled_tones       tones, their intervals and timed notes; `composer.species_marking` uses them too
    engine/             the generator; its package docstring explains the algorithm
"""
