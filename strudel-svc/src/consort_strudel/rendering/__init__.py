"""Render scripts to sound with the real sound engine, in headless Chromium.

- `browser_program`: find Chromium, and say how to get it
- `start_browser`: takes the network away, connects the debugging pipe, then becomes Chromium
- `process_tree`: CPU time and memory of a process and its children
- `browser`: a Chromium that runs, and the protocol spoken with it (Chrome DevTools Protocol over a pipe)
- `render_page`: one page of it, with the render program of `strudel-svc/engine`, for one render
- `renderer`: renders scripts one after the other, with limits; a browser that dies or hangs is replaced
- `render_report`: what is wrong with a render, in words
- `models`, `service`, `routes`: the tool render_strudel

A script is foreign code. It runs in a fresh browser context without a network, so it can reach nothing but the
library's sounds, and leaves nothing behind. Its own code runs only before the sound is made, within `SCRIPT_CPU_S`;
memory of the whole browser is watched and limited to `MEMORY_MB`. A script that breaks a limit loses its browser, not
the service: the next render starts another one. RLIMIT_DATA cannot be used: Chromium does not start with it.
"""
