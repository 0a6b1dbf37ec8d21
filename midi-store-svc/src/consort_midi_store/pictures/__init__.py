"""Pictures of music.

- `models`: the input of render_piano_roll
- `routes`: the tool, and the route that a link to a picture uses
- `piano_roll`: draw the piano roll of a file
"""
