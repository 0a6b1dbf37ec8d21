"""Labelled data that measure how well strudel-svc knows code: its search by meaning, its vocabulary and its tagger.

The data were written by hand, by an author who had not read the embedding, the search, the ranking, the tagger, the
vocabulary entries or their tests. Each set was committed before anything was tuned on it, and is not changed to
improve a figure. The engine accepts every code.

code_of_concepts     snippets of code, each with the musical concept that it shows
requests_for_clips   what a musician would type to find a clip of the library, with the name of the clip
tagged_clips         clips that are not in the library, tagged as a careful teacher would
toml_rows            read the TOML files that hold the data
"""
