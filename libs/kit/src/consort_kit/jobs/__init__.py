"""Long work, done by a queue in Postgres (procrastinate), so that any number of processes can share it.

- `models`: the input of get_job, and the ticket that a tool returns for unfinished work
- `store`: all SQL for the `jobs` table
- `queue`: procrastinate: its tables, its worker in this process, and jobs of workers that died
- `service`: submit a job, wait for it, cancel it

Every process of a service with jobs serves HTTP and works on jobs, so `docker compose up --scale audio=3` adds workers.
The service's migrations make the `jobs` table. A job is identified by its kind, its parameters and the content it
reads: an equal request gets the same job and so the same result. A job may run twice if a worker dies, so a job must
give the same result each time. The prefix of a job's id says which service keeps it: get_job of audio-svc asks it.
"""
