"""Measure how well code and words find what they mean: functions, concepts and clips.

Modules, in reading order:
    exemplars      codes with what each stands for, and the rank of the right answer among them
    baselines      the same by plain MiniLM and by BM25, over code as text
    edited_clips   clips of the library, edited as a user would
    clip_library   the library in a new Postgres, as the service has it
    many_clips     100,000 clips with vectors like those of the library
"""
