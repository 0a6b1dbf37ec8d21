"""Inputs and outputs of the project tools.

Modules, in reading order:
    fields     types of fields that several tools share
    patches    one instruction of update_song
    canvas     get_song, update_song
    projects   list, create, describe, change and delete projects
    versions   list_versions, restore_version
"""
