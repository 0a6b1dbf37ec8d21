"""Projects and their versions in Postgres.

Modules, in reading order:
    rows       rows of the tables
    columns    pieces of SQL that several statements share
    store      reading and changing one project
    search     list_projects
"""
