"""Benchmarks that compare the studio with other software. `consort bench [NAME]` runs them.

Each module directly in this folder is one benchmark. Its `run() -> Report` also measures the baselines. The folders
hold parts of benchmarks:

- `assistant_jobs`: the jobs of `consort bench jobs`.
- `baselines`: other software with which the studio is compared.
- `composer_tools`: the parts of `consort bench compose`.
- `durable_data`: the parts of `consort bench durability`.
- `harmonizations`: the parts of `consort bench harmony`.
- `listening`: the parts of `consort bench audio`.
- `midi_files`: the parts of `consort bench midi`.
- `performances`, `tablature`: the parts of `consort bench notation`.
- `strudel_code`: the parts of `consort bench strudel`.
- `support`: the report, and the features by which melodies are compared.
- `training`: programs that train the shipped models.
"""
