"""Long work, done by a queue in Postgres (procrastinate), so that any number of processes can share it.

- `models`: the tool get_job, and the ticket that a tool returns for unfinished work
- `store`: all SQL for the `jobs` table
- `queue`: procrastinate: its tables, its worker in this process, and jobs of workers that died
- `service`: submit a job, wait for it, cancel it
- `routes`: the tool get_job

Every process of audio-svc serves HTTP and works on jobs, so `docker compose up --scale audio=3` adds workers. A job is
identified by its kind, its parameters and the content it reads: an equal request gets the same job and so the same
result. A job may run twice if a worker dies, so a job must give the same result each time.
"""
