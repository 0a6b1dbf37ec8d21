"""What a snippet of code consists of, from the facts of the engine's parser.

Modules, in reading order:
    reading         snippets as facts: whole statements, ends of chains, and many at once
    same_functions  one name for functions that have several
    mini_shape      what the signs of mini-notation do
    features        everything that a snippet consists of, with weights
    plain_words     the snippet put into words
"""
