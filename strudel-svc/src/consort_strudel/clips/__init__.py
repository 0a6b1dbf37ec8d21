"""Clips: short pieces of Strudel code with tags.

Modules, in reading order:
    models              what the tools take and return
    keys                keys in one spelling
    storage             clips, tags and vectors in Postgres
    answers             clips as tools answer them
    tagging             tags from code
    save_and_change     save_clip, update_clip, delete_clip
    ranking             order by a request in words
    service             get_clip, search_clips, find_similar_clips
    library             clips to start with
    background          loads the library, makes vectors, keeps the index
    routes              the tools
"""
