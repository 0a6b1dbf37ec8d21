"""generate_melody: write a melody in the manner of folk tunes, under hard constraints.

In reading order:

    models      input and output of the tool
    routes      the tool
    service     makes the engine's request from the input, runs the engine, and makes a score from its melody
    engine/     the generator; its package docstring explains the algorithm
"""
