"""Studios as earlier Consorts left them: for each migration a backup of the service that it belongs to.

`make_archives` made them, with the code of earlier commits. The archives are committed, so the tests need no history.
After you have committed a new migration, make the archive of its schema (here: the second of `audio`):

    .venv/bin/python -m tests.support.upgrades.make_archives audio-2
"""
