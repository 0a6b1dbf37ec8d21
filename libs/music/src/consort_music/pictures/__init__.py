"""What the pictures of music and of audio have in common. `piano_roll/` uses it, and so does audio-svc.

    svg         write SVG elements and measure text
    colours     the palette, and shades for loudness
    heading     the lines above a picture: title, facts, and a legend of colours
    time_axis   map times to pixels; marks at round times; numbers along the axis
    labels      place labels next to each other without overlaps

Lengths and positions are in pixels unless stated otherwise. `consort_kit.png` converts the SVG to PNG.
"""
