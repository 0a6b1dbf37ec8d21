"""Help with texts.

plurals         singular or plural in messages
unused_names    a name that is not used yet
xml_escapes     text in XML and SVG
"""
