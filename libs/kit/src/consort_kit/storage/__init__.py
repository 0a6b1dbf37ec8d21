"""Keep data in Postgres, in blobs and in files.

- `postgres`: connection pool and migrations
- `blobs`: bytes in a folder or on S3
- `path_sandbox`: reads and writes files at paths that users give
- `disk_errors`: reports a disk that is full
- `file_names`: names that are safe on every system
"""
