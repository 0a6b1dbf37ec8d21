"""Strudel scripts for tests and benchmarks.

doc_examples    the examples in the doc comments of the npm packages: valid code that we did not write
voices          our own voices, with type and instrument; songs are put together from them
broken          valid scripts, broken on purpose in one place
"""
