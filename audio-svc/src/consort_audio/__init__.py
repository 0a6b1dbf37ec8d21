"""Recordings, their analysis and comparison, and synthesis.

- `app`, `settings`: put the service together
- `codecs/`, `files/`: decode and measure audio; store files
- `jobs/`, `workers/`: the tool get_job; processes that render or listen
- `synthesis/`, `recordings/`, `pages/`, `pictures/`: render music, record takes, pages for a browser, waveforms
- `signals/`, `neural/`: what the listening tools share: features of a recording, and the models
- `analysis/`, `transcription/`, `comparison/`: the listening tools, in `listening_routers`
"""
