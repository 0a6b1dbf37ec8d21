"""`consort backup` and `consort restore`: a studio in one file.

- `archive`: the format of the file: write it, check it, read it
- `open_storage`: the database and the blobs of a data folder, whether its studio runs or not
- `database_dump`: tables to text in one snapshot, and back
- `user_files`: the files of the user in the data folder
- `make_backup`, `restore_backup`: the two commands
- `progress`: show the progress of both

**Consistent while the studio runs.** Bytes are written before their row, and never change, so it is enough to read the
tables in one REPEATABLE READ snapshot and to copy the bytes to which its rows refer. Most bytes are copied before the
snapshot is taken. Bytes that are missing belong to a file that was deleted meanwhile: then a new snapshot is taken. If
they are missing again, they are lost, and the backup says so.

**All or nothing.** A restore checks the whole archive before it writes. Then it writes the bytes, and last the tables,
all in one transaction. What it wrote is deleted if it fails. If it is killed, the marker stays: the studio does not
start, and the next restore begins again.

Tables are text of COPY, without SQL of a particular Postgres, so an archive can be restored into another major version.
The tables are made by the migrations that the archive names; newer ones are applied when the studio starts.
"""
