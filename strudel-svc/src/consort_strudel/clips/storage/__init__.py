"""Clips in Postgres.

Modules, in reading order:
    rows            rows of the tables
    store           reading and changing one clip
    library_rows    the clips of the library, written together
    conditions      the filters of a query as SQL
    search          clips that meet filters, in pages; candidates for a ranking by words
    vector_search   clips near a vector: exactly, or by the HNSW index when there are many
"""
