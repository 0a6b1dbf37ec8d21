"""Help with texts.

plurals         singular or plural in messages
unused_names    a name that is not used yet
visible_text    texts without invisible characters
xml_escapes     text in XML and SVG
"""
