"""Keep data in Postgres, in blobs and in files.

- `postgres`: connection pool
- `migration_files`: read the migrations of a service
- `migrations`: bring the tables of a service up to date
- `blobs`: bytes in a folder or on S3
- `durable_files`: files that survive a power cut
- `path_sandbox`: reads and writes files at paths that users give
- `disk_errors`: reports a disk that is full
- `file_names`: names that are safe on every system
"""
