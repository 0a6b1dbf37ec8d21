"""Descriptions of songs for the answers of tools.

Modules:
    sections_and_tracks  one section, one track
    overview             which track plays how much in which section
"""
