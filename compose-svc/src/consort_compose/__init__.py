"""compose-svc: the composer tools, the song editor, sheet music and stored scores.

Packages and modules:
    composer       tools that compose, harmonize, analyze and export music
    songs          the multi-track song editor
    scores         stored results of the composer tools
    score_library  music21's corpus, and formats that only music21 reads
    notation       sheet music and tabs
    migrations     the database schema
    app            the FastAPI app that serves all of them
"""
