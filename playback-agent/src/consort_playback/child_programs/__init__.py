"""The child programs of the agent. Only they call the MIDI system; the agent never does.

A call into the MIDI system can hang, and rtmidi then holds Python's global lock. In a child process only that process
hangs. The agent starts a program with `python -m consort_playback.child_programs PROGRAM SOCKET` and speaks to it over
the socket in the messages of `consort_playback.protocol`. The programs use only the standard library, rtmidi and, for
the synth, pyfluidsynth, so a program starts in about a tenth of a second.

The programs:

- `play_port`: opens one port and plays all sessions on it. The agent keeps one process for each port in use.
- `list_ports`: reports the ports of all MIDI systems, every 0.4 seconds and on request. One process.
- `end_notes`: opens a port whose process died, sends note-offs and exits.

The modules that they use, in reading order:

- `scheduled_session`: one session in `play_port`: its events, its position, and when the next event is due.
- `shared_port`: sends the messages of several sessions to one port so that none cuts off the notes of another.
- `outputs`: opens a port of the MIDI system, a virtual port, or the synth.
- `output_errors`: the exceptions raised if an output cannot be opened.
- `synth`: the built-in synth: FluidSynth, by `consort_music.synth`.
- `realtime`: real-time priority, and light sleep of idle cores.
- `lateness`: a histogram of how late messages were sent.
- `jack_server`: identifies the running JACK server, so that a restart is noticed.

Timing: `play_port` sleeps until shortly before a message is due and then spins. With SCHED_FIFO, 0.2 ms of spinning
are enough; without it, 1 ms. The priority is 1: above all ordinary processes, below JACK's own threads. No command is
started shortly before a message is due.

Idle cores can wake up late. A real-time process that has overslept asks Linux for lighter sleep through
`/dev/cpu_dma_latency`, if it has the permission, from 40 ms before each message. This lowered the median lateness at
the receiver from 0.19 to 0.12 ms. The 99th percentile (0.4 to 0.8 ms) changed by less than its noise. It was measured
on one machine, without deep sleep states.

`consort bench playback` measures lateness at the receiver. It compares this agent with an HTTP service that runs
`mido.play` in a thread. The 99th percentiles were, for that service and for this agent: 55 to 75 ms and 0.27 to 0.36 ms
under load; 0.8 to 2.0 ms and 0.37 to 0.49 ms on a quiet machine. Of the agent's lateness, 0.06 to 0.18 ms arise before
JACK.
"""
