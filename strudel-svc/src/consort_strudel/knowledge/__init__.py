"""What is known about Strudel, written by hand: words, functions and packs."""
