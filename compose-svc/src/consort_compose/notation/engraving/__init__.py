"""Engrave MusicXML as pages.

- `page_layout`: the paper, and the size of the music on it
- `engrave`: SVG pages with verovio
- `verovio_toolkit`: verovio, with its warnings
- `tempo_marks`: tempos above chord symbols
- `system_breaks`: lines of about the same width
- `tab_pages`: brackets and text of tablature
- `svg_names`: the names of SVG elements
- `fonts`: the fonts inside verovio, converted once
- `swing_sign`: the equation of swing eighths
- `text_outlines`: text as outlines, for machines without fonts
- `chord_row`: chord diagrams above the music of the first page
- `pdf`: SVG pages as one PDF file
"""
