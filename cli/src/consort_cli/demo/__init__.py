"""The pieces of `consort demo`: six pieces of our own, made by calls of the studio's tools.

- `pieces/`: the pieces, one TOML file with calls for each
- `demo_pieces`: loads them
- `made_things`: what was added to a studio is kept in `demo.json` in the data folder, so that it can be taken out
- `adding`: adds the pieces and takes them out
"""
