"""Say what code does: from code to the concepts of the vocabulary, and to clips that are like it.

- `parts`: the parts of a snippet that each do something
- `ranking`: known code ranked by what of it is in a snippet, and how much of the snippet it explains
- `vocabulary`: the code of all concepts, read once
- `labels`: several labels for code that does several things
- `models`, `service`, `routes`: the tool identify_pattern

Code is compared by its features alone. The sentence model was tried as well, with the texts of the concepts: on the 454
snippets of `evaluation/strudel_knowledge` it changed recall@1 from .52 to .53 and recall@5 not at all, for 400 vectors
more. It is used to find the clips.
"""
