"""Reusable patterns.

- `words`: the words with which clips are tagged
- `library`: clips to start with
"""
