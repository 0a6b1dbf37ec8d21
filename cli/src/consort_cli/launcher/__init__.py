"""Start, watch and stop the processes of a studio.

- `run_studio`: the launcher: start the database, the services and the gateway, and stop them in order.
- `restarting_process`: run one program, check its health, and restart it after a crash.
- `start_and_stop`: start a launcher that outlives the command, find a running one, or stop it.
- `run_folder`: the files in `DATA/run` by which commands and the launcher communicate.
- `embedded_postgres`: the Postgres server that comes with the studio.
- `postgres_address`: the Unix socket or port at which it listens.
- `health_checks`: check whether a service answers and whether a port is free.
- `settings_check`: report a wrong CONSORT_ setting before anything is started.
- `data_version`: report data that a newer Consort has changed.
- `restore_marker`: report a restore that was cut off.
- `status_text`: progress lines and the table of processes, for the terminal.
- `errors`: the errors that prevent a start.
"""
