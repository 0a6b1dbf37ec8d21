"""Read and write MusicXML, plain and compressed (.mxl).

`reader`         read a document into a score
`part_reading`   the state of a part while it is read
`xml_elements`   read XML from untrusted senders, element by element
`values`         read the values of single elements: pitches, keys, metres, tempos
`chord_kinds`    convert chord symbols to and from MusicXML's root, kind and degrees
`mxl`            unpack compressed MusicXML
`writer`         write a score as a document, with
                 `attribute_elements` (keys, metres, clefs), `direction_elements` (tempos, marks), `note_elements`
                 and `accidentals`
"""
