"""Composed scores, stored for 30 days.

Modules, in reading order:
    store    all SQL
    service  storing and reading scores
    models   a list of scores
    routes   the list, and a score as MIDI, MusicXML or text
"""
