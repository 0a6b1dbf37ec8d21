"""Composed scores, stored for 30 days.

Modules, in reading order:
    store    all SQL
    service  storing and reading scores
    routes   a score as MIDI or MusicXML
"""
