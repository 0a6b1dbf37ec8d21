"""Songs in Postgres, with undo. `consort_compose.songs` explains how states and chunks work.

Modules, in reading order:
    chunks          the notes of a track in chunks of about 512, which are never changed
    changed_places  which tracks and beats a change affected, to detect conflicts between clients
    store           all SQL: opening, saving, undoing, listing and deleting songs
    requested_song  opening the song that a request names, or the one that its client used last
"""
