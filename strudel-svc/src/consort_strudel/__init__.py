"""Strudel live coding with the real engine: canvas, projects, clips, knowledge.

- `app`, `sound_parts`: put the service together
- `engine/`: the pool of Node workers that evaluate scripts
- `validation/`, `structure/`: faults of a script, and its voices and sections; `script_tools/`: both as tools
- `projects/`: scripts with versions, and patches
- `events/`, `transcribing/`: what a script plays, also as MIDI; music as a script
- `sounds/`, `packs/`: the sounds of this machine, and what sample packs offer
- `rendering/`, `comparing/`, `pages/`: sound from Chromium, two scripts by ear, the listen page
- `clips/`, `similarity/`, `text_search/`: code with tags, code and words as vectors, search for words (BM25F)
- `knowledge/`: functions, vocabulary and packs, written by hand and checked by the engine; what code does
- `limited_search`, `linear_patterns`: regular expressions of callers, in limited time
- `music_words`, `words`: note and scale names; lists of words
"""
