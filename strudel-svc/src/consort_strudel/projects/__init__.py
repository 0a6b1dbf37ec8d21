"""Strudel projects: scripts with metadata and a history of versions.

Modules, in reading order:
    models/          inputs and outputs of the tools
    routes           the tools
    names            names of projects, and finding one by name
    metadata         what the user says about a song, beside what its script says
    script_reading   what projects ask about a script (an interface)
    engine_reading   the answers of the real engine
    patches/         applying the instructions of update_song
    changes          storing a changed script, so that no change is lost
    canvas           get_song, update_song
    versions         list_versions, restore_version
    service          the other tools
    templates/       scripts to start with
    storage/         all SQL
"""
