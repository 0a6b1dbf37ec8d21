"""A sentence model of the BERT family, run by numpy: text in, one vector out.

Modules, in reading order:
    word_pieces     text into the numbers of the model's vocabulary (WordPiece)
    tensor_file     weights from a .safetensors file, without a copy
    bert            the network: embeddings, attention layers, mean of the tokens
    loading         a model from its folder

The result for a text depends on that text alone, because texts are never put into one batch. Importing this package
imports numpy only when a model is loaded.
"""
