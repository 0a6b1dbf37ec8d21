"""How alike code and code, or code and words, are.

A snippet gets a vector of 768 numbers: 384 say what it means, 384 how it is made. The cosine of two vectors is their
similarity. Text that a musician writes has the first half only, so it can be compared with code as well.

Modules, in reading order:
    code            what a snippet consists of: its calls, arguments, mini-notation and sounds, as features and as words
    sentence_model  the model that turns words into the first half (MiniLM, optional)
    vectors         both halves together
    embedder        which model is used, and the vectors of snippets and texts
    library_vectors sentence vectors of the clip library, which come with Consort
    vector_cache    sentence vectors of texts that never change, kept on disk
"""
