"""Inputs and outputs of the song tools. An assistant reads every description in here.

Modules, in reading order:
    fields              types of fields that several tools share
    alternative_inputs  other ways in which callers write an input, accepted but not in the schema
    common              base classes of requests and answers: the song's id and version
    songs               songs as a whole: create, edit, describe, list, export, delete, undo
    sections, tracks, notes, chords, checks
                        one module for the tools of each subject
"""
