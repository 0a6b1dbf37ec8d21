"""Engrave MusicXML as pages.

- `page_layout`: the paper, and the size of the music on it
- `engrave`: SVG pages with verovio
- `svg_names`: the names of SVG elements
- `fonts`: the fonts inside verovio, converted once
- `text_outlines`: text as outlines, for machines without fonts
- `chord_row`: chord diagrams above the first page
- `pdf`: SVG pages as one PDF file
"""
