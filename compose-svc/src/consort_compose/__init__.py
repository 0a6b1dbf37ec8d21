"""compose-svc: the composer tools, the song editor and stored scores.

Packages and modules:
    composer    tools that compose, harmonize, analyze and export music
    songs       the multi-track song editor
    scores      stored results of the composer tools
    migrations  the database schema
    app         the FastAPI app that serves all of them
"""
