"""Processes of the studio. This file imports nothing, so that a child process starts fast.

- `run_service`: runs an app as a process
- `listening_sockets`: the ports of the studio, which the launcher keeps for its children
- `patient_connections`: HTTP connections with limits of time and number
- `studio_state`: the file that says which processes of the studio run
- `child_process`: runs a function on untrusted input in a child process with limits
- `child_main`: the program that the child runs
- `child_resource_limits`: CPU time and memory of the child
- `work_limits`: how much of both each kind of work may use
"""
